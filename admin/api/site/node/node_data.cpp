#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/omitted_header.hpp"
#include "admin/api/site/node/file_fed_body.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/imports/import_json.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/base/sha256.hpp"
#include "engine/edit/plan_edit.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Answer;
using net::Method;
using net::Request;
using net::Response;

namespace {

// ---- import ----

Response import_refusal(const ImportFailure& failure) {
  return json_answer(import_failure_status(failure), {{"error", import_failure_json(failure)}});
}

// The body is the file itself.
class ImportSink : public net::BodySink {
 public:
  ImportSink(std::unique_ptr<Upload> upload, UploadEnd end, NamedLimit bytes_max)
      : upload_(std::move(upload)), end_(end), bytes_max_(bytes_max) {}

  NamedLimit bytes_max() const override { return bytes_max_; }
  std::optional<Response> write(std::string_view piece) override {
    const Status written = upload_->write(piece);
    if (written) return std::nullopt;
    return import_refusal({.error = written.error(), .no_room = lacks_room(written)});
  }
  Response finish() override {
    const ImportOutcome outcome = upload_->finish(end_);
    if (!outcome) return import_refusal(outcome.error());
    const bool dry_run = end_ == UploadEnd::dry_run;
    return json_answer(dry_run ? 200 : 201, import_result_json(*outcome, dry_run));
  }

