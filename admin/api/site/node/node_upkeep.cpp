#include <boost/json.hpp>

#include "admin/access/throttle_file.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/api/status.hpp"
#include "engine/base/sha256.hpp"
#include "wal/checkpoint/signatures.hpp"

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
  NETML_TRY(const Verification found, call.services.node.verify(known, key));
  return json_answer(
      200, {{"ok", found.findings.empty()},
            {"lsn", found.lsn.value},
            {"head", found.head},
            {"findings", json::value_from(found.findings)},
            {"cache", json::value_from(derived_findings(call.services, found))},
            {"sign_ins", json::value_from(throttle_findings(call.services.node.directory()))},
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
}

Result<Response> create_key(const Call& call) {
  NETML_TRY(const Ed25519PublicKey key, call.services.node.create_signing_key());
  return json_answer(201, {{"public_key", to_hex(key)}});
}

}  // namespace

void add_node_upkeep(Routes& routes) {
  routes.add(Method::get, "node/status", kNodeVerb, [](const Call& call) -> Result<Response> {
    return json_answer(200, status_json(call.services));
  });
  routes.add(Method::post, "node/checkpoint", kNodeVerb, take_checkpoint);
  routes.add(Method::post, "node/verify", kNodeVerb, verify);
  routes.add(Method::post, "node/key", kNodeVerb, create_key);
}

}  // namespace netml::admin::web
