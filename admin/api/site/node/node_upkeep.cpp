// Looking after the data directory: its state, checkpoints, backups and archives.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json.hpp>
#include <span>

#include "admin/access/throttle_file.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/answers/omitted_header.hpp"
#include "admin/api/site/calls/reported_work.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/api/status.hpp"
#include "engine/base/sha256.hpp"
#include "engine/base/wording.hpp"
#include "wal/checkpoint/signatures.hpp"
#include "wal/format/format.hpp"
#include "wal/upkeep/backup.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

Result<std::optional<wal::Head>> head_parameter(const Call& call) {
  const auto text = given(call, "head");
  if (!text) return std::nullopt;
  const std::optional<wal::Head> head = wal::parse_head(*text);
  if (!head) return fail(Errc::invalid_input, "a head is LSN:HASH, not " + *text);
  return head;
}

Result<std::optional<Ed25519PublicKey>> key_parameter(const Call& call) {
  const auto text = given(call, "key");
  if (!text) return std::nullopt;
  const std::optional<Ed25519PublicKey> key = wal::parse_public_key(*text);
  if (!key) return fail(Errc::invalid_input, "a public key has 64 hexadecimal digits");
  return key;
}

// Files that are made again when somebody asks for what is in them.
std::vector<std::string> derived_findings(Services& services, const Verification& found) {
  std::vector<std::string> findings = services.publisher.findings();
  findings.insert(findings.end(), found.index.begin(), found.index.end());
  return findings;
}

Result<Response> take_checkpoint(const Call& call) {
  NETML_TRY(const TakenCheckpoint taken, call.services.node.checkpoint());
  return json_answer(201, {{"lsn", taken.lsn.value}, {"bytes", taken.bytes}, {"file", taken.file}});
}

Result<Response> verify(const Call& call) {
  NETML_TRY(const std::optional<wal::Head> known, head_parameter(call));
  NETML_TRY(const std::optional<Ed25519PublicKey> key, key_parameter(call));
  const WorkList::Work work = reported_work(call);
  NETML_TRY(const Verification found, call.services.node.verify(known, key, work.report()));
  return json_answer(
      200, {{"ok", found.findings.empty()},
            {"lsn", found.head.lsn.value},
            {"head", to_string(found.head)},
            {"findings", json::value_from(found.findings)},
            {"cache", json::value_from(derived_findings(call.services, found))},
            {"sign_ins", json::value_from(throttle_findings(call.services.node.directory()))},
            {"receipts", json::value_from(call.services.receipts.findings())},
            {"warnings", json::value_from(found.warnings)},
            {"remains", json::value_from(found.remains)},
            {"newer_version", found.newer_version},
            {"journal_damaged", found.journal_damaged},
            {"another_history", found.another_history},
            {"segments", found.segments},
            {"transactions", found.transactions},
            {"bytes", found.journal_bytes},
            {"checkpoints", found.checkpoints},
            {"uploads", found.uploads},
            {"uploads_gone", found.uploads_gone},
            {"uploads_left_out", found.uploads_left_out},
            {"signatures", found.signatures},
            {"signed_lsn", found.signed_lsn.value}});
}

// How far what another request asks for is, by the name that it gave.
Result<Response> show_work(const Call& call) {
  const auto now = call.services.works.find(given(call, "name").value_or(""));
  if (!now) return fail(Errc::not_found, "no such work reports how far it is");
  return json_answer(200, {{"part", now->part},
                           {"unit", work_unit_name(now->unit)},
                           {"done", now->done},
                           {"total", now->total}});
}

Result<Response> create_key(const Call& call) {
  NETML_TRY(const Ed25519PublicKey key, call.services.node.create_signing_key());
  return json_answer(201, {{"public_key", to_hex(key)}});
}

// ---- backups ----

class BackupStream : public net::BodySource {
 public:
  BackupStream(std::unique_ptr<wal::Backup> backup, EventLog& events)
      : backup_(std::move(backup)), events_(events) {}

  // The client sees no more than that the body breaks off.
  Result<std::string_view> next() override {
    const auto piece = backup_->next();
    if (!piece) {
      events_.error("backup", piece.error().message);
      return tl::unexpected(piece.error());
    }
    return std::string_view(reinterpret_cast<const char*>(piece->data()), piece->size());
  }

 private:
  std::unique_ptr<wal::Backup> backup_;
  EventLog& events_;
};

// "import 3 (ab12...), import 4 (cd34...)": as many as a header may hold; the manifest has all.
std::string first_of(const std::vector<std::string>& files) {
  constexpr std::size_t kNamed = 10;
  const std::span named = std::span(files).first(std::min(files.size(), kNamed));
  return fmt::format("{}{}", fmt::join(named, ", "), files.size() > kNamed ? ", ..." : "");
}

Result<Response> back_up(const Call& call) {
  const bool without_missing = given(call, "without_missing_uploads") == "1";
  NETML_TRY(std::unique_ptr<wal::Backup> backup, call.services.node.backup(without_missing));
  Response response;
  response.headers.set("Content-Type", "application/x-tar");
  response.headers.set("X-NetML-Head", to_string(backup->head()));
  if (const auto& left_out = backup->left_out(); !left_out.empty())
    set_omitted(
        response.headers,
        fmt::format("{}: {}", counted(left_out.size(), "missing stored file"), first_of(left_out)));
  response.body = net::StreamBody{
      std::make_unique<BackupStream>(std::move(backup), call.services.node.events()), std::nullopt};
  return response;
}

// ---- archives ----

Result<Response> archive(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string directory, text_of(fields, "directory"));
  const WorkList::Work work = reported_work(call);
  NETML_TRY(const wal::ArchivedSegments moved,
            call.services.node.archive(directory, work.report()));
  return json_answer(200, {{"directory", moved.directory},
                           {"segments", moved.segments.size()},
                           {"bytes", moved.bytes},
                           {"compressed_bytes", moved.compressed_bytes},
                           {"packed_bytes", moved.compressed_bytes}});  // as in version 0.1
}

// What a program must know to open the directory, and why.
Result<Response> disk_format(const Call& call) {
  NETML_TRY(const wal::Manifest manifest, call.services.node.manifest());
  const auto archived = std::ranges::count_if(
      manifest.segments, [](const wal::SegmentEntry& entry) { return entry.archive != 0; });
  json::array reasons;
  if (!manifest.archives.empty())
    reasons.emplace_back(fmt::format("{} segments of the journal are archived", archived));
  if (manifest.format > wal::format::kVersion1)
    reasons.emplace_back(
        fmt::format("what is written has format {}, as in every directory that "
                    "began with it or was changed since",
                    manifest.format));
  return json_answer(200, {{"format", wal::oldest_reader(manifest)},
                           {"oldest_format", wal::format::kVersion1},
                           {"backup_format", manifest.format},
                           {"reasons", std::move(reasons)}});
}

}  // namespace

void add_node_upkeep(Routes& routes) {
  routes.add(Method::get, "node/status", kNodeVerb, [](const Call& call) -> Result<Response> {
    return json_answer(200, status_json(call.services));
  });
  routes.add(Method::post, "node/checkpoint", kNodeVerb, take_checkpoint);
  routes.add(Method::post, "node/verify", kNodeVerb, verify);
  routes.add(Method::get, "node/work", kNodeVerb, show_work);
  routes.add(Method::post, "node/key", kNodeVerb, create_key);
  routes.add(Method::get, "node/backup", kNodeVerb, back_up);
  routes.add(Method::post, "node/archive", kNodeVerb, archive);
  routes.add(Method::get, "node/disk-format", kNodeVerb, disk_format);
}

}  // namespace netml::admin::web