 private:
  const std::unique_ptr<Upload> upload_;
  const UploadEnd end_;
  const NamedLimit bytes_max_;
};

Result<Answer> begin_import(Services& services, const Request& request, const SignedIn& who) {
  const auto parameter = [&](std::string_view name) {
    return net::query_parameter(request.query, name);
  };
  ImportRequest wanted;
  wanted.caller = caller_of(request, who);
  wanted.source = engine::ImportSource::command_line;
  wanted.file_name = parameter("name").value_or("");
  wanted.format = parameter("format").value_or("");
  wanted.owner = parameter("owner").value_or("");
  NETML_TRY(const codecs::FileFormat* const format, import_format(wanted.format, wanted.file_name));
  wanted.parent = parameter("parent");
  wanted.topology_name = parameter("topology_name").value_or("");
  NETML_TRY_VOID(check_topology_name(*format, wanted.topology_name));
  if (parameter("root") == "1") wanted.place = ImportPlace::top_level;
  if (const auto date = parameter("date")) {
    const std::optional<Instant> instant = parse_instant(*date);
    if (!instant) return fail(Errc::invalid_input, "date must be an RFC 3339 date and time");
    wanted.date = WallTime{instant->seconds * 1'000'000};
  }
  UploadEnd end = UploadEnd::import;
  if (parameter("dry_run") == "1") end = UploadEnd::dry_run;
  if (parameter("plan") == "1") end = UploadEnd::plan;
  if (end == UploadEnd::plan && wanted.date)
    return fail(Errc::invalid_input, "a plan takes effect when it is applied: it has no date");
  wanted.file_bytes = request.content_length.value_or(0);
  if (const auto refused = services.intake.admit(wanted, end)) return import_refusal(*refused);
  auto upload = services.intake.begin(std::move(wanted));
  if (!upload) return import_refusal(upload.error());
  return Answer(std::make_unique<ImportSink>(*std::move(upload), end, services.intake.bytes_max()));
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

const char* problem_text(ExportProblem problem) {
  switch (problem) {
    case ExportProblem::missing_root_topology:
      return "there is no main topology to export; import a file or run `netml init`";
    case ExportProblem::missing_root_topology_owner:
      return "the main topology has no owner";
    case ExportProblem::no_topology_owner:
      return "a topology below the main one has no owner";
    case ExportProblem::nothing_published:
      return "nothing is published yet; run `netml publish NAME`";
    case ExportProblem::other:
      break;
  }
  return "the export failed; the log of the node says why";
}

// The state that is asked for: now, or at a point in the past.
Result<Version> wanted_version(const Call& call) {
  const auto when = given(call, "at");
  if (!when) return call.services.node.version();
  if (given(call, "published") == "1")
    return fail(Errc::invalid_input, "at and published exclude each other");
  NETML_TRY(wal::PastState past, call.services.audit.state(*when));
  return Version{std::move(past.state), to_string(past.head)};
}

Result<RecordId> main_of(const engine::Graph& graph) {
  if (const auto root = engine::export_root(graph)) return *root;
  return fail(Errc::not_found, problem_text(ExportProblem::missing_root_topology));
}

// One topology in a format that is written whole. What it cannot hold stands in a header.
Result<Response> export_file(const Call& call, const codecs::FileFormat& format) {
  const auto topology = given(call, "topology");
  const bool published = given(call, "published") == "1";
  if (published || (!topology && !format.holds_topologies))
    return fail(Errc::invalid_input,
                fmt::format("{} shows {}", format.article,
                            published ? "live data, not what was published"
                                      : "one topology of the live data: name it"));
  NETML_TRY(const Version version, wanted_version(call));
  const engine::Graph& graph = version.state->graph;
  NETML_TRY(const RecordId id, topology ? topology_argument(graph, *topology) : main_of(graph));
  if (!graph.relations(id).owner())
    return fail(Errc::conflict,
                fmt::format("the topology has no owner; {} needs one", format.article));
  NETML_TRY(codecs::WrittenFile file, format.write(graph, id));
  Response response;
  response.headers.set("Content-Type", std::string(format.media_type));
  response.headers.set("X-NetML-Head", version.head);
  set_omitted(response.headers, fmt::format("{}", fmt::join(file.omitted, "; ")));
  response.body = std::move(file.bytes);
  return response;
}

Result<Response> export_data(const Call& call) {
  const codecs::FileFormat* const format =
      codecs::find_format(given(call, "format").value_or(std::string(codecs::netml_format().name)));
  if (format != nullptr && format->write != nullptr) return export_file(call, *format);
  if (format != &codecs::netml_format())
    return fail(Errc::invalid_input, fmt::format("the formats of an export are {}",
                                                 fmt::join(codecs::written_formats(), ", ")));
  const auto topology = given(call, "topology");
  NETML_TRY(const Version version, wanted_version(call));
  auto opened = [&]() -> Result<Exporter::Opened> {
    if (given(call, "published") == "1")
      return call.services.exporter.open_published(call.caller());
    if (!topology) return call.services.exporter.open_root(version);
    NETML_TRY(const RecordId id, topology_argument(version.state->graph, *topology));
    return call.services.exporter.open_topology(version, id);
  }();
  if (!opened) return tl::unexpected(opened.error());
  if (!*opened)
    return json_answer((*opened).error() == ExportProblem::nothing_published ? 404 : 500,
                       {{"error",
                         {{"code", "no-export"},
                          {"message", problem_text(opened->error())},
                          {"error_type", problem_name(opened->error())}}}});
  Response response;
  response.headers.set("Content-Type", "application/xml");
  response.headers.set("X-NetML-Head", (*opened)->head);
  set_omitted(response.headers, (*opened)->omitted);
  response.body = std::move((*opened)->body);
  return response;
}

// ---- init ----

Result<Response> init(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string name, text_of(fields, "name"));
  NETML_TRY(const std::string owner, text_of(fields, "owner"));
  for (const std::string& text : {name, owner})
    if (text.empty() || engine::character_count(text) > engine::kNameCharactersMax)
      return fail(Errc::invalid_input,
                  fmt::format("a name has 1 to {} characters", engine::kNameCharactersMax));
  engine::RootTopology root{generated_id(Kind::topology, name), name,
                            generated_id(Kind::institution, owner), owner, Instant{}};
  Change change{.caller = call.caller()};
  change.plan = [&](const engine::State& state, WallTime now) {
    root.version = now.instant();
    return plan_root_topology(state, root);
  };
  NETML_TRY(const Lsn lsn, call.services.node.commit(std::move(change)));
  return json_answer(
      201, {{"lsn", lsn.value}, {"topology", root.topology_id}, {"owner", root.owner_id}});
}

}  // namespace

void add_node_data(Routes& routes) {
  routes.add(Method::post, "node/init", kNodeVerb, init);
  routes.add_upload("node/import", kNodeVerb,
                    [](Site& site, const Request& request, const SignedIn& who) -> Answer {
                      return with_named_body_file(request, [&](const Request& of_file) -> Answer {
                        Result<Answer> answer = begin_import(site.services, of_file, who);
                        return answer ? std::move(*answer) : error_answer(answer.error());
                      });
                    });
  routes.add(Method::get, "node/export", kNodeVerb, export_data);
}

void add_export(Routes& routes) {
  routes.add(Method::get, "export", {Needs::viewer}, export_data);
}

}  // namespace netml::admin::web
