// Files that people send, what would become of them, and what became of others (docs/api.md,
// section "Imports").
#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/planned_changes.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/history/audit_json.hpp"
#include "admin/imports/format_probe.hpp"
#include "admin/imports/import_json.hpp"
#include "codecs/formats/file_format.hpp"
#include "codecs/formats/read_as.hpp"
#include "engine/base/sha256.hpp"
#include "engine/base/utf8.hpp"
#include "engine/edit/plan_edit.hpp"
#include "net/http/multipart.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Answer;
using net::Method;
using net::Request;
using net::Response;

namespace {

// ---- imports that were ----

// By their numbers.
constexpr std::array kStates{"in_progress", "complete", "warnings", "aborted"};

json::value parent_json(const engine::Graph& graph, RecordId parent) {
  if (!graph.contains(parent)) return nullptr;
  return json::object{{"number", graph.number(parent).value},
                      {"name", graph.attributes(parent).name()}};
}

json::object import_item(const engine::State& state, std::uint64_t number,
                         const engine::ImportRecord& record, ItemFields item = {}) {
  item.add("number", [&] { return number; });
  item.add("time", [&] { return time_text(record.imported_at); });
  item.add("day", [&] { return day_text(record.imported_at); });
  item.add("name", [&] { return record.name; });
  item.add("format", [&] { return format_name(record.format, record.name); });
  item.add("format_parameters", [&] { return format_parameters(record.format); });
  item.add("source", [&] { return engine::enumerant_name(record.source); });
  item.add("sender", [&] { return record.token_client_name; });
  item.add("state", [&] { return kStates[static_cast<std::size_t>(record.status)]; });
  item.add("parent", [&] { return parent_json(state.graph, record.parent_topology); });
  item.add("topology", [&] { return record.topology_name; });
  item.add("file_hash",
           [&] { return record.file_hash == Sha256() ? "" : to_hex(record.file_hash); });
  item.add("file_bytes", [&] { return record.file_bytes; });
  item.add("counts", [&] { return counts_json(record.counts); });
  item.add("message", [&] { return record.message; });
  return item.take();
}

Result<Response> list_imports(const Call& call) {
  constexpr std::array<std::string_view, 4> kSearched{"name", "sender", "topology", "message"};
  const engine::StatePtr state = call.state();
  const auto item = [&](std::uint64_t number, const engine::ImportRecord& record,
                        ItemFields fields) {
    return import_item(*state, number, record, std::move(fields));
  };
  return newest_first(call, state->catalog.imports, kSearched, item);
}

Result<Response> show_import(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  const auto record = state->catalog.imports.find(number);
  if (record == nullptr) return fail(Errc::not_found, fmt::format("there is no import {}", number));
  json::object item = import_item(*state, number, *record);
  const auto lsn = call.services.audit.resolve(fmt::format("import:{}", number));
  item["lsn"] = lsn ? json::value(lsn->value) : json::value();
  return json_answer(200, item);
}

Result<Response> import_losses(const Call& call, std::uint64_t number) {
  const auto record = call.state()->catalog.imports.find(number);
  if (record == nullptr) return fail(Errc::not_found, fmt::format("there is no import {}", number));
  NETML_TRY(const engine::LossList losses, ImportJob::losses_of(call.services.node, *record));
  return json_answer(200, losses_json(losses));
}

Result<Response> plan_losses(const Call& call, std::uint64_t number) {
  NETML_TRY(const auto plan, find_kept_plan(call.state()->catalog, number));
  NETML_TRY(const engine::LossList losses, ImportJob::losses_of(call.services.node, *plan));
  return json_answer(200, losses_json(losses));
}

// ---- files on their way in ----

// What the parts beside the file say; they may come before or after it.
struct UploadParts {
  std::string parent;
  std::string topology_name;
  std::string plan;
  std::string format;  // before the file
  std::string map;
  std::string mapping;
  std::string update;
  std::string owner;

