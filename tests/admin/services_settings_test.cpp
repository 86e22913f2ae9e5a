// Settings: names, aliases, defaults and what each accepts (http-api.md, sections 2 and 7;
// decision 2).
#include "admin/services/settings.hpp"

#include <gtest/gtest.h>

namespace netml::admin {
namespace {

TEST(Settings, HaveDefaultsThatTheyAcceptThemselves) {
  const engine::Catalog empty;
  for (const SettingDefinition& definition : setting_definitions()) {
    EXPECT_TRUE(accepted_value(definition, definition.default_value).has_value())
        << definition.name;
    EXPECT_EQ(setting_value(empty, definition.name), definition.default_value);
  }
}

TEST(Settings, MayHaveAnotherDefaultInTestMode) {
  const engine::Catalog empty;
  EXPECT_EQ(setting_value(empty, kImportAnswer, Mode::production), "Result");
  EXPECT_EQ(setting_value(empty, kImportAnswer, Mode::test), "Queued");
  EXPECT_EQ(setting_value(empty, kTopologyDeletionPropagation, Mode::production), "On");
  EXPECT_EQ(setting_value(empty, kTopologyDeletionPropagation, Mode::test), "Off");
  EXPECT_EQ(setting_value(empty, kSupplyType, Mode::test), "Live");
  for (const SettingDefinition& definition : setting_definitions())
    EXPECT_TRUE(accepted_value(definition, default_value(definition, Mode::test)).has_value());
}

TEST(Settings, AnswerToTheirGrenmlAlias) {
  const auto own = find_setting("NETML_POLLING_DATA_SUPPLY_TYPE");
  const auto alias = find_setting("GRENML_POLLING_DATA_SUPPLY_TYPE");
  ASSERT_TRUE(own.has_value());
  ASSERT_TRUE(alias.has_value());
  EXPECT_EQ(*own, *alias);
  EXPECT_EQ((*own)->name, kSupplyType);
}

TEST(Settings, ThatDoNotExistAreNotFound) {
  for (const char* name : {"", "NO_SUCH", "netml_polling_data_supply_type", "GRENML_",
                           "GRENML_TOPOLOGY_DELETION_PROPAGATION"})
    EXPECT_EQ(find_setting(name).error().code, Errc::not_found) << name;
}

TEST(Settings, TakeOnlyTheirValues) {
  const auto accepts = [](std::string_view name, std::string_view value) {
    return accepted_value(**find_setting(name), value).has_value();
  };
  for (const char* value : {"Live", "Published"}) EXPECT_TRUE(accepts(kSupplyType, value));
  for (const char* value : {"On", "Off"}) EXPECT_TRUE(accepts(kTopologyDeletionPropagation, value));
  for (const char* value : {"", "live", "Live ", "True", "On,Off"}) {
    EXPECT_FALSE(accepts(kSupplyType, value)) << value;
    EXPECT_FALSE(accepts(kTopologyDeletionPropagation, value)) << value;
  }
  for (const char* value : {"True", "False"}) EXPECT_TRUE(accepts(kPollingEnabled, value));
  for (const char* value : {"", "true", "TRUE", "Trueasdasd", "false", "1", " True"})
    EXPECT_FALSE(accepts(kPollingEnabled, value)) << value;
}

TEST(Settings, TellWhereTheMapBegins) {
  const SettingDefinition& place = **find_setting(kMapCoordinates);
  for (const char* value : {"(0, 0)", "45.5,-75", " ( -90 , 180 ) ", "90, -180"})
    EXPECT_TRUE(accepted_value(place, value).has_value()) << value;
  for (const char* value : {"", "45", "45,", "91, 0", "0, 181", "((1, 2)", "(1), 2", "1, 2, 3",
                            "nan, 0", "a, b", "()", "(", "["})
    EXPECT_FALSE(accepted_value(place, value).has_value()) << value;
  const SettingDefinition& zoom = **find_setting(kMapZoom);
  for (const char* value : {"2", "3.25", "18"})
    EXPECT_TRUE(accepted_value(zoom, value).has_value()) << value;
  for (const char* value : {"", "1.9", "19", "inf", "nan", "3x"})
    EXPECT_FALSE(accepted_value(zoom, value).has_value()) << value;
}

TEST(Settings, KeepWhereTheMapBeginsInOneForm) {
  const SettingDefinition& place = **find_setting(kMapCoordinates);
  for (const char* value : {"(45, -75)", "45, -75", "(45, -75", "45,-75)", " ( 45.000 , -75.0 ) "})
    EXPECT_EQ(accepted_value(place, value).value_or("refused"), "(45.0, -75.0)") << value;
  EXPECT_EQ(accepted_value(place, "45.4215, -75.69720").value_or("refused"), "(45.4215, -75.6972)");
  EXPECT_EQ(accepted_value(place, "-0, 100").value_or("refused"), "(0.0, 100.0)");
  EXPECT_EQ(place.default_value, accepted_value(place, "0,0").value_or("refused"));
}

TEST(Settings, TakeTileServersOverTlsOnlyAndNothingThatEndsAPolicy_A14) {
  const SettingDefinition& tiles = **find_setting(kMapTiles);
  for (const char* value :
       {"", "https://t.example.org/{z}/{x}/{y}.png", "https://t.example.org:8443/a/{z}/{y}/{x}"})
    EXPECT_TRUE(accepted_value(tiles, value).has_value()) << value;
  for (const char* value : {"http://t.example.org/{z}/{x}/{y}.png", "https://t.example.org/{z}/{x}",
                            "https://t;script-src/{z}/{x}/{y}", "https:///{z}/{x}/{y}",
                            "https://t 'unsafe-inline'/{z}/{x}/{y}", "https://{z}{x}{y}"})
    EXPECT_FALSE(accepted_value(tiles, value).has_value()) << value;
}

TEST(Settings, MayBeNumbers) {
  const SettingDefinition& percent = **find_setting(kDeletionBrakePercent);
  for (const char* value : {"0", "7", "100"})
    EXPECT_TRUE(accepted_value(percent, value).has_value()) << value;
  for (const char* value : {"", "101", "-1", "5 ", "5%", "1e1", "0x1", "99999999999999999999"})
    EXPECT_FALSE(accepted_value(percent, value).has_value()) << value;
  EXPECT_EQ(setting_number(engine::Catalog(), kDeletionBrakePercent), 0U);
}

}  // namespace
}  // namespace netml::admin
