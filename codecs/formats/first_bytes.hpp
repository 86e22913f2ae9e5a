// What files of each format begin with; GML and CSV, which need their own words for that, have it
// beside their readers. None of these reads a file: where they say yes, the reader may still refuse
// it.
//
// Thread: any (pure functions).
#pragma once

#include <string_view>

namespace netml::codecs {

bool begins_as_netml(std::string_view start);
bool begins_as_graphml(std::string_view start);
bool begins_as_kml(std::string_view start);
bool begins_as_nml(std::string_view start);
bool begins_as_workbook(std::string_view start);
bool begins_as_kmz(std::string_view start);
bool begins_as_geojson(std::string_view start);
bool begins_as_ofds(std::string_view start);
bool begins_as_ietf(std::string_view start);
bool begins_as_gnpy(std::string_view start);
bool begins_as_sdx(std::string_view start);
bool begins_as_esnet(std::string_view start);
bool begins_as_oscars(std::string_view start);
bool begins_as_netbox(std::string_view start);

}  // namespace netml::codecs
