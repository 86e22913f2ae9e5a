#include "admin/services/control_api.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>

#include "admin/services/importer.hpp"
#include "admin/services/settings.hpp"
#include "admin/services/status.hpp"
#include "admin/src/json.hpp"
#include "admin/src/sha256.hpp"
#include "engine/plan_edit.hpp"

namespace netml::admin {

namespace {

namespace json = boost::json;
using net::Answer;
using net::Method;
using net::Request;
using net::Response;

constexpr std::uint64_t kBodyBytesMax = 1 << 20;

// ---- requests ----

Result<json::object> parse_object(std::string_view body) {
  boost::system::error_code error;
  json::value value = json::parse(body, error);
  if (error || !value.is_object())
    return fail(Errc::invalid_input, "the body must be a JSON object");
  return std::move(value.get_object());
}

Result<std::string> text_field(const json::object& object, std::string_view name) {
  const json::value* value = object.if_contains(name);
  if (value == nullptr) return fail(Errc::invalid_input, fmt::format("\"{}\" is missing", name));
  if (!value->is_string())
    return fail(Errc::invalid_input, fmt::format("\"{}\" must be a text", name));
  return std::string(value->get_string());
}

Caller caller_of(const Request& request) {
  return {engine::ActorKind::command_line,
          net::query_parameter(request.query, "actor").value_or("command line"), "control socket",
          request.id};
}

// A handler for a small JSON body.
net::Handler with_body(
    std::function<Result<Response>(const Request&, const json::object&)> handle) {
  return [handle = std::move(handle)](const Request& request) -> Answer {
    return net::collect_body(kBodyBytesMax, [handle, request](const std::string& body) {
      const Result<json::object> object = parse_object(body.empty() ? "{}" : body);
      if (!object) return error_answer(object.error());
      Result<Response> response = handle(request, *object);
      return response ? std::move(*response) : error_answer(response.error());
    });
  };
}

net::Handler without_body(std::function<Result<Response>(const Request&)> handle) {
  return [handle = std::move(handle)](const Request& request) -> Answer {
    Result<Response> response = handle(request);
    return response ? std::move(*response) : error_answer(response.error());
  };
}

Response no_content() {
  Response response;
  response.status = 204;
  return response;
}

Result<std::uint64_t> number_parameter(const Request& request) {
  const std::string& text = request.parameters.at(0);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(Errc::not_found, "there is no such item");
  return number;
}

// ---- import ----

// The body is the file itself.
class ImportSink : public net::BodySink {
 public:
  ImportSink(std::unique_ptr<ImportJob> job, bool dry_run, std::uint64_t bytes_max)
      : job_(std::move(job)), dry_run_(dry_run), bytes_max_(bytes_max) {}

  std::uint64_t bytes_max() const override { return bytes_max_; }
  std::optional<Response> write(std::string_view piece) override {
    job_->write(piece);
    return std::nullopt;
  }
  Response finish() override {
    const ImportOutcome outcome = dry_run_ ? job_->dry_run() : job_->commit();
    if (outcome) return json_answer(dry_run_ ? 200 : 201, import_result_json(*outcome, dry_run_));
    return json_answer(net::http_status(outcome.error().error.code),
                       import_failure_json(outcome.error()));
  }

