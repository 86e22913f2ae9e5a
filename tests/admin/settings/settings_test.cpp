// Settings: names, aliases, defaults and what each accepts (docs/requirements/http-api.md,
// sections 2 and 7; decision 2).
#include "admin/settings/settings.hpp"

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

TEST(Settings, AnswerToTheirFormerName) {
  for (const auto& [former, name] :
       {std::pair("DELETION_BRAKE_COUNT", "MASS_DELETION_GUARD_COUNT"),
        std::pair("DELETION_BRAKE_PERCENT", "MASS_DELETION_GUARD_PERCENT")}) {
    ASSERT_TRUE(find_setting(former).has_value()) << former;
    EXPECT_EQ(*find_setting(former), *find_setting(name));
    EXPECT_EQ(setting_name(former), name);
  }
  EXPECT_EQ(setting_name("UNKNOWN"), "UNKNOWN") << "of a later version";
}

// What journals of version 0.1 hold keeps its meaning, and that version would understand what this
// one writes.
TEST(Settings, AreStoredUnderTheirFormerName) {
  for (const SettingDefinition& definition : setting_definitions()) {
    if (definition.former_name.empty()) continue;
    const engine::State empty;
    const auto set = engine::apply(empty, plan_setting(empty, definition.name, "7"), Lsn{1});
    ASSERT_TRUE(set.has_value());
    EXPECT_EQ(engine::setting(set->catalog, definition.former_name), "7");
    EXPECT_TRUE(is_stored(set->catalog, definition));
    EXPECT_EQ(setting_number(set->catalog, definition.name), 7U);
    const auto reset = engine::apply(*set, plan_setting_default(*set, definition.name), Lsn{2});
    ASSERT_TRUE(reset.has_value());
    EXPECT_FALSE(is_stored(reset->catalog, definition));
  }
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
  const SettingDefinition& percent = **find_setting(kMassDeletionGuardPercent);
  for (const char* value : {"0", "7", "100"})
    EXPECT_TRUE(accepted_value(percent, value).has_value()) << value;
  for (const char* value : {"", "101", "-1", "5 ", "5%", "1e1", "0x1", "99999999999999999999"})
    EXPECT_FALSE(accepted_value(percent, value).has_value()) << value;
  EXPECT_EQ(setting_number(engine::Catalog(), kMassDeletionGuardPercent), 0U);
}

}  // namespace
}  // namespace netml::admin
