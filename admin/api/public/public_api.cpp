#include "admin/api/public/public_api.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/access/request_credentials.hpp"
#include "admin/answers/omitted_header.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/answers/shared_body.hpp"
#include "admin/api/public/upload_sink.hpp"
#include "admin/api/status.hpp"
#include "admin/cluster/cluster_json.hpp"
#include "codecs/netml/delta/delta_text.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/texts.hpp"
#include "net/http/media_range.hpp"
#include "net/http/multipart.hpp"

namespace netml::admin {

using net::Answer;
using net::Handler;
using net::Method;
using net::Request;
using net::Response;
using net::Router;

namespace {

// Whether the token may be left out in development mode.
enum class TokenRule { unless_development, always };

bool asked_by_alias(const Request& request, std::string_view alias) {
  return request.path.find(alias) != std::string::npos;
}

// Whose token it is, or the answer to everybody else.
tl::expected<TokenHolder, Response> check_token(Services& services, const Request& request,
                                                engine::TokenKind kind) {
  auto holder = services.tokens.check(bearer_token(request.headers), kind);
  if (holder) return *std::move(holder);
  Response denied = access_denied();
  if (request.headers.has("Authorization"))
    denied.close = services.tokens.refused(request.client_address);
  return tl::unexpected(std::move(denied));
}

// --- Status ------------------------------------------------------------------------------------

bool wants_json_status(const Request& request) {
  return net::names_type(request.headers.get("Accept"), "application/json");
}

// Which topologies are in the way of an export, how large the map is, and how often it changes, is
// shown where everybody sees all of it.
bool is_public_whole(Services& services) {
  const auto view = services.views.public_view();
  return view && *view == kWholeMap;
}

boost::json::object open_state(Services& services, bool whole) {
  boost::json::value exported;
  if (const auto known = services.export_watch.known())
    exported = whole ? export_state_json(*known) : boost::json::object{{"ok", known->ok()}};
  boost::json::object proof = start_proof_json(services.node);
  if (!whole) proof = {{"state", proof.at("state")}};
  return {{"status", services.node.writable() ? "ok" : "read-only"},
          {"export", std::move(exported)},
          {"start_proof", std::move(proof)}};
}

// With whether peers can collect the map, and if not, why (null before anybody looked); and how far
// the start is proved.
Response status(Services& services, const Request& request) {
  if (!wants_json_status(request)) return {};
  const bool whole = is_public_whole(services);
  boost::json::object known = open_state(services, whole);
  if (services.cluster != nullptr)
    known["cluster"] = cluster_json(
        *services.cluster, whole ? ClusterDetail::for_everybody : ClusterDetail::without_changes);
  return net::json_response(200, boost::json::serialize(known));
}

Response come_back(Response response) {
  response.headers.add("Retry-After", "1");
  return response;
}

// --- Export ------------------------------------------------------------------------------------

std::string quoted_etag(const Export& exported) {
  return fmt::format("\"{}\"", exported.etag);
}

Response export_head(const Export& exported) {
  Response response;
  response.headers.add("ETag", quoted_etag(exported));
  if (exported.last_modified)
    response.headers.add("Last-Modified", net::http_date(exported.last_modified->seconds));
  response.headers.add("Cache-Control", "private, no-cache");
  if (!exported.head.empty()) response.headers.add("X-NetML-Head", exported.head);
  return response;
}

bool is_known_to(const Request& request, const Export& exported) {
  return net::etag_matches(request.headers.get("If-None-Match"), quoted_etag(exported));
}

Receipt delivery_to(const TokenHolder& holder) {
  return {.client = holder.client_name, .token = holder.token};
}

Response export_answer(Services& services, Export exported, const Request& request,
                       const TokenHolder& holder) {
  Response response = export_head(exported);
  if (is_known_to(request, exported)) {
    const bool reading = request.method == Method::get || request.method == Method::head;
    response.status = reading ? 304 : 412;  // RFC 9110, 13.1.2
    return response;
  }
  const std::string_view name = exported.published                         ? "published_data.xml"
                                : asked_by_alias(request, "grenml_export") ? "grenml.xml"
                                                                           : "netml.xml";
  response.headers.add("Content-Type", "application/xml");
  response.headers.add("Content-Disposition", fmt::format(R"(attachment; filename="{}")", name));
  set_omitted(response.headers, exported.omitted);
  response.body = services.receipts.observed(std::move(exported.body), delivery_to(holder),
                                             exported.basis, exported.etag);
  return response;
}

// They are offered to who says that it takes them; all others get what they always got.
bool takes_deltas(const Request& request) {
  return request.headers.get(codecs::kDeltaHeader) == codecs::kDeltaVersion;
}

// Who is given the state may come back for what changed since. Through a view the place has not
// been said yet: only who takes deltas has a use for it.
void offer_deltas(Services& services, const ExportedState& state, net::Headers& headers) {
  services.deltas.offer(state);
  headers.set("X-NetML-Head", state.place);
}

// Nobody in particular where no token is needed.
tl::expected<TokenHolder, Response> poller_of(Services& services, const Request& request,
                                              bool check) {
  if (!check) return TokenHolder();
  return check_token(services, request, engine::TokenKind::polling);
}

Handler export_handler(Services& services, ExportKind kind, bool check) {
  return [&services, kind, check](const Request& request) -> Answer {
    auto holder = poller_of(services, request, check);
    if (!holder) return std::move(holder.error());
    Exporter::Opened exported = services.exporter.open(kind, request, holder->view);
    std::optional<ExportedState> offered;
    if (exported && kind == ExportKind::configured && takes_deltas(request))
      offered = exported->live;
    Response response = exported ? export_answer(services, *std::move(exported), request, *holder)
                                 : export_refusal(exported.error());
    if (offered) {
      offer_deltas(services, *offered, response.headers);
      response.headers.add(codecs::kDeltaHeader, codecs::kDeltaVersion);
    }
    response.client = std::move(holder->client_name);
    return response;
  };
}

// --- Delta -------------------------------------------------------------------------------------

// What changed since the head that the client names; 410: it takes the whole.
Response delta_answer(Services& services, const Request& request, const TokenHolder& holder) {
  Exporter::Opened exported = services.exporter.open(ExportKind::configured, request, holder.view);
  if (!exported) return export_refusal(exported.error());
  if (!exported->live)
    return net::refusal(410, "take the whole map: of this one there are no deltas");
  const auto from = net::query_parameter(request.query, "from");
  if (!from) return net::refusal(400, "from: must be a head, as LSN:hash");
  Response response = export_head(*exported);
  offer_deltas(services, *exported->live, response.headers);
  if (is_known_to(request, *exported)) {
    response.status = 304;
    return response;
  }
  const auto delta = services.deltas.since(*from, *exported->live);
  if (!delta) {
    const Errc code = delta.error().code;
    const bool takes_whole = code == Errc::not_found || code == Errc::too_large;
    return takes_whole ? net::refusal(410, "take the whole map: " + delta.error().message)
                       : net::refusal(delta.error());
  }
  response.headers.add("Content-Type", codecs::kDeltaType);
  Receipt delivery = delivery_to(holder);
  delivery.from = (*delta)->from_head;
  response.body =
      services.receipts.observed(shared_body(*delta, (*delta)->text.view()), std::move(delivery),
                                 exported->basis, *from + " " + exported->live->place);
  return response;
}

Handler delta_handler(Services& services, bool check) {
  return [&services, check](const Request& request) -> Answer {
    auto holder = poller_of(services, request, check);
    if (!holder) return std::move(holder.error());
    Response response = delta_answer(services, request, *holder);
    response.client = std::move(holder->client_name);
    return response;
  };
}

void register_exports(Router& router, Services& services, ExportToken token) {
  const auto add = [&](std::string_view path, ExportKind kind, TokenRule rule, bool get,
                       bool post) {
    const bool check = rule == TokenRule::always || token == ExportToken::needed;
    const Handler handler = export_handler(services, kind, check);
    if (get) router.add(Method::get, path, handler);
    if (post) router.add(Method::post, path, handler);
  };
  const TokenRule usual = TokenRule::unless_development;
  const TokenRule always = TokenRule::always;
  const std::string current = "/published_network_data/current";
  add("/netml_export/", ExportKind::configured, usual, true, false);
  add("/netml_export/map_data/", ExportKind::configured, usual, true, false);
  router.add(Method::get, "/netml_export/delta/",
             delta_handler(services, token == ExportToken::needed));
  add(current + "/netml_export/", ExportKind::published, usual, true, false);
  add(current + "/collect/", ExportKind::published, usual, true, true);
  add("/test/netml_export/", ExportKind::live, always, true, true);
  add("/netml_export/test", ExportKind::live, always, true, true);
  add(current + "/test/collect/", ExportKind::published, always, false, true);
  add(current + "/test/netml_export/", ExportKind::published, always, false, true);
}

// --- Import ------------------------------------------------------------------------------------

// The caller is judged first, then what the head says of the body; nothing is read before.
Answer begin_upload(Services& services, const Request& request) {
  auto holder = check_token(services, request, engine::TokenKind::import);
  if (!holder) return std::move(holder.error());
  const UploadEnd end = services.intake.end_for_clients();
  const RefusalShape shape = refusal_shape(end);
  if (request.headers.has("Content-Encoding"))
    return upload_refusal(shape, 415, "encoded bodies are not accepted");
  const Result<std::string> boundary = net::multipart_boundary(request.headers.get("Content-Type"));
  if (!boundary) return upload_refusal(shape, 400, boundary.error().message);
  ImportRequest wanted;
  wanted.caller = {engine::ActorKind::token, holder->client_name, request.client_address,
                   request.id};
  wanted.source = engine::ImportSource::api;
  wanted.token = holder->token;
  wanted.token_client_name = holder->client_name;
  wanted.file_bytes = request.content_length.value_or(0);
  if (const auto refused = services.intake.admit(wanted, end))
    return upload_refusal(shape, *refused);
  return upload_sink(services, *boundary, request, std::move(wanted), end);
}

// The record, if this token made it.
Answer import_record(Services& services, const Request& request) {
  auto holder = check_token(services, request, engine::TokenKind::import);
  if (!holder) return std::move(holder.error());
  const std::uint64_t number = parse_integer<std::uint64_t>(request.parameters.front()).value_or(0);
  const auto record = services.node.version().state->catalog.imports.find(number);
  Response response = net::refusal(404, "no such import record");
  if (record && record->token == holder->token) {
    response = net::json_response(
        200,
        fmt::format(R"({{"id":{},"imported_at":"{}","import_status":"{}",)"
                    R"("import_message":{},"name":{}}})",
                    number, web::time_text(record->imported_at), import_status_text(record->status),
                    json_string(record->message), json_string(record->name)));
  }
  response.client = holder->client_name;
  return response;
}

}  // namespace

void register_public_api(Router& router, Services& services, ExportToken token) {
  router.add(
      Method::get, "/status/",
      [&services](const Request& request) -> Answer { return status(services, request); },
      net::Lane::urgent);
  register_exports(router, services, token);
  router.add(Method::post, "/netml_import/upload/",
             [&services](const Request& request) { return begin_upload(services, request); });
  router.add(Method::get, "/netml_import/records/{id}/",
             [&services](const Request& request) { return import_record(services, request); });
}

Response export_refusal(ExportProblem problem) {
  if (problem == ExportProblem::nothing_published)
    return net::refusal(404, "nothing has been published");
  return net::json_response(500, fmt::format(R"({{"error_type":"{}"}})", problem_name(problem)));
}

// A caller's token cannot be judged yet, so nobody's is.
void register_starting_api(Router& router) {
  const Handler status = [](const Request& request) -> Answer {
    Response response;
    if (wants_json_status(request)) response = net::json_response(503, R"({"status":"starting"})");
    response.status = 503;
    return come_back(std::move(response));
  };
  const Handler all_else = [](const Request&) -> Answer {
    return come_back(net::refusal(503, "starting; try again later"));
  };
  router.add(Method::get, "/status/", status, net::Lane::urgent);
  router.add_any("/{rest...}", all_else, net::Lane::urgent);
}

}  // namespace netml::admin
