#include "admin/services/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace netml::admin {

namespace {

Status one_of(std::string_view value, std::string_view first, std::string_view second) {
  if (value == first || value == second) return {};
  return fail(Errc::invalid_input,
              fmt::format("the value must be exactly {} or {}", first, second));
}

Status live_or_published(std::string_view value) {
  return one_of(value, "Live", "Published");
}
Status result_or_queued(std::string_view value) {
  return one_of(value, "Result", "Queued");
}
Status on_or_off(std::string_view value) {
  return one_of(value, "On", "Off");
}

constexpr std::array kDefinitions{
    SettingDefinition{kSupplyType, "NetML Polling Data Supply Type", "Live",
                      "what the export endpoint serves: the live data, or the latest published "
                      "snapshot (Live or Published)",
                      live_or_published},
    SettingDefinition{kImportAnswer, "Import Answer", "Result",
                      "when an upload is answered: once its import is done (Result), or once it "
                      "is stored (Queued, which is also what test mode begins with)",
                      result_or_queued},
    SettingDefinition{kTopologyDeletionPropagation, "Topology Deletion Propagation", "On",
                      "whether a sub-topology that its own root's file no longer has is deleted "
                      "here too (On or Off)",
                      on_or_off},
};

}  // namespace

std::span<const SettingDefinition> setting_definitions() {
  return kDefinitions;
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

std::string setting_value(const engine::Catalog& catalog, std::string_view name) {
  const auto definition = std::ranges::find(kDefinitions, name, &SettingDefinition::name);
  NETML_ASSERT(definition != kDefinitions.end());
  return engine::setting(catalog, name).value_or(std::string(definition->default_value));
}

}  // namespace netml::admin
