// Places where generated nodes and institutions stand.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace netml::generator {

struct City {
  std::string_view name;
  std::string_view unlocode;
  std::int32_t latitude;  // both in hundredths of a degree
  std::int32_t longitude;
};

inline constexpr std::array kCities = {
    City{"Amsterdam", "NLAMS", 5237, 490},   City{"Athens", "GRATH", 3798, 2373},
    City{"Auckland", "NZAKL", -3685, 17476}, City{"Bergen", "NOBGO", 6039, 532},
    City{"Berlin", "DEBER", 5252, 1340},     City{"Bogotá", "COBOG", 471, -7407},
    City{"Bratislava", "SKBTS", 4815, 1711}, City{"Brussels", "BEBRU", 5085, 435},
    City{"Budapest", "HUBUD", 4750, 1904},   City{"Cape Town", "ZACPT", -3392, 1842},
    City{"Chicago", "USCHI", 4188, -8763},   City{"Copenhagen", "DKCPH", 5568, 1257},
    City{"Dakar", "SNDKR", 1469, -1745},     City{"Dublin", "IEDUB", 5335, -626},
    City{"Geneva", "CHGVA", 4620, 614},      City{"Halifax", "CAHAL", 4465, -6357},
    City{"Hamburg", "DEHAM", 5355, 999},     City{"Helsinki", "FIHEL", 6017, 2494},
    City{"Kraków", "PLKRK", 5006, 1994},     City{"Lisbon", "PTLIS", 3872, -914},
    City{"Ljubljana", "SILJU", 4606, 1451},  City{"London", "GBLON", 5151, -13},
    City{"Madrid", "ESMAD", 4042, -370},     City{"Malmö", "SEMMA", 5560, 1300},
    City{"Montréal", "CAMTR", 4550, -7357},  City{"Nairobi", "KENBO", -129, 3682},
    City{"Oslo", "NOOSL", 5991, 1075},       City{"Paris", "FRPAR", 4886, 235},
    City{"Prague", "CZPRG", 5008, 1444},     City{"Reykjavík", "ISREY", 6415, -2194},
    City{"Riga", "LVRIX", 5695, 2411},       City{"Rome", "ITROM", 4190, 1250},
    City{"Santiago", "CLSCL", -3345, -7067}, City{"São Paulo", "BRSAO", -2355, -4663},
    City{"Seattle", "USSEA", 4761, -12233},  City{"Singapore", "SGSIN", 135, 10382},
    City{"Stockholm", "SESTO", 5933, 1807},  City{"Sydney", "AUSYD", -3387, 15121},
    City{"Tallinn", "EETLL", 5944, 2475},    City{"Tokyo", "JPTYO", 3568, 13969},
    City{"Toronto", "CATOR", 4365, -7938},   City{"Tromsø", "NOTOS", 6965, 1896},
    City{"Vienna", "ATVIE", 4821, 1637},     City{"Vilnius", "LTVNO", 5469, 2528},
};

}  // namespace netml::generator