  std::string* find(std::string_view name) {
    if (name == "parent") return &parent;
    if (name == "format") return &format;
    if (name == "map") return &map;
    if (name == "mapping") return &mapping;
    if (name == "update") return &update;
    if (name == "owner") return &owner;
    if (name == "topology_name") return &topology_name;
    return name == "plan" ? &plan : nullptr;
  }
};

// Of what could not even be begun, for want of something.
Response refuse_for_want(const Node& node, const ImportFailure& failure) {
  if (!node.writable()) return refuse(503, "read-only", "nothing can be written now");
  if (!failure.no_room) return refuse(failure.error);
  const bool disk = failure.error.code == Errc::no_space;
  return refuse(507, disk ? "no-space" : "no-memory", failure.error.message);
}

class ImportSink : public net::BodySink, private net::MultipartHandler {
 public:
  // `wanted` lacks what the form says.
  ImportSink(Site& site, std::string_view boundary, ImportRequest wanted)
      : site_(site),
        limits_(site.services.limits.get()->http),
        wanted_(std::move(wanted)),
        parser_(boundary, limits_, *this) {}

  NamedLimit bytes_max() const override { return site_.services.intake.bytes_max(); }
  std::string_view client() const override { return wanted_.caller.actor; }
  std::optional<Response> write(std::string_view piece) override {
    const Status pushed = parser_.push(piece);
    if (refused_) return std::move(refused_);
    if (!pushed) return web::refuse(pushed.error());
    return std::nullopt;
  }
  Response finish() override {
    Result<Response> response = finished();
    if (response) return std::move(*response);
    if (net::http_status(response.error().code) >= 500)
      site_.services.node.note_failure(wanted_.caller, response.error());
    return web::refuse(response.error());
  }

 private:
  Status part_begin(const net::PartHead& head) override {
    text_ = nullptr;
    in_file_ = false;
    if (head.name != "file" || !head.file_name) {
      text_ = parts_.find(head.name);
      return {};
    }
    if (upload_) return fail(Errc::invalid_input, "file", "there are two");
    in_file_ = true;
    wanted_.file_name = *head.file_name;
    NETML_TRY(probe_, FormatProbe::begin(parts_.format, wanted_.file_name));
    return {};
  }
  // Once the format is known. What is to become of the file may be said behind it.
  Status start_upload() {
    NETML_TRY(format_, probe_.decide("as 'format'"));
    wanted_.format = fmt::format("{}{}", said_format(*format_, wanted_.file_name),
                                 codecs::parameters_in(parts_.format));
    auto begun = site_.services.intake.begin(wanted_, ReadWhen::stored);
    if (!begun) refused_ = refuse_for_want(site_.services.node, begun.error());
    if (!begun) return tl::unexpected(std::move(begun.error().error));
    upload_ = *std::move(begun);
    NETML_TRY_VOID(upload_->write(probe_.first_bytes()));
    probe_.forget_bytes();
    return {};
  }
  Status file_data(std::string_view piece) {
    if (upload_) return upload_->write(piece);
    probe_.take(piece);
    return probe_.is_ready() ? start_upload() : Status();
  }
  Status part_data(std::string_view piece) override {
    if (in_file_) NETML_TRY_VOID(file_data(piece));
    if (text_ == nullptr) return {};
    *text_ += piece;
    if (text_->size() <= limits_.multipart_text_field_bytes_max) return {};
    return fail(Errc::too_large,
                beyond_limit("bytes of a text field", net::limit_names::kMultipartTextFieldBytes,
                             limits_.multipart_text_field_bytes_max));
  }
  Status part_end() override { return in_file_ && !upload_ ? start_upload() : Status(); }

  bool keeps_place() const { return parts_.parent == "keep"; }

  // A plan is made while the page waits: it wants to show it. Where the network is now is only
  // known once the file was read. All else waits in the queue, where there is one.
  UploadEnd end() const {
    if (parts_.plan == "true") return UploadEnd::plan;
    const bool queued = !keeps_place() && site_.services.intake.has_queue();
    return queued ? UploadEnd::queue : UploadEnd::import;
  }

