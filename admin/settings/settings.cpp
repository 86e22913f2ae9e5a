#include "admin/settings/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "admin/settings/cron_schedule.hpp"
#include "engine/base/nearest_word.hpp"
#include "engine/base/texts.hpp"
#include "engine/edit/plan_edit.hpp"

namespace netml::admin {

namespace {

// Of polls, where nobody has set another one.
constexpr std::uint64_t kPollDeletionPercentMax = 50;

Result<std::string> accept_schedule(std::string_view text) {
  NETML_TRY_VOID(CronSchedule::parse(text));
  return std::string(text);
}

constexpr double kZoomMin = 2;
constexpr double kZoomMax = 18;

std::optional<double> parse_decimal(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

// "(45.0, -75.0)"; each bracket and all blanks may be left out.
struct Place {
  std::optional<double> latitude;
  std::optional<double> longitude;
};
std::optional<Place> parse_place(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.starts_with('(')) text.remove_prefix(1);
  if (text.ends_with(')')) text.remove_suffix(1);
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos || text.find(',', comma + 1) != std::string_view::npos)
    return std::nullopt;
  return Place{parse_decimal(text.substr(0, comma)), parse_decimal(text.substr(comma + 1))};
}

// With a decimal point and no zeros that tell nothing: "45.0".
std::string degrees_text(double value) {
  std::string text = fmt::format("{:.10f}", value);
  text.erase(std::max(text.find_last_not_of('0'), text.find('.') + 1) + 1);
  return text == "-0.0" ? "0.0" : text;
}

Result<std::string> accept_place(std::string_view text) {
  const auto place = parse_place(text);
  if (!place) return fail(Errc::invalid_input, "two numbers with a comma between: (45.0, -75.0)");
  if (!place->latitude || std::abs(*place->latitude) > 90)
    return fail(Errc::invalid_input, "the latitude must be a number from -90 to 90");
  if (!place->longitude || std::abs(*place->longitude) > 180)
    return fail(Errc::invalid_input, "the longitude must be a number from -180 to 180");
  return fmt::format("({}, {})", degrees_text(*place->latitude), degrees_text(*place->longitude));
}

Result<std::string> accept_zoom(std::string_view text) {
  const auto zoom = parse_decimal(text);
  if (zoom && *zoom >= kZoomMin && *zoom <= kZoomMax) return std::string(text);
  return fail(Errc::invalid_input,
              fmt::format("the zoom must be a number from {} to {}", kZoomMin, kZoomMax));
}

// "https://host[:port]" of an address; nothing when it is none. Only what may stand in a host,
// since it becomes a part of the content policy.
std::optional<std::string_view> origin_of(std::string_view address) {
  constexpr std::string_view kScheme = "https://";
  if (!address.starts_with(kScheme)) return std::nullopt;
  const std::size_t end = address.find('/', kScheme.size());
  if (end == std::string_view::npos || end == kScheme.size()) return std::nullopt;
  const std::string_view host = address.substr(kScheme.size(), end - kScheme.size());
  const bool fine = std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == ':';
  });
  if (!fine) return std::nullopt;
  return address.substr(0, end);
}

Result<std::string> accept_tiles(std::string_view text) {
  if (text.empty()) return std::string();
  bool whole = origin_of(text).has_value() && text.size() <= 255;
  for (const char* part : {"{z}", "{x}", "{y}"}) whole &= text.find(part) != std::string_view::npos;
  if (whole) return std::string(text);
  return fail(Errc::invalid_input,
              "an address like https://tiles.example.org/{z}/{x}/{y}.png, with a host in lower "
              "case");
}

// Whether there is one of that name is known where the setting is changed.
Result<std::string> accept_view_name(std::string_view text) {
  constexpr std::size_t kMax = engine::characters_max(&engine::StoredView::name);
  if (engine::character_count(text) <= kMax) return std::string(text);
  return fail(Errc::invalid_input,
              fmt::format("the name of a view has at most {} characters", kMax));
}