 private:
  std::unique_ptr<ImportJob> job_;
  const bool dry_run_;
  const std::uint64_t bytes_max_;
};

Result<Answer> begin_import(Services& services, const Request& request) {
  const auto parameter = [&](std::string_view name) {
    return net::query_parameter(request.query, name);
  };
  ImportRequest wanted;
  wanted.caller = caller_of(request);
  wanted.source = engine::ImportSource::command_line;
  wanted.file_name = parameter("name").value_or("");
  if (!is_importable_name(wanted.file_name))
    return fail(Errc::invalid_input,
                fmt::format("\"{}\" is not a file that can be imported: the name must end in .xml, "
                            ".netml or .grenml",
                            wanted.file_name.substr(0, 64)));
  wanted.parent = parameter("parent");
  wanted.topology_name = parameter("topology_name").value_or("");
  if (parameter("root") == "1") wanted.place = ImportPlace::top_level;
  if (const auto date = parameter("date")) {
    const std::optional<Instant> instant = parse_instant(*date);
    if (!instant) return fail(Errc::invalid_input, "date must be an RFC 3339 date and time");
    wanted.date = WallTime{instant->seconds * 1'000'000};
  }
  NETML_TRY(auto job, ImportJob::begin(services.node, std::move(wanted)));
  return Answer(std::make_unique<ImportSink>(std::move(job), parameter("dry_run") == "1",
                                             services.limits.upload_bytes_max));
}

// ---- export ----

// A number with '#' before it, or an identifier.
Result<RecordId> topology_argument(const engine::Graph& graph, std::string_view text) {
  if (!text.starts_with('#')) {
    if (const RecordId id = graph.find_newest(Kind::topology, text)) return id;
    return fail(Errc::not_found, fmt::format("no topology has the id \"{}\"", text.substr(0, 64)));
  }
  return engine::find_topology(graph, text.substr(1));
}

const char* problem_name(net::ExportProblem problem) {
  switch (problem) {
    case net::ExportProblem::missing_root_topology:
      return "MissingRootTopologyException";
    case net::ExportProblem::missing_root_topology_owner:
      return "MissingRootTopologyOwnerException";
    case net::ExportProblem::no_topology_owner:
      return "NoTopologyOwnerError";
    case net::ExportProblem::nothing_published:
    case net::ExportProblem::busy:
    case net::ExportProblem::other:
      break;
  }
  return "Exception";
}

const char* problem_text(net::ExportProblem problem) {
  switch (problem) {
    case net::ExportProblem::missing_root_topology:
      return "there is no main topology to export; import a file or run `netml init`";
    case net::ExportProblem::missing_root_topology_owner:
      return "the main topology has no owner";
    case net::ExportProblem::no_topology_owner:
      return "a topology below the main one has no owner";
    case net::ExportProblem::nothing_published:
      return "nothing is published yet; run `netml publish NAME`";
    case net::ExportProblem::busy:
    case net::ExportProblem::other:
      break;
  }
  return "the export failed; the log of the node says why";
}

Result<Response> export_data(Services& services, const Request& request) {
  const auto topology = net::query_parameter(request.query, "topology");
  const Version version = services.node.version();
  auto opened = [&]() -> Result<tl::expected<net::Export, net::ExportProblem>> {
    if (net::query_parameter(request.query, "published") == "1")
      return services.exporter.open_published(caller_of(request));
    if (!topology) return services.exporter.open_live();
    NETML_TRY(const RecordId id, topology_argument(version.state->graph, *topology));
    return services.exporter.open_topology(version, id);
  }();
  if (!opened) return tl::unexpected(opened.error());
  if (!*opened)
    return json_answer(
        (*opened).error() == net::ExportProblem::nothing_published ? 404 : 500,
        {{"detail", problem_text(opened->error())}, {"error_type", problem_name(opened->error())}});
  Response response;
  response.headers.set("Content-Type", "application/xml");
  response.headers.set("X-NetML-Head", (*opened)->head);
  response.body = std::move((*opened)->body);
  return response;
}

// ---- the smaller sections ----

Result<Response> init(Services& services, const Request& request, const json::object& body) {
  NETML_TRY(const std::string name, text_field(body, "name"));
  NETML_TRY(const std::string owner, text_field(body, "owner"));
  for (const std::string& text : {name, owner})
    if (text.empty() || engine::character_count(text) > engine::kNameCharactersMax)
      return fail(Errc::invalid_input,
                  fmt::format("a name has 1 to {} characters", engine::kNameCharactersMax));
  engine::RootTopology root{generated_id(Kind::topology, name), name,
                            generated_id(Kind::institution, owner), owner, Instant{}};
  Change change{.caller = caller_of(request)};
  change.plan = [&](const engine::State& state, WallTime now) {
    root.version = now.instant();
    return plan_root_topology(state, root);
  };
  NETML_TRY(const Lsn lsn, services.node.commit(std::move(change)));
  return json_answer(
      201, {{"lsn", lsn.value}, {"topology", root.topology_id}, {"owner", root.owner_id}});
}

void add_published(net::Router& router, Services& services) {
  const auto item = [&services](std::uint64_t number) -> Result<json::object> {
    const engine::StatePtr state = services.node.version().state;
    const auto entry = state->catalog.published.find(number);
    if (entry == nullptr)
      return fail(Errc::not_found, fmt::format("there is no published item {}", number));
    return published_item_json(number, *entry, number == latest_published(state->catalog));
  };
  router.add(Method::post, "/control/publish/",
             with_body([&services, item](const Request& request,
                                         const json::object& body) -> Result<Response> {
               NETML_TRY(std::string name, text_field(body, "name"));
               std::string description;
               if (body.contains("description")) {
                 NETML_TRY(description, text_field(body, "description"));
               }
               NETML_TRY(const std::uint64_t number,
                         services.publisher.publish(caller_of(request), std::move(name),
                                                    std::move(description)));
               NETML_TRY(const json::object published, item(number));
               return json_answer(201, published);
             }));
  router.add(Method::get, "/control/published/",
             without_body([&services](const Request&) -> Result<Response> {
               const engine::StatePtr state = services.node.version().state;
               const std::uint64_t latest = latest_published(state->catalog);
               json::array items;
               state->catalog.published.for_each(
                   [&](std::uint64_t number, const engine::PublishedItem& entry) {
                     items.push_back(published_item_json(number, entry, number == latest));
                   });
               return json_answer(200, items);
             }));
  router.add(Method::get, "/control/published/{n}/",
             without_body([item](const Request& request) -> Result<Response> {
               NETML_TRY(const std::uint64_t number, number_parameter(request));
               NETML_TRY(const json::object published, item(number));
               return json_answer(200, published);
             }));
  router.add(Method::del, "/control/published/{n}/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY(const std::uint64_t number, number_parameter(request));
               NETML_TRY_VOID(services.publisher.remove(caller_of(request), number));
               return no_content();
             }));
}