  // What the form says besides the file.
  Status complete(ImportRequest& request) const {
    request.topology_name = parts_.topology_name;
    request.owner = parts_.owner;
    NETML_TRY(const std::string read_as,
              codecs::read_as_text({.format = request.format,
                                    .headings = parts_.map,
                                    .mapping = parts_.mapping,
                                    .is_update = !parts_.update.empty()}));
    request.format = read_as;
    NETML_TRY_VOID(import_format(request.format, request.file_name));
    request.place = keeps_place() ? ImportPlace::where_it_is : ImportPlace::top_level;
    if (!is_utf8(request.topology_name))
      return fail(Errc::invalid_input, "topology_name", "is not in UTF-8");
    if (!parts_.update.empty()) {
      NETML_TRY_VOID(look_up("update", parts_.update, request));
    } else if (!parts_.parent.empty() && !keeps_place()) {
      NETML_TRY_VOID(look_up("parent", parts_.parent, request));
    }
    return check_request(*format_, request);
  }
  // The topology that a part names, for the request.
  Status look_up(std::string_view part, const std::string& text, ImportRequest& request) const {
    const engine::StatePtr state = site_.services.node.version().state;
    const auto topology = engine::find_topology(state->graph, text);
    if (!topology) return fail(topology.error().code, part, topology.error().text());
    request.parent_record = *topology;
    return {};
  }

  Result<Response> finished() {
    NETML_TRY_VOID(parser_.finish());
    if (!upload_) return fail(Errc::invalid_input, "file", "is missing");
    NETML_TRY_VOID(complete(upload_->request()));
    const ImportOutcome outcome = upload_->finish(end());
    if (!outcome) return refused(outcome.error());
    if (end() != UploadEnd::plan) return json_answer(202, {{"number", outcome->record}});
    const engine::StatePtr state = site_.services.node.version().state;
    NETML_TRY(const auto kept, find_kept_plan(state->catalog, outcome->plan));
    return json_answer(202, {{"plan", kept_plan_json(outcome->plan, *kept, *state)}});
  }

  // All errors of the file, with their places.
  Response refused(const ImportFailure& failure) const {
    if (failure.no_room) return refuse_for_want(site_.services.node, failure);
    if (end() == UploadEnd::queue) return web::refuse(failure.error);
    json::object error = error_json(failure.error, failure.errors);
    error["code"] = failure.errors.count > 0 ? "invalid-file" : "refused";
    error["record"] = failure.record;
    error["plan"] = failure.plan;
    return json_answer(import_failure_status(failure), {{"error", std::move(error)}});
  }

