// Imports: bytes in, an import record out (import.md, sections 2 and 3; http-api.md, section 9;
// decision 10). The file is read while it arrives, a spreadsheet when it is complete, kept for
// audit under its hash, planned on the version before it and committed with its record in one
// transaction.
//
// Implements what the public endpoints need; the control API uses ImportJob itself.
// Thread: any; one ImportJob belongs to one caller.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "admin/services/node.hpp"
#include "admin/services/spool.hpp"
#include "codecs/netml_reader.hpp"
#include "engine/plan_import.hpp"
#include "net/ports.hpp"

namespace netml::admin {

// Where an import without a parent goes.
enum class ImportPlace : std::uint8_t { below_main, top_level };

struct ImportRequest {
  Caller caller;
  engine::ImportSource source = engine::ImportSource::api;
  std::string file_name;              // as the client gave it; decides the format
  std::uint64_t token = 0;            // table number; 0 = none
  std::optional<std::string> parent;  // number or identifier
  ImportPlace place = ImportPlace::below_main;
  std::string topology_name;     // new name of the file's root; empty = as in the file, which a
                                 // spreadsheet does not tell
  std::optional<WallTime> date;  // effective time, if not now
};

struct ImportResult {
  std::uint64_t record = 0;  // number of the import record; 0 for a dry run
  Lsn lsn;                   // 0 for a dry run
  engine::ImportStatus status = engine::ImportStatus::complete;
  std::string log;
  std::array<engine::ImportCounts, kKindCount> counts{};
  engine::ChangeCounts changes;
};

// Why nothing was imported. `errors` when the file is not valid.
struct ImportFailure {
  Error error;
  engine::InputErrors errors;
  std::uint64_t record = 0;  // of the aborted import, when one was made
};

using ImportOutcome = tl::expected<ImportResult, ImportFailure>;

// One file on its way into the node. Dropped unfinished, it leaves nothing behind.
class ImportJob {
 public:
  static Result<std::unique_ptr<ImportJob>> begin(Node& node, ImportRequest request);

  // False when the file cannot be accepted any more, so that sending the rest is of no use.
  bool write(std::string_view bytes);

  // What the file says about its place may arrive after it.
  ImportRequest& request() { return request_; }
  // A spreadsheet without a name for its topology.
  bool lacks_name() const { return !reader_ && request_.topology_name.empty(); }

  // Returns when the import is durable and visible, or refused.
  ImportOutcome commit();
  // What commit() would do, without doing it.
  ImportOutcome dry_run();

 private:
  ImportJob(Node& node, ImportRequest request, std::unique_ptr<Spool> spool);

  codecs::ReadResult parse();
  tl::expected<engine::Document, ImportFailure> read();
  Result<RecordId> parent_in(const engine::Graph& graph) const;
  Result<engine::ImportPlan> plan(const engine::State& state,
                                  const engine::Document& document) const;
  engine::ImportRecord record(const SpooledFile& file) const;
  ImportFailure refuse(const SpooledFile& file, ImportFailure failure);

  Node& node_;
  ImportRequest request_;
  std::unique_ptr<Spool> spool_;
  std::optional<codecs::NetmlReader> reader_;  // none for spreadsheets, whose directory comes last
};

class Importer : public net::ImportService {
 public:
  explicit Importer(Node& node) : node_(node) {}

  std::optional<net::ImportRefused> admit(std::optional<std::uint64_t> declared) override;
  tl::expected<std::unique_ptr<net::Upload>, net::ImportRefused> begin(
      const net::UploadInfo& info) override;
  std::optional<net::ImportRecord> record(std::uint64_t id, const net::Identity& identity) override;

 private:
  // One import is applied and four may wait (section 3 of the security rules).
  static constexpr int kUploadsMax = 5;

  Node& node_;
  std::shared_ptr<std::atomic<int>> active_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace netml::admin