constexpr std::array kPollingSettings{
    SettingDefinition{kPollingEnabled,
                      "NetML Polling Enabled",
                      "True",
                      "whether the schedule and the trigger poll; manual polls go on",
                      {"True", "False"}},
    SettingDefinition{.name = kPollingInterval,
                      .display_name = "NetML Polling Interval",
                      .default_value = kDefaultSchedule,
                      .description =
                          "when peers are polled: a cron expression, in UTC; R stands for a "
                          "random value",
                      .allowed = {},
                      .accept = accept_schedule},
    SettingDefinition{.name = kPollBatchesKept,
                      .display_name = "Polling Batches Kept",
                      .default_value = "500",
                      .description = "how many polls are kept on record; older ones are forgotten",
                      .allowed = {},
                      .number_max = 100'000},
    SettingDefinition{.name = kPollFailuresMax,
                      .display_name = "Polling Failures Max",
                      .default_value = "0",
                      .description =
                          "skip a source after this many failed polls in a row, until it "
                          "is changed or collected manually; 0 = never",
                      .allowed = {},
                      .number_max = 1'000},
    SettingDefinition{kSupplyType,
                      "NetML Polling Data Supply Type",
                      "Live",
                      "what the export endpoint serves: the live data, or the latest published "
                      "snapshot",
                      {"Live", "Published"}},
};

constexpr std::array kDataSettings{
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
    SettingDefinition{.name = kImportDays,
                      .display_name = "Import Days Kept",
                      .default_value = "0",
                      .description = "for how many days records of imports are kept, with the "
                                     "files that were imported; 0 = for ever",
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
                      {"On", "Off"},
                      "Off"},
    SettingDefinition{
        kQualityBadge,
        "Quality Badge",
        "Off",
        "whether anybody may see the score of the map, as /badge/quality.svg and .json",
        {"On", "Off"}},
    SettingDefinition{.name = kMassDeletionGuardCount,
                      .display_name = "Mass-Deletion Guard Count",
                      .default_value = "0",
                      .description = "an import that would delete more elements is held as a plan "
                                     "for an administrator; 0 = never",
                      .allowed = {},
                      .number_max = 1'000'000'000,
                      .former_name = "DELETION_BRAKE_COUNT"},
    SettingDefinition{.name = kMassDeletionGuardPercent,
                      .display_name = "Mass-Deletion Guard Percent",
                      .default_value = "0",
                      .description = "the same in percent of the elements of the topologies that "
                                     "the file contains, from 20 deletions on; 0 = never",
                      .allowed = {},
                      .number_max = 100,
                      .former_name = "DELETION_BRAKE_PERCENT"},
};

constexpr std::array kMapSettings{
    SettingDefinition{kMapEnabled,
                      "GREN Map Visualization Enabled",
                      "True",
                      "whether the map and its data are shown to everybody",
                      {"True", "False"}},
    SettingDefinition{kMapCached,
                      "GREN Map Visualization Data Caching Enabled",
                      "False",
                      "no effect; kept for clients that know it",
                      {"True", "False"}},
    SettingDefinition{.name = kPublicMapView,
                      .display_name = "Public Map View",
                      .default_value = "",
                      .description = "the view that everybody who is not signed in sees the map "
                                     "through; empty: all of it",
                      .allowed = {},
                      .accept = accept_view_name},
    SettingDefinition{.name = kMapCoordinates,
                      .display_name = "GREN Map Initial Coordinates",
                      .default_value = "(0.0, 0.0)",
                      .description = "where the map is centred at first: latitude, longitude",
                      .allowed = {},
                      .accept = accept_place},
    SettingDefinition{.name = kMapZoom,
                      .display_name = "GREN Map Initial Zoom",
                      .default_value = "3",
                      .description = "initial zoom of the map, from 2 (world) to 18 (street)",
                      .allowed = {},
                      .accept = accept_zoom},
    SettingDefinition{.name = kTokenDisplay,
                      .display_name = "Token Display",
                      .default_value = "always",
                      .description = "whether the value of a token can be shown again after it was "
                                     "made; \"once\" also forgets those that are there",
                      .allowed = {"always", kTokenDisplayOnce}},
    SettingDefinition{.name = kMapTiles,
                      .display_name = "Map Tile Server",
                      .default_value = "",
                      .description = "where the map takes its background from, as an address with "
                                     "{z}, {x} and {y}; empty: the base map of this node",
                      .allowed = {},
                      .accept = accept_tiles},
};

template <std::size_t first, std::size_t second>
constexpr auto joined(const std::array<SettingDefinition, first>& a,
                      const std::array<SettingDefinition, second>& b) {
  std::array<SettingDefinition, first + second> all{};
  std::ranges::copy(b, std::ranges::copy(a, all.begin()).out);
  return all;
}
constexpr auto kDefinitions = joined(joined(kPollingSettings, kDataSettings), kMapSettings);

// By a name that the program itself uses.
const SettingDefinition& definition_of(std::string_view name) {
  const auto found = std::ranges::find(kDefinitions, name, &SettingDefinition::name);
  NETML_ASSERT(found != kDefinitions.end());
  return *found;
}

}  // namespace

std::span<const SettingDefinition> setting_definitions() {
  return kDefinitions;
}

Result<std::string> accepted_value(const SettingDefinition& definition, std::string_view value) {
  if (definition.is_number()) {
    const auto number = parse_integer<std::uint64_t>(value);
    if (number && *number <= definition.number_max) return std::string(value);
    return fail(Errc::invalid_input, fmt::format("the value of {} must be a whole number from 0 "
                                                 "to {}",
                                                 definition.name, definition.number_max));
  }
  if (definition.is_text()) return definition.accept(value);
  const auto& [first, second] = definition.allowed;
  if (value == first || value == second) return std::string(value);
  return fail(Errc::invalid_input, fmt::format("the value of {} must be exactly {} or {}",
                                               definition.name, first, second));
}

Result<const SettingDefinition*> find_setting(std::string_view name_or_alias) {
  constexpr std::string_view kAlias = "GRENML_";
  std::string name(name_or_alias);
  if (name.starts_with(kAlias)) name.replace(0, kAlias.size(), "NETML_");
  const auto found = std::ranges::find_if(kDefinitions, [&](const SettingDefinition& setting) {
    return setting.name == name || setting.stored_name() == name;
  });
  if (found == kDefinitions.end())
    return fail(Errc::not_found,
                fmt::format("there is no setting \"{}\"{}; `netml setting list` shows them",
                            name_or_alias.substr(0, 64),
                            did_you_mean(name, words_of(kDefinitions, &SettingDefinition::name))));
  return &*found;
}

std::string_view default_value(const SettingDefinition& definition, Mode mode) {
  const bool differs = mode == Mode::test && !definition.test_mode_default.empty();
  return differs ? definition.test_mode_default : definition.default_value;
}

std::string_view setting_name(std::string_view stored_name) {
  const auto found = std::ranges::find(kDefinitions, stored_name, &SettingDefinition::stored_name);
  return found == kDefinitions.end() ? stored_name : found->name;
}

engine::Transaction plan_setting(const engine::State& state, std::string_view name,
                                 const std::string& value) {
  engine::Transaction transaction =
      plan_setting_set(state, std::string(definition_of(name).stored_name()), value);
  if (name != kTokenDisplay || value != kTokenDisplayOnce) return transaction;
  state.catalog.tokens.for_each([&](std::uint64_t number, const engine::Token& token) {
    if (token.ciphertext.empty()) return;
    auto dropped = std::make_shared<engine::Token>(token);
    dropped->ciphertext.clear();
    transaction.tokens.push_back({number, state.catalog.tokens.find(number), std::move(dropped)});
  });
  return transaction;
}

engine::Transaction plan_setting_default(const engine::State& state, std::string_view name) {
  return plan_setting_reset(state, definition_of(name).stored_name());
}

bool is_stored(const engine::Catalog& catalog, const SettingDefinition& definition) {
  return engine::setting(catalog, definition.stored_name()).has_value();
}

std::string setting_value(const engine::Catalog& catalog, std::string_view name, Mode mode) {
  const SettingDefinition& definition = definition_of(name);
  return engine::setting(catalog, definition.stored_name())
      .value_or(std::string(default_value(definition, mode)));
}

MapView map_view(const engine::Catalog& catalog) {
  MapView view;
  const auto place = parse_place(setting_value(catalog, kMapCoordinates));
  if (place) {
    view.latitude = place->latitude.value_or(0);
    view.longitude = place->longitude.value_or(0);
  }
  view.zoom = parse_decimal(setting_value(catalog, kMapZoom)).value_or(view.zoom);
  return view;
}

std::string tile_origin(const engine::Catalog& catalog) {
  const std::string address = setting_value(catalog, kMapTiles);
  return std::string(origin_of(address).value_or(std::string_view()));
}

std::uint64_t setting_number(const engine::Catalog& catalog, std::string_view name) {
  return parse_integer<std::uint64_t>(setting_value(catalog, name)).value_or(0);
}

bool is_polling_setting(const SettingDefinition& definition) {
  return definition.name.starts_with("NETML_POLLING_");
}

engine::MassDeletionGuard mass_deletion_guard(const engine::Catalog& catalog,
                                              engine::ImportSource source) {
  engine::MassDeletionGuard guard{setting_number(catalog, kMassDeletionGuardCount),
                                  setting_number(catalog, kMassDeletionGuardPercent)};
  const bool poll = source == engine::ImportSource::poll;
  if (poll && !is_stored(catalog, definition_of(kMassDeletionGuardPercent)))
    guard.percent_max = kPollDeletionPercentMax;
  return guard;
}

}  // namespace netml::admin
