#include "net/endpoints/public_api.hpp"

#include <fmt/format.h>

#include <charconv>

#include "engine/base/json_string.hpp"
#include "net/endpoints/upload_sink.hpp"
#include "net/http/media_range.hpp"
#include "net/http/omitted_header.hpp"

namespace netml::net {
namespace {

// Whether the token may be left out in development mode.
enum class TokenRule { unless_development, always };

bool asked_by_alias(const Request& request, std::string_view alias) {
  return request.path.find(alias) != std::string::npos;
}

// Whose token it is, or the answer to everybody else.
tl::expected<Identity, Response> check_token(const PublicApiPorts& ports, const Request& request,
                                             TokenKind kind) {
  std::optional<Identity> identity = ports.tokens.check(bearer_token(request.headers), kind);
  if (identity) return *std::move(identity);
  Response denied = access_denied();
  if (request.headers.has("Authorization"))
    denied.close = ports.tokens.refused(request.client_address);
  return tl::unexpected(std::move(denied));
}

// --- Status ------------------------------------------------------------------------------------

std::string_view word(Readiness readiness) {
  switch (readiness) {
    case Readiness::ready:
      return "ok";
    case Readiness::read_only:
      return "read-only";
  }
  return "read-only";
}

bool wants_json_status(const Request& request) {
  const Preference json = preference(request.headers.get("Accept"), "application/json");
  return json.range == Preference::exact && json.quality > 0;
}

Response status(const PublicApiPorts& ports, const Request& request) {
  if (!wants_json_status(request)) return {};
  const std::string exported = ports.readiness.export_state();
  return json_response(200,
                       fmt::format(R"({{"status":"{}"{}{}}})", word(ports.readiness.readiness()),
                                   exported.empty() ? "" : R"(,"export":)", exported));
}

Response come_back(Response response) {
  response.headers.add("Retry-After", "1");
  return response;
}

// --- Export ------------------------------------------------------------------------------------

Response export_error(std::string_view type) {
  return json_response(500, fmt::format(R"({{"error_type":"{}"}})", type));
}

Response export_refusal(ExportProblem problem) {
  switch (problem) {
    case ExportProblem::missing_root_topology:
      return export_error("MissingRootTopologyException");
    case ExportProblem::missing_root_topology_owner:
      return export_error("MissingRootTopologyOwnerException");
    case ExportProblem::no_topology_owner:
      return export_error("NoTopologyOwnerError");
    case ExportProblem::nothing_published:
      return refusal(404, "nothing has been published");
    case ExportProblem::busy:
      return refusal(Error{Errc::unavailable, "busy; try again later"});
    case ExportProblem::other:
      return export_error("Exception");
  }
  return export_error("Exception");
}

Response export_answer(Export exported, const Request& request) {
  const std::string etag = fmt::format("\"{}\"", exported.etag);
  Response response;
  response.headers.add("ETag", etag);
  response.headers.add("Last-Modified", http_date(exported.last_modified.seconds));
  response.headers.add("Cache-Control", "private, no-cache");
  if (!exported.head.empty()) response.headers.add("X-NetML-Head", exported.head);
  if (etag_matches(request.headers.get("If-None-Match"), etag)) {
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
  response.body = std::move(exported.body);
  return response;
}

Handler export_handler(const PublicApiPorts& ports, ExportKind kind, TokenRule rule, Mode mode) {
  const bool check = rule == TokenRule::always || mode == Mode::production;
  return [ports, kind, check](const Request& request) -> Answer {
    std::string client;
    if (check) {
      auto identity = check_token(ports, request, TokenKind::polling);
      if (!identity) return std::move(identity.error());
      client = std::move(identity->client_name);
    }
    tl::expected<Export, ExportProblem> exported = ports.exports.open(kind, request);
    Response response =
        exported ? export_answer(*std::move(exported), request) : export_refusal(exported.error());
    response.client = std::move(client);
    return response;
  };
}

void register_exports(Router& router, const PublicApiPorts& ports, Mode mode) {
  const auto add = [&](std::string_view path, ExportKind kind, TokenRule rule, bool get,
                       bool post) {
    const Handler handler = export_handler(ports, kind, rule, mode);
    if (get) router.add(Method::get, path, handler);
    if (post) router.add(Method::post, path, handler);
  };
  const TokenRule usual = TokenRule::unless_development;
  const TokenRule always = TokenRule::always;
  const std::string current = "/published_network_data/current";
  add("/netml_export/", ExportKind::configured, usual, true, false);
  add("/netml_export/map_data/", ExportKind::configured, usual, true, false);
  add(current + "/netml_export/", ExportKind::published, usual, true, false);
  add(current + "/collect/", ExportKind::published, usual, true, true);
  add("/test/netml_export/", ExportKind::live, always, true, true);
  add("/netml_export/test", ExportKind::live, always, true, true);
  add(current + "/test/collect/", ExportKind::published, always, false, true);
  add(current + "/test/netml_export/", ExportKind::published, always, false, true);
}

// --- Import ------------------------------------------------------------------------------------

Answer begin_upload(const PublicApiPorts& ports, const Limits& limits, const Request& request) {
  auto identity = check_token(ports, request, TokenKind::import);
  if (!identity) return std::move(identity.error());
  const RefusalShape shape = ports.imports.refusal_shape();
  if (request.headers.has("Content-Encoding"))
    return upload_refusal(shape, 415, "encoded bodies are not accepted");
  const Result<std::string> boundary = multipart_boundary(request.headers.get("Content-Type"));
  if (!boundary) return upload_refusal(shape, 400, boundary.error().message);
  if (request.content_length.value_or(0) > limits.upload_bytes_max)
    return upload_refusal(shape, 413, beyond_limit("bytes of the body", upload_limit(limits)));
  if (std::optional<ImportRefused> refused = ports.imports.admit(request.content_length))
    return upload_refusal(shape, *refused, {});
  return std::make_unique<UploadSink>(ports.imports, limits, *boundary, request,
                                      *std::move(identity));
}

std::string_view import_status(ImportState state) {
  switch (state) {
    case ImportState::in_progress:
      return "0: Import in progress";
    case ImportState::complete:
      return "1: Import complete";
    case ImportState::complete_with_warnings:
      return "2: Import completed, with warnings";
    case ImportState::aborted:
      return "3: Import aborted";
  }
  return "3: Import aborted";
}

// "2024-03-01T12:00:00Z"; a fraction of six digits only when it is not zero.
std::string rest_time(WallTime time) {
  std::string text = format_instant(time.instant());
  text.resize(text.find('+'));
  const std::int64_t fraction = time.microseconds - time.instant().seconds * 1'000'000;
  if (fraction != 0) text += fmt::format(".{:06}", fraction);
  return text + 'Z';
}

Answer import_record(const PublicApiPorts& ports, const Request& request) {
  auto identity = check_token(ports, request, TokenKind::import);
  if (!identity) return std::move(identity.error());
  const std::string& text = request.parameters.front();
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  std::optional<ImportRecord> record;
  if (error == std::errc() && end == text.data() + text.size())
    record = ports.imports.record(id, *identity);
  Response response = refusal(404, "no such import record");
  if (record) {
    response = json_response(
        200, fmt::format(R"({{"id":{},"imported_at":"{}","import_status":"{}",)"
                         R"("import_message":{},"name":{}}})",
                         record->id, rest_time(record->imported_at), import_status(record->state),
                         json_string(record->message), json_string(record->name)));
  }
  response.client = identity->client_name;
  return response;
}

}  // namespace

void register_public_api(Router& router, const PublicApiPorts& ports, const Limits& limits,
                         Mode mode) {
  router.add(
      Method::get, "/status/",
      [ports](const Request& request) -> Answer { return status(ports, request); }, Lane::urgent);
  register_exports(router, ports, mode);
  router.add(Method::post, "/netml_import/upload/", [ports, limits](const Request& request) {
    return begin_upload(ports, limits, request);
  });
  router.add(Method::get, "/netml_import/records/{id}/",
             [ports](const Request& request) { return import_record(ports, request); });
}

// A caller's token cannot be judged yet, so nobody's is.
void register_starting_api(Router& router) {
  const Handler status = [](const Request& request) -> Answer {
    Response response;
    if (wants_json_status(request)) response = json_response(503, R"({"status":"starting"})");
    response.status = 503;
    return come_back(std::move(response));
  };
  const Handler all_else = [](const Request&) -> Answer {
    return come_back(refusal(503, "starting; try again later"));
  };
  router.add(Method::get, "/status/", status, Lane::urgent);
  router.add_any("/{rest...}", all_else, Lane::urgent);
}

std::string_view bearer_token(const Headers& headers) {
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view value = headers.get("Authorization");
  if (value.size() <= kScheme.size() ||
      !equals_ignoring_case(value.substr(0, kScheme.size()), kScheme))
    return {};
  const std::string_view token = value.substr(kScheme.size());
  return token.find_first_of(" \t") == token.npos ? token : std::string_view();
}

Response access_denied() {
  return refusal(403, "Failed access control check");
}

}  // namespace netml::net
