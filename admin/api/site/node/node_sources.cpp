#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/polling/poll_json.hpp"
#include "admin/polling/source_json.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Response;

namespace {

// In the query, since the name may hold a slash.
Result<std::string> name_of(const Call& call) {
  const auto name = given(call, "name");
  if (!name) return fail(Errc::invalid_input, "\"name\" is missing");
  return *name;
}

Result<Response> show_source(const Call& call, std::uint64_t number, int status) {
  for (const SourceStatus& source : call.services.polling.list())
    if (source.number == number) return json_answer(status, source_status_json(source));
  return fail(Errc::not_found, "there is no such source");
}

Result<Response> list_sources(const Call& call) {
  const engine::StatePtr state = call.state();
  const auto name = given(call, "name");
  if (name) return show_source(call, find_source(state->catalog, *name), 200);
  json::array answer;
  for (const SourceStatus& source : call.services.polling.list())
    answer.push_back(source_status_json(source));
  return json_answer(200, answer);
}

Result<Response> create_source(const Call& call) {
  NETML_TRY(const json::object body, call.fields());
  NETML_TRY(const SourceFields fields, source_fields_of(body));
  NETML_TRY(const std::uint64_t number, call.services.sources.create(call.caller(), fields));
  return show_source(call, number, 201);
}

Result<Response> change_source(const Call& call) {
  NETML_TRY(const json::object body, call.fields());
  NETML_TRY(const std::string name, name_of(call));
  NETML_TRY(const SourceFields fields, source_fields_of(body));
  NETML_TRY(const std::uint64_t number, call.services.sources.update(call.caller(), name, fields));
  return show_source(call, number, 200);
}

Result<Response> remove_source(const Call& call) {
  NETML_TRY(const std::string name, name_of(call));
  NETML_TRY_VOID(call.services.sources.remove(call.caller(), name));
  return no_content();
}

}  // namespace

void add_node_sources(Routes& routes) {
  routes.add(Method::get, "node/sources", kNodeVerb, list_sources);
  routes.add(Method::post, "node/sources", kNodeVerb, create_source);
  routes.add(Method::patch, "node/sources", kNodeVerb, change_source);
  routes.add(Method::del, "node/sources", kNodeVerb, remove_source);
}

}  // namespace netml::admin::web