  Site& site_;
  const net::Limits limits_;
  ImportRequest wanted_;
  net::MultipartParser parser_;
  UploadParts parts_;
  std::string* text_ = nullptr;  // of the part that is being read
  bool in_file_ = false;
  FormatProbe probe_;
  const codecs::FileFormat* format_ = &codecs::netml_format();
  std::unique_ptr<Upload> upload_;
  std::optional<Response> refused_;  // what could not be begun
};

Answer begin_upload(Site& site, const Request& request, const SignedIn& who) {
  const auto boundary = net::multipart_boundary(request.headers.get("Content-Type"));
  if (!boundary) return refuse(boundary.error());
  ImportRequest wanted;
  wanted.caller = caller_of(request, who);
  wanted.source = engine::ImportSource::admin;
  wanted.token_client_name = who.account->name;
  wanted.file_bytes = request.content_length.value_or(0);
  const Intake& intake = site.services.intake;
  const UploadEnd end = intake.has_queue() ? UploadEnd::queue : UploadEnd::import;
  if (const auto refused = intake.admit(wanted, end))
    return refuse_for_want(site.services.node, *refused);
  return std::make_unique<ImportSink>(site, *boundary, std::move(wanted));
}

// ---- plans ----

Result<Response> list_plans(const Call& call) {
  constexpr std::array<std::string_view, 2> kSearched{"name", "topology_name"};
  const engine::StatePtr state = call.state();
  const auto item = [&](std::uint64_t number, const engine::KeptPlan& plan) {
    return kept_plan_json(number, plan, *state);
  };
  return newest_first(call, state->catalog.plans, kSearched, item);
}

// A stream of documents, one a line (admin/history/audit.hpp), read whole.
Result<std::vector<json::value>> read_documents(net::BodySource& source) {
  std::vector<json::value> documents;
  std::string rest;
  while (true) {
    NETML_TRY(const std::string_view piece, source.next());
    if (piece.empty()) return documents;
    rest += piece;
    std::size_t begin = 0;
    for (std::size_t end = rest.find('\n'); end != std::string::npos;
         end = rest.find('\n', begin)) {
      boost::system::error_code error;
      documents.push_back(json::parse(std::string_view(rest).substr(begin, end - begin), error));
      NETML_ASSERT(!error);  // written by ourselves
      begin = end + 1;
    }
    rest.erase(0, begin);
  }
}

Result<Response> show_plan(const Call& call, std::uint64_t number) {
  NETML_TRY(const auto stream, call.services.plans.show(number, {0, 0}, PlanNow::tell));
  NETML_TRY(const std::vector<json::value> documents, read_documents(*stream));
  if (documents.empty()) return fail(Errc::internal, "an empty plan");
  return json_answer(200, documents.front());
}

// The file is planned once for all pages. Numbers of plans are given once, and a plan made again is
// another version.
Result<Response> plan_changes(const Call& call, std::uint64_t number) {
  NETML_TRY(const PreviewPtr preview, preview_of(call, fmt::format("plan {}", number), [&] {
              return call.services.plans.changes(number);
            }));
  NETML_TRY(const json::object answer, changes_page_json(call, *preview));
  return json_answer(200, answer);
}

Result<Response> apply_plan(const Call& call, std::uint64_t number) {
  const auto outcome = call.services.plans.apply(call.caller(), number);
  if (outcome) return json_answer(200, import_result_json(*outcome, false));
  const PlanRefusal& refusal = outcome.error();
  if (refusal.moved_count == 0) return tl::unexpected(refusal.error);
  json::array moved;
  for (const engine::ElementName& element : refusal.moved)
    moved.push_back(json::object{{"kind", kind_name(element.kind)}, {"id", element.identifier}});
  return json_answer(409, {{"error",
                            {{"code", "moved"},
                             {"message", refusal.error.text()},
                             {"moved", std::move(moved)},
                             {"moved_count", refusal.moved_count}}}});
}

Result<Response> plan_again(const Call& call, std::uint64_t number, PlanAgain what) {
  NETML_TRY(const PlannedAgain planned, call.services.plans.again(call.caller(), number, what));
  return json_answer(200, planned_again_json(planned));
}

Result<Response> delete_plan(const Call& call, std::uint64_t number) {
  NETML_TRY_VOID(call.services.plans.remove(call.caller(), number));
  return no_content();
}

}  // namespace

void add_imports(Routes& routes) {
  const Access viewer{Needs::viewer};
  const Access editor{Needs::editor};
  routes.add(Method::get, "imports", viewer, list_imports);
  routes.add(Method::get, "imports/{n}", viewer, show_import);
  routes.add(Method::get, "imports/{n}/losses", viewer, import_losses);
  routes.add_upload("imports", editor, begin_upload);
  routes.add(Method::get, "plans", viewer, list_plans);
  routes.add(Method::get, "plans/{n}", viewer, show_plan);
  routes.add(Method::get, "plans/{n}/changes", viewer, plan_changes);
  routes.add(Method::get, "plans/{n}/losses", viewer, plan_losses);
  routes.add(Method::post, "plans/{n}/apply", editor, apply_plan);
  routes.add(Method::get, "plans/{n}/again", viewer, [](const Call& call, std::uint64_t number) {
    return plan_again(call, number, PlanAgain::look);
  });
  routes.add(Method::post, "plans/{n}/again", editor, [](const Call& call, std::uint64_t number) {
    return plan_again(call, number, PlanAgain::keep);
  });
  routes.add(Method::del, "plans/{n}", editor, delete_plan);
}

}  // namespace netml::admin::web
