#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/omitted_header.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/history/history_export.hpp"
#include "admin/imports/import_json.hpp"
#include "codecs/formats/draft/field_count.hpp"
#include "codecs/formats/file_format.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

Result<RecordId> topology_argument(const engine::Graph& graph, std::string_view text) {
  if (!text.starts_with('#')) {
    if (const RecordId id = graph.find_newest(Kind::topology, text)) return id;
    return fail(Errc::not_found, fmt::format("no topology has the id \"{}\"", text.substr(0, 64)));
  }
  return engine::find_topology(graph, text.substr(1));
}

namespace {

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

struct ExportedFile {
  codecs::WrittenFile file;
  std::string head;
};

// With all columns, or those that are asked for.
Result<codecs::WrittenFile> write_topology(const Call& call, const codecs::FileFormat& format,
                                           const engine::Graph& graph, RecordId id) {
  const auto columns = given(call, "columns");
  if (!columns) return format.write(graph, id);
  if (format.write_columns == nullptr)
    return fail(Errc::invalid_input, "columns",
                fmt::format("{} has no columns; csv has", format.article));
  std::vector<std::string> headings;
  for (std::string_view rest = *columns; !rest.empty();)
    headings.emplace_back(trimmed(take_until(rest, ',')));
  return format.write_columns(graph, id, headings);
}

struct WantedTopology {
  Version version;
  RecordId id;
};

Result<WantedTopology> wanted_topology(const Call& call, const codecs::FileFormat& format) {
  const auto topology = given(call, "topology");
  const bool published = given(call, "published") == "1";
  if (published || (!topology && !format.holds_topologies))
    return fail(Errc::invalid_input,
                fmt::format("{} shows {}", format.article,
                            published ? "live data, not what was published"
                                      : "one topology of the live data: name it"));
  NETML_TRY(Version version, wanted_version(call));
  const engine::Graph& graph = version.state->graph;
  NETML_TRY(const RecordId id, topology ? topology_argument(graph, *topology) : main_of(graph));
  if (!graph.relations(id).owner())
    return fail(Errc::conflict,
                fmt::format("the topology has no owner; {} needs one", format.article));
  return WantedTopology{std::move(version), id};
}

// One topology in a format that is written whole.
Result<ExportedFile> write_file(const Call& call, const codecs::FileFormat& format) {
  NETML_TRY(WantedTopology wanted, wanted_topology(call, format));
  NETML_TRY(codecs::WrittenFile file,
            write_topology(call, format, wanted.version.state->graph, wanted.id));
  return ExportedFile{std::move(file), std::move(wanted.version.head)};
}

// What it cannot hold stands in a header.
Result<Response> export_file(const Call& call, const codecs::FileFormat& format) {
  NETML_TRY(ExportedFile written, write_file(call, format));
  Response response;
  response.headers.set("Content-Type", std::string(format.media_type));
  response.headers.set("X-NetML-Head", written.head);
  set_omitted(response.headers, fmt::format("{}", fmt::join(written.file.omitted, "; ")));
  response.body = std::move(written.file.bytes);
  return response;
}

Result<const codecs::FileFormat*> wanted_format(const Call& call) {
  const std::string name = given(call, "format").value_or(std::string(codecs::netml_format().name));
  const codecs::FileFormat* const format = codecs::find_format(name);
  if (format != nullptr && format->is_written()) return format;
  return fail(Errc::invalid_input, fmt::format("the formats of an export are {}",
                                               fmt::join(codecs::written_formats(), ", ")));
}

Result<Response> export_data(const Call& call) {
  NETML_TRY(const codecs::FileFormat* const format, wanted_format(call));
  if (format->write != nullptr) return export_file(call, *format);
  if (given(call, "columns"))
    return fail(Errc::invalid_input, "columns",
                fmt::format("{} has no columns; csv has", format->article));
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

// For analysis, in pieces of files.
Result<Response> export_past(const Call& call) {
  NETML_TRY(HistoryExport exported, export_history(call.services.node, given(call, "since")));
  Response response;
  response.headers.set("Content-Type", "application/octet-stream");
  response.headers.set("X-NetML-Head", exported.head);
  response.body = net::StreamBody{std::move(exported.body), std::nullopt};
  return response;
}

// What the file would lack: written, and not sent. The main format holds all that the map has, but
// demands places.
Result<Response> export_losses(const Call& call) {
  NETML_TRY(const codecs::FileFormat* const format, wanted_format(call));
  if (format->write == nullptr) {
    NETML_TRY(const WantedTopology wanted, wanted_topology(call, *format));
    NETML_TRY(const engine::LossList losses,
              codecs::exchange_losses(wanted.version.state->graph, wanted.id));
    return json_answer(200, losses_json(losses));
  }
  NETML_TRY(const ExportedFile written, write_file(call, *format));
  json::object answer = losses_json(written.file.losses).as_object();
  answer["omitted_texts"] = json::value_from(written.file.omitted);
  return json_answer(200, answer);
}

Result<Response> list_formats(const Call&) {
  json::array items;
  for (const codecs::FileFormat& format : codecs::file_formats()) {
    json::array endings;
    for (const std::string_view ending : format.endings)
      if (!ending.empty()) endings.emplace_back(ending);
    items.push_back({{"name", format.name},
                     {"description", format.article},
                     {"endings", std::move(endings)},
                     {"read", format.is_read()},
                     {"written", format.is_written()},
                     {"names_topology", format.names_topology},
                     {"holds_topologies", format.holds_topologies}});
  }
  return json_answer(200, {{"items", std::move(items)}});
}

}  // namespace

void add_node_export(Routes& routes) {
  routes.add(Method::get, "node/export", kNodeVerb, export_data);
  routes.add(Method::get, "node/export/history", kNodeVerb, export_past);
}

void add_export(Routes& routes) {
  constexpr Access kViewer{Needs::viewer};
  routes.add(Method::get, "export", kViewer, export_data);
  routes.add(Method::get, "export/losses", kViewer, export_losses);
  routes.add(Method::get, "formats", kViewer, list_formats);
}

}  // namespace netml::admin::web
