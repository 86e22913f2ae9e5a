// What is known of an import before it, and what came of it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "admin/node/node.hpp"
#include "engine/edit/map_update.hpp"
#include "engine/export/topology_moves.hpp"
#include "engine/import/plan_import.hpp"

namespace netml::admin {

// Where an import without a parent goes.
enum class ImportPlace : std::uint8_t {
  below_main,
  top_level,
  where_it_is,  // a network that is known stays in its place; another goes below the main one
};

// When a file is read: while it arrives, or once it is stored, where it may not have to be now.
enum class ReadWhen : std::uint8_t { arriving, stored };

// All that a way in knows of a file: who sends it from where, and what is to become of it.
struct ImportRequest {
  Caller caller;
  engine::ImportSource source = engine::ImportSource::api;
  std::string file_name;              // as the client gave it
  std::string format;                 // of the file, with parameters (codecs/formats/read_as.hpp);
                                      // empty: as its name says
  std::string owner;                  // of what the file names no owner of; empty: nobody
  std::uint64_t token = 0;            // table number; 0 = none
  std::string token_client_name;      // of that token
  std::optional<std::string> parent;  // number or identifier; of an update: what it updates
  RecordId parent_record;             // instead, when it was looked up before
  ImportPlace place = ImportPlace::below_main;
  std::string topology_name;     // new name of the file's root; empty = as in the file, which a
                                 // spreadsheet does not tell
  std::optional<WallTime> date;  // effective time, if not now
  std::uint64_t file_bytes = 0;  // about, where it is known before; memory is reserved for it
  // The mass-deletion guard, where it is not that of the settings.
  std::optional<std::uint64_t> deletions_max;
  std::optional<std::uint64_t> deletion_percent_max;
  std::uint64_t polled_source = 0;  // whose authority bounds what may change; 0 = no poll
};

struct ImportResult {
  std::uint64_t record = 0;  // number of the import record; 0 for a dry run
  Lsn lsn;                   // 0 for a dry run, and for a file that waits in the queue
  engine::ImportStatus status = engine::ImportStatus::complete;
  std::string log;
  std::array<engine::ImportCounts, kKindCount> counts{};
  engine::ChangeCounts changes;
  std::vector<engine::TopologyMove> moves;  // topologies that get another parent
  std::uint64_t plan = 0;                   // number of the plan that was kept instead
  std::string held_because;  // of a dry run: the import would be held; empty: it would be done
  engine::LossList losses;   // what the file says and the map does not hold
};

// Why nothing was imported. `errors` when the file is not valid.
struct ImportFailure {
  Error error = {};
  engine::InputErrors errors = {};
  std::uint64_t record = 0;  // of the aborted import, when one was made
  std::uint64_t plan = 0;    // that it is held as, for an administrator
  bool no_room = false;      // in memory or on the disk, neither now nor later
};

// What a file says: a map, or values of elements that one has.
using FileContent = std::variant<engine::Document, engine::MapUpdate>;

using ImportOutcome = tl::expected<ImportResult, ImportFailure>;

// Whether a file was given up for want of memory or disk, and not because something could not be
// read or written. `reading`: as ImportJob::reading().
inline bool lacks_room(const Status& reading) {
  if (reading) return false;
  const Errc code = reading.error().code;
  return code == Errc::too_large || code == Errc::no_space;
}

// How an import ended, as the transaction sees it that leaves its record.
struct ImportEnding {
  WallTime now;
  std::uint64_t record = 0;
  const ImportFailure* failure = nullptr;  // none when it was done
  RecordId root;                           // of an import that was done
  RecordId parent;
};
// What else changes in the same transaction: entries of the catalog, no records. Called on the
// writer's thread, perhaps more than once.
using AlsoChange =
    std::function<void(engine::Transaction&, const engine::State&, const ImportEnding&)>;

}  // namespace netml::admin
