// Published snapshots (docs/api.md, section "Publications and activity").
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/calls/lists.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "admin/exports/publisher.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

json::object publication_item(std::uint64_t number, const engine::PublishedItem& item,
                              std::uint64_t latest) {
  return {{"number", number},
          {"name", item.name},
          {"description", item.description},
          {"version", item.version},
          {"time", time_text(item.file_date)},
          {"state", enumerant_name(item.status)},
          {"failure", item.failure},
          {"lsn", item.lsn.value},
          {"latest", number == latest}};
}

Result<Response> list_publications(const Call& call) {
  constexpr std::array<std::string_view, 3> kSearched{"name", "description", "version"};
  const engine::StatePtr state = call.state();
  const std::uint64_t latest = latest_published(state->catalog);
  const auto describe = [&](std::uint64_t number, const engine::PublishedItem& item) {
    return publication_item(number, item, latest);
  };
  return newest_first(call, state->catalog.published, kSearched, describe);
}

Result<Response> show_publication(const Call& call, std::uint64_t number) {
  const engine::StatePtr state = call.state();
  NETML_TRY(const auto item, find_published_item(state->catalog, number));
  return json_answer(200, publication_item(number, *item, latest_published(state->catalog)));
}

Result<Response> publish(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const std::string name, text_of(fields, "name"));
  NETML_TRY(const auto description, optional_text(fields, "description"));
  if (description == "") return fail(Errc::invalid_input, "description", "is needed");
  NETML_TRY(const std::uint64_t number,
            call.services.publisher.publish(call.caller(), name, description.value_or("")));
  const engine::StatePtr state = call.state();
  NETML_TRY(const auto item, find_published_item(state->catalog, number));
  const json::object shown = publication_item(number, *item, latest_published(state->catalog));
  if (item->status != engine::PublishedStatus::failed) return json_answer(201, shown);
  json::object error = error_json({Errc::conflict, item->failure}, {});
  error["publication"] = shown;  // which stays, and tells it again
  return json_answer(409, {{"error", std::move(error)}});
}

Result<Response> remove_publication(const Call& call, std::uint64_t number) {
  NETML_TRY_VOID(call.services.publisher.remove(call.caller(), number));
  return no_content();
}

Result<Response> download(const Call& call, std::uint64_t number) {
  NETML_TRY(const auto item, find_published_item(call.state()->catalog, number));
  NETML_TRY(PublishedFile file, call.services.publisher.open(number));
  Response response;
  response.headers.set("Content-Type", "application/xml");
  response.headers.set("ETag", fmt::format("\"{}\"", file.etag));
  response.headers.set(
      "Content-Disposition",
      fmt::format("attachment; filename=\"published_data_{}.xml\"", item->version));
  response.body = std::move(file.body);
  return response;
}

}  // namespace

void add_publications(Routes& routes) {
  routes.add(Method::get, "publications", {Needs::viewer}, list_publications);
  routes.add(Method::post, "publications", {Needs::editor}, publish);
  routes.add(Method::get, "publications/{n}", {Needs::viewer}, show_publication);
  routes.add(Method::del, "publications/{n}", {Needs::admin}, remove_publication);
  routes.add(Method::get, "publications/{n}/download", {Needs::viewer}, download);
}

}  // namespace netml::admin::web
