#include <fmt/format.h>

#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/node/file_fed_body.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/imports/import_json.hpp"
#include "codecs/formats/file_format.hpp"
#include "codecs/formats/read_as.hpp"
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
  const auto updated = parameter("update");
  NETML_TRY(wanted.format, codecs::read_as_text({.format = parameter("format").value_or(""),
                                                 .headings = parameter("map").value_or(""),
                                                 .mapping = parameter("mapping").value_or(""),
                                                 .is_update = updated.has_value()}));
  wanted.owner = parameter("owner").value_or("");
  NETML_TRY(const codecs::FileFormat* const format, import_format(wanted.format, wanted.file_name));
  wanted.parent = updated ? updated : parameter("parent");
  wanted.topology_name = parameter("topology_name").value_or("");
  NETML_TRY_VOID(check_request(*format, wanted));
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
}

}  // namespace netml::admin::web
