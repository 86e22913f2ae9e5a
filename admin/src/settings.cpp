#include "admin/services/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace netml::admin {

namespace {

constexpr std::array kDefinitions{
    SettingDefinition{kSupplyType,
                      "NetML Polling Data Supply Type",
                      "Live",
                      "what the export endpoint serves: the live data, or the latest published "
                      "snapshot",
                      {"Live", "Published"}},
    SettingDefinition{kImportAnswer,
                      "Import Answer",
                      "Result",
                      "when an upload is answered: once its import is done (Result), or once it "
                      "is stored (Queued, which is also what test mode begins with)",
                      {"Result", "Queued"},
                      "Queued"},
    SettingDefinition{kTopologyDeletionPropagation,
                      "Topology Deletion Propagation",
                      "On",
                      "whether a sub-topology that its own root's file no longer has is deleted "
                      "here too",
                      {"On", "Off"}},
};

}  // namespace

std::span<const SettingDefinition> setting_definitions() {
  return kDefinitions;
}

Status check_value(const SettingDefinition& definition, std::string_view value) {
  const auto& [first, second] = definition.allowed;
  if (value == first || value == second) return {};
  return fail(Errc::invalid_input, fmt::format("the value of {} must be exactly {} or {}",
                                               definition.name, first, second));
}

Result<const SettingDefinition*> find_setting(std::string_view name_or_alias) {
  constexpr std::string_view kAlias = "GRENML_";
  std::string name(name_or_alias);
  if (name.starts_with(kAlias)) name.replace(0, kAlias.size(), "NETML_");
  const auto found = std::ranges::find(kDefinitions, name, &SettingDefinition::name);
  if (found == kDefinitions.end())
    return fail(Errc::not_found, fmt::format("there is no setting \"{}\"; `netml setting list` "
                                             "shows them",
                                             name_or_alias.substr(0, 64)));
  return &*found;
}

std::string_view default_value(const SettingDefinition& definition, Mode mode) {
  const bool differs = mode == Mode::test && !definition.test_mode_default.empty();
  return differs ? definition.test_mode_default : definition.default_value;
}

std::string setting_value(const engine::Catalog& catalog, std::string_view name, Mode mode) {
  const auto definition = std::ranges::find(kDefinitions, name, &SettingDefinition::name);
  NETML_ASSERT(definition != kDefinitions.end());
  return engine::setting(catalog, name).value_or(std::string(default_value(*definition, mode)));
}

}  // namespace netml::admin
