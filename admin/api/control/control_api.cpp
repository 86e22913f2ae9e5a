#include "admin/api/control/control_api.hpp"

#include <boost/json.hpp>

#include "admin/access/throttle_file.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/control/control_requests.hpp"
#include "admin/api/status.hpp"
#include "engine/base/sha256.hpp"
#include "wal/checkpoint/signatures.hpp"

namespace netml::admin {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

Result<std::optional<wal::Head>> head_parameter(const Request& request) {
  const auto text = net::query_parameter(request.query, "head");
  if (!text) return std::nullopt;
  const std::optional<wal::Head> head = wal::parse_head(*text);
  if (!head) return fail(Errc::invalid_input, "a head is LSN:HASH, not " + *text);
  return head;
}

Result<std::optional<Ed25519PublicKey>> key_parameter(const Request& request) {
  const auto text = net::query_parameter(request.query, "key");
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

}  // namespace

void register_maintenance_api(net::Router& router, Services& services) {
  router.add(Method::get, "/control/status/",
             without_body([&services](const Request&) -> Result<Response> {
               return json_answer(200, status_json(services));
             }));
  router.add(Method::post, "/control/checkpoint/",
             without_body([&services](const Request&) -> Result<Response> {
               NETML_TRY(const TakenCheckpoint taken, services.node.checkpoint());
               return json_answer(
                   201, {{"lsn", taken.lsn.value}, {"bytes", taken.bytes}, {"file", taken.file}});
             }));
  router.add(Method::post, "/control/verify/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::optional<wal::Head> known, head_parameter(request));
               NETML_TRY(const std::optional<Ed25519PublicKey> key, key_parameter(request));
               NETML_TRY(const Verification found, services.node.verify(known, key));
               return json_answer(
                   200,
                   {{"ok", found.findings.empty()},
                    {"lsn", found.lsn.value},
                    {"head", found.head},
                    {"findings", json::value_from(found.findings)},
                    {"cache", json::value_from(derived_findings(services, found))},
                    {"sign_ins", json::value_from(throttle_findings(services.node.directory()))},
                    {"warnings", json::value_from(found.warnings)},
                    {"remains", json::value_from(found.remains)},
                    {"newer_version", found.newer_version},
                    {"journal_damaged", found.journal_damaged},
                    {"another_history", found.another_history},
                    {"segments", found.segments},
                    {"transactions", found.transactions},
                    {"bytes", found.bytes},
                    {"checkpoints", found.checkpoints},
                    {"uploads", found.uploads},
                    {"uploads_gone", found.uploads_gone},
                    {"uploads_left_out", found.uploads_left_out},
                    {"signatures", found.signatures},
                    {"signed_lsn", found.signed_lsn.value}});
             }));
  router.add(Method::post, "/control/key/",
             without_body([&services](const Request&) -> Result<Response> {
               NETML_TRY(const Ed25519PublicKey key, services.node.create_signing_key());
               return json_answer(201, {{"public_key", to_hex(key)}});
             }));
}

void register_control_api(net::Router& router, Services& services) {
  register_data_api(router, services);
  register_published_api(router, services);
  register_token_api(router, services);
  register_account_api(router, services);
  register_source_api(router, services);
  register_poll_api(router, services);
  register_rules_api(router, services);
  register_setting_api(router, services);
  register_audit_api(router, services);
  register_undo_api(router, services);
  register_plan_api(router, services);
  register_maintenance_api(router, services);
  register_backup_api(router, services);
  register_archive_api(router, services);
}

}  // namespace netml::admin
