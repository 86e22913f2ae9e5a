// App configuration settings: which there are, their defaults and what they accept
// (docs/requirements/administration.md, section 6, and docs/requirements/decisions.md). Only values
// that differ from the default are stored.
//
// Thread: any (pure functions over a catalog).
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "admin/base/mode.hpp"
#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/import/deletions.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::admin {

struct SettingDefinition {
  std::string_view name;
  std::string_view display_name;
  std::string_view default_value;
  std::string_view description;
  std::array<std::string_view, 2> allowed;  // exactly as spelled; the default is one of them
  std::string_view test_mode_default = {};  // empty: the same
  std::uint64_t number_max = 0;             // not 0: a whole number from 0 to this instead
  // Instead, of a text: as it is stored, or what is wrong with it.
  Result<std::string> (*accept)(std::string_view value) = nullptr;
  // What version 0.1 called it. Journals know it by that name, so it stays what the catalog stores
  // it under; for one release clients may use it, too.
  std::string_view former_name = {};

  std::string_view stored_name() const { return former_name.empty() ? name : former_name; }
  bool is_number() const { return number_max != 0; }
  bool is_text() const { return accept != nullptr; }
};

// The value as it is stored; Errc::invalid_input unless the setting allows it.
Result<std::string> accepted_value(const SettingDefinition& definition, std::string_view value);

std::span<const SettingDefinition> setting_definitions();

// By its name, its GRENML_ alias or its former name; Errc::not_found otherwise.
Result<const SettingDefinition*> find_setting(std::string_view name_or_alias);
// What a setting that the catalog stores under `stored_name` is called; the same for an unknown
// one.
std::string_view setting_name(std::string_view stored_name);

// Whether it has a value of its own; else its default holds.
bool is_stored(const engine::Catalog& catalog, const SettingDefinition& definition);

// The default in that mode.
std::string_view default_value(const SettingDefinition& definition, Mode mode);

// The stored value, or the default in that mode.
std::string setting_value(const engine::Catalog& catalog, std::string_view name,
                          Mode mode = Mode::production);

// The same of one that is a number.
std::uint64_t setting_number(const engine::Catalog& catalog, std::string_view name);

// Setting it to an accepted value, with what follows at once: no token's value is kept any more
// when TOKEN_DISPLAY becomes "once" (A4).
engine::Transaction plan_setting(const engine::State& state, std::string_view name,
                                 const std::string& value);
// Back to the default; changes nothing when it has no stored value.
engine::Transaction plan_setting_default(const engine::State& state, std::string_view name);

// What holds an import from there back: the settings, or the defaults, which are stricter for polls
// (decision 36).
engine::MassDeletionGuard mass_deletion_guard(const engine::Catalog& catalog,
                                              engine::ImportSource source);

inline constexpr std::string_view kPublishedKept = "PUBLISHED_ITEMS_KEPT";
inline constexpr std::string_view kPublishedDays = "PUBLISHED_DAYS_KEPT";
inline constexpr std::string_view kImportDays = "IMPORT_DAYS_KEPT";

// Kept in a sandbox, but not shown.
bool is_polling_setting(const SettingDefinition& definition);

inline constexpr std::string_view kPollingEnabled = "NETML_POLLING_ENABLED";
inline constexpr std::string_view kPollingInterval = "NETML_POLLING_INTERVAL";
inline constexpr std::string_view kPollBatchesKept = "NETML_POLLING_BATCHES_KEPT";
inline constexpr std::string_view kPollFailuresMax = "NETML_POLLING_FAILURES_MAX";
inline constexpr std::string_view kSupplyType = "NETML_POLLING_DATA_SUPPLY_TYPE";
inline constexpr std::string_view kImportAnswer = "IMPORT_ANSWER";
inline constexpr std::string_view kTopologyDeletionPropagation = "TOPOLOGY_DELETION_PROPAGATION";
inline constexpr std::string_view kMassDeletionGuardCount = "MASS_DELETION_GUARD_COUNT";
inline constexpr std::string_view kMassDeletionGuardPercent = "MASS_DELETION_GUARD_PERCENT";
inline constexpr std::string_view kMapEnabled = "GREN_MAP_VISUALIZATION_ENABLED";
inline constexpr std::string_view kMapCached = "GREN_MAP_VISUALIZATION_CACHED";
inline constexpr std::string_view kMapCoordinates = "GREN_MAP_INITIAL_COORDINATES";
inline constexpr std::string_view kMapZoom = "GREN_MAP_INITIAL_MAP_ZOOM";
inline constexpr std::string_view kMapTiles = "MAP_TILE_SERVER";
inline constexpr std::string_view kPublicMapView = "PUBLIC_MAP_VIEW";
inline constexpr std::string_view kQualityBadge = "QUALITY_BADGE";
inline constexpr std::string_view kTokenDisplay = "TOKEN_DISPLAY";
inline constexpr std::string_view kTokenDisplayOnce = "once";

// Where the map begins.
struct MapView {
  double latitude = 0;
  double longitude = 0;
  double zoom = 3;
};
MapView map_view(const engine::Catalog& catalog);
// The origin of the tile server, for the content policy; empty when the map uses none.
std::string tile_origin(const engine::Catalog& catalog);

}  // namespace netml::admin
