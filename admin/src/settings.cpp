#include "admin/services/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "admin/services/cron_schedule.hpp"
#include "admin/src/numbers.hpp"

namespace netml::admin {

namespace {

// Of polls, where nobody has set another one.
constexpr std::uint64_t kPollDeletionPercentMax = 50;

Status check_schedule(std::string_view text) {
  NETML_TRY_VOID(CronSchedule::parse(text));
  return {};
}

constexpr std::array kDefinitions{
    SettingDefinition{kPollingEnabled,
                      "Polling Enabled",
                      "True",
                      "whether the schedule and the trigger poll; polls by hand go on",
                      {"True", "False"}},
    SettingDefinition{.name = kPollingInterval,
                      .display_name = "Polling Interval",
                      .default_value = kDefaultSchedule,
                      .description = "when peers are polled: a cron text, in UTC; R stands for a "
                                     "random value",
                      .allowed = {},
                      .check = check_schedule},
    SettingDefinition{.name = kPollBatchesKept,
                      .display_name = "Polling Batches Kept",
                      .default_value = "500",
                      .description = "how many polls are kept on record; older ones are forgotten",
                      .allowed = {},
                      .number_max = 100'000},
    SettingDefinition{kSupplyType,
                      "NetML Polling Data Supply Type",
                      "Live",
                      "what the export endpoint serves: the live data, or the latest published "
                      "snapshot",
                      {"Live", "Published"}},
    SettingDefinition{.name = kPublishedKept,
                      .display_name = "Published Items Kept",
                      .default_value = "20",
                      .description = "how many published snapshots are kept whatever their age; "
                                     "the one that is served always is",
                      .allowed = {},
                      .number_max = 100'000},
    SettingDefinition{.name = kPublishedDays,
                      .display_name = "Published Days Kept",
                      .default_value = "30",
                      .description = "for how many days published snapshots are kept in any case",
                      .allowed = {},
                      .number_max = 100'000},
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
    SettingDefinition{.name = kDeletionBrakeCount,
                      .display_name = "Deletion Brake Count",
                      .default_value = "0",
                      .description = "an import that would delete more elements is held as a plan "
                                     "for an administrator; 0 = never",
                      .allowed = {},
                      .number_max = 1'000'000'000},
    SettingDefinition{.name = kDeletionBrakePercent,
                      .display_name = "Deletion Brake Percent",
                      .default_value = "0",
                      .description = "the same in per cent of the elements of the topologies that "
                                     "the file tells, from 20 deletions on; 0 = never",
                      .allowed = {},
                      .number_max = 100},
};

}  // namespace

std::span<const SettingDefinition> setting_definitions() {
  return kDefinitions;
}

Status check_value(const SettingDefinition& definition, std::string_view value) {
  if (definition.is_number()) {
    const auto number = parse_integer<std::uint64_t>(value);
    if (number && *number <= definition.number_max) return {};
    return fail(Errc::invalid_input, fmt::format("the value of {} must be a whole number from 0 "
                                                 "to {}",
                                                 definition.name, definition.number_max));
  }
  if (definition.check != nullptr) return definition.check(value);
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

std::uint64_t setting_number(const engine::Catalog& catalog, std::string_view name) {
  return parse_integer<std::uint64_t>(setting_value(catalog, name)).value_or(0);
}

bool is_polling_setting(const SettingDefinition& definition) {
  return definition.name.starts_with("NETML_POLLING_");
}

engine::DeletionBrake deletion_brake(const engine::Catalog& catalog, engine::ImportSource source) {
  engine::DeletionBrake brake{setting_number(catalog, kDeletionBrakeCount),
                              setting_number(catalog, kDeletionBrakePercent)};
  const bool poll = source == engine::ImportSource::poll;
  if (poll && !engine::setting(catalog, kDeletionBrakePercent))
    brake.percent_max = kPollDeletionPercentMax;
  return brake;
}

}  // namespace netml::admin