void add_tokens(net::Router& router, Services& services) {
  router.add(
      Method::post, "/control/tokens/",
      with_body([&services](const Request& request, const json::object& body) -> Result<Response> {
        NETML_TRY(const std::string name, text_field(body, "client_name"));
        NETML_TRY(const std::string kind_text, text_field(body, "kind"));
        NETML_TRY(const engine::TokenKind kind, parse_token_kind(kind_text));
        NETML_TRY(const std::string value, services.tokens.create(caller_of(request), name, kind));
        const engine::StatePtr state = services.node.version().state;
        const std::uint64_t number = state->catalog.tokens.find_if(
            [&](const engine::Token& token) { return token.client_name == name; });
        json::object answer{{"id", number},
                            {"client_name", name},
                            {"kind", token_kind_name(kind)},
                            {"value", value}};
        return json_answer(201, answer);
      }));
  router.add(Method::get, "/control/tokens/",
             without_body([&services](const Request&) -> Result<Response> {
               json::array tokens;
               services.node.version().state->catalog.tokens.for_each(
                   [&](std::uint64_t number, const engine::Token& token) {
                     tokens.push_back(token_json(number, token));
                   });
               return json_answer(200, tokens);
             }));
  router.add(Method::del, "/control/tokens/{name}/",
             without_body([&services](const Request& request) -> Result<Response> {
               NETML_TRY_VOID(services.tokens.remove(caller_of(request), request.parameters.at(0)));
               return no_content();
             }));
}

void add_settings(net::Router& router, Services& services) {
  const auto answer = [&services](const SettingDefinition& definition) {
    return json_answer(200, setting_json(definition, services.node.version().state->catalog));
  };
  router.add(Method::get, "/control/settings/",
             without_body([&services](const Request&) -> Result<Response> {
               const engine::StatePtr state = services.node.version().state;
               json::array settings;
               for (const SettingDefinition& definition : setting_definitions())
                 settings.push_back(setting_json(definition, state->catalog));
               return json_answer(200, settings);
             }));
  router.add(Method::get, "/control/settings/{name}/",
             without_body([answer](const Request& request) -> Result<Response> {
               NETML_TRY(const auto* definition, find_setting(request.parameters.at(0)));
               return answer(*definition);
             }));
  router.add(Method::put, "/control/settings/{name}/",
             with_body([&services, answer](const Request& request,
                                           const json::object& body) -> Result<Response> {
               NETML_TRY(const auto* definition, find_setting(request.parameters.at(0)));
               NETML_TRY(const std::string value, text_field(body, "value"));
               NETML_TRY_VOID(definition->validate(value));
               Change change{.caller = caller_of(request), .cause = engine::Cause::setting};
               change.plan = [&](const engine::State& state,
                                 WallTime) -> Result<engine::Transaction> {
                 return plan_setting_set(state, std::string(definition->name), value);
               };
               NETML_TRY_VOID(services.node.commit(std::move(change)));
               return answer(*definition);
             }));
  router.add(Method::del, "/control/settings/{name}/",
             without_body([&services, answer](const Request& request) -> Result<Response> {
               NETML_TRY(const auto* definition, find_setting(request.parameters.at(0)));
               Change change{.caller = caller_of(request), .cause = engine::Cause::setting};
               change.plan = [&](const engine::State& state,
                                 WallTime) -> Result<engine::Transaction> {
                 return plan_setting_reset(state, definition->name);
               };
               NETML_TRY_VOID(services.node.commit(std::move(change)));
               return answer(*definition);
             }));
}

void add_maintenance(net::Router& router, Services& services) {
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
             without_body([&services](const Request&) -> Result<Response> {
               NETML_TRY(const Verification found, services.node.verify());
               return json_answer(200, {{"ok", found.findings.empty()},
                                        {"lsn", found.lsn.value},
                                        {"head", found.head},
                                        {"findings", json::value_from(found.findings)},
                                        {"segments", found.segments},
                                        {"transactions", found.transactions},
                                        {"bytes", found.bytes},
                                        {"checkpoints", found.checkpoints}});
             }));
}

}  // namespace

void register_control_api(net::Router& router, Services& services) {
  router.add(Method::post, "/control/init/",
             with_body([&services](const Request& request, const json::object& body) {
               return init(services, request, body);
             }));
  router.add(Method::post, "/control/import/", [&services](const Request& request) -> Answer {
    Result<Answer> answer = begin_import(services, request);
    return answer ? std::move(*answer) : error_answer(answer.error());
  });
  router.add(Method::get, "/control/export/", without_body([&services](const Request& request) {
               return export_data(services, request);
             }));
  add_published(router, services);
  add_tokens(router, services);
  add_settings(router, services);
  add_maintenance(router, services);
}

}  // namespace netml::admin
