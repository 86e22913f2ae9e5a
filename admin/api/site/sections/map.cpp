// The map for everybody: all of it at any point in time, single records, the time line, what
// differs, and what would fail (docs/api.md, section "Map").
#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "admin/analysis/map_answers.hpp"
#include "admin/analysis/map_records.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/answers/record_text.hpp"
#include "admin/api/site/calls/map_access.hpp"
#include "admin/api/site/sections/cached_answer.hpp"
#include "admin/api/site/sections/sections.hpp"
#include "engine/analysis/what_if.hpp"
#include "net/http/media_range.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Method;
using net::Request;
using net::Response;

namespace {

constexpr std::size_t kPointsInTimeMax = 500;
// A simulation is bounded by the size of the map; what is given to fail, by this.
constexpr std::size_t kFailuresMax = 10'000;
// What making an answer takes for each record at most: values of JSON where all of it differs, and
// what algorithms note of each.
constexpr std::uint64_t kDifferenceMemoryOfRecord = 256;
constexpr std::uint64_t kOutageMemoryOfRecord = 128;

// Every answer of the map tells a listed page that it may be read; others get none.
Handle for_everybody(Handle handle) {
  return [handle = std::move(handle)](const Call& call) -> Result<Response> {
    const engine::StatePtr state = call.state();
    const engine::Catalog& catalog = state->catalog;
    auto response = [&]() -> Result<Response> {
      if (!is_admitted_origin(catalog, call.request))
        return refuse(401, "foreign-origin", "the page that asks is not among the allowed origins");
      if (!is_map_enabled(catalog)) return refuse(403, "map-disabled", "the map is switched off");
      return handle(call);
    }();
    Response answer = response ? std::move(*response) : refuse(call, response.error());
    add_cors(answer, catalog, call.request);
    return answer;
  };
}

MapForm wanted_form(const Request& request) {
  return net::names_type(request.headers.get("Accept"), kBinaryMap) ? MapForm::binary
                                                                    : MapForm::json;
}

Result<Response> whole_map(const Call& call) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  const MapForm form = wanted_form(call.request);
  std::string tag = MapAnswers::etag_of(*state, form);
  // Else whoever guesses what is behind a pseudonym could compute the tag that would be right.
  if (MapAnswers::is_seen(*state)) tag = call.services.views.opaque_tag(tag);
  Response response = versioned(call.request, tag, [&]() -> Response {
    Result<Response> made = map_answer(call, state, form);
    return made ? std::move(*made) : refuse(call, made.error());
  });
  response.headers.set("Cache-Control", "no-cache");
  return response;
}

Result<Response> drawer(const Call& call, Kind kind) {
  NETML_TRY(const std::uint64_t number, path_number(call.request));
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  NETML_TRY(const RecordId id, record_of(state->graph, kind, number));
  return json_answer(200, drawer_json(state->graph, id));
}

Result<Response> features(const Call& call, Kind kind) {
  NETML_TRY(const engine::StatePtr state, call.wanted_state());
  NETML_TRY(const auto number, call.query_number("topology"));
  RecordId topology;
  if (number) {
    NETML_TRY(topology, record_of(state->graph, Kind::topology, *number));
  }
  Response response;
  response.headers.set("Content-Type", "application/geo+json");
  response.body = net::StreamBody{geojson_stream(state, kind, topology), std::nullopt};
  return response;
}

json::object point_json(const PointInTime& point) {
  return {{"lsn", point.lsn.value},
          {"time", time_text(point.time)},
          {"text", engine::cause_name(point.cause)},
          {"added", {{"nodes", point.nodes_added}, {"links", point.links_added}}},
          {"removed", {{"nodes", point.nodes_removed}, {"links", point.links_removed}}},
          {"changed", point.changed}};
}

// Through a view there is no time line: most of what changed may be hidden.
Result<Response> points(const Call& call) {
  NETML_TRY(const std::uint64_t view, call.view());
  if (view != kWholeMap) return json_answer(200, {{"items", json::array()}});
  Lsn first{1};
  Lsn last = call.state()->lsn;
  if (const auto from = call.query("from")) {
    NETML_TRY(first, call.services.audit.resolve(*from));
  }
  if (const auto to = call.query("to")) {
    NETML_TRY(last, call.services.audit.resolve(*to));
  }
  NETML_TRY(const auto limit, call.query_number("limit"));
  const auto count =
      std::clamp<std::uint64_t>(limit.value_or(kPointsInTimeMax), 1, kPointsInTimeMax);
  NETML_TRY(const std::vector<PointInTime> found, call.site.points.list(first, last, count));
  json::array items;
  for (const PointInTime& point : found) items.push_back(point_json(point));
  return json_answer(200, {{"items", std::move(items)}});
}

Result<Response> difference(const Call& call) {
  const auto from = call.query("from");
  const auto to = call.query("to");
  if (!from || !to) return fail(Errc::invalid_input, "from and to are needed");
  NETML_TRY(const engine::StatePtr before, call.state_at(from));
  NETML_TRY(const engine::StatePtr after, call.state_at(to));
  return cached_answer(call, call.site.differences,
                       MapAnswers::etag_of(*before) + MapAnswers::etag_of(*after),
                       kDifferenceMemoryOfRecord * (before->graph.size() + after->graph.size()),
                       [&] { return map_difference(before->graph, after->graph); });
}

// ---- what if ----

json::array numbers_json(const engine::Graph& graph, const std::vector<RecordId>& ids) {
  json::array numbers;
  for (const RecordId id : ids) numbers.emplace_back(graph.number(id).value);
  return numbers;
}

json::object single_path_json(const engine::Graph& graph, const engine::SinglePath& path) {
  return {{"links", numbers_json(graph, path.links)}, {"nodes", numbers_json(graph, path.nodes)}};
}

Result<std::vector<RecordId>> records_of(const engine::Graph& graph, Kind kind,
                                         const json::object& fields, std::string_view name) {
  NETML_TRY(std::vector<std::uint64_t> numbers, numbers_of(fields, name));
  if (numbers.size() > kFailuresMax)
    return fail(Errc::invalid_input, name, fmt::format("at most {}", kFailuresMax));
  std::ranges::sort(numbers);
  std::vector<RecordId> found;
  graph.for_each_record([&](RecordId id) {  // once, instead of a search for each
    if (graph.kind(id) == kind && std::ranges::binary_search(numbers, graph.number(id).value))
      found.push_back(id);
  });
  return found;
}

json::object effects_json(const engine::Graph& graph, const engine::OutageEffects& effects) {
  return {{"simulated", true},
          {"components_before", effects.components_before},
          {"components_after", effects.components_after},
          {"cut_off",
           {{"nodes", numbers_json(graph, effects.nodes_cut_off)},
            {"institutions", numbers_json(graph, effects.institutions_cut_off)}}},
          {"single_path", single_path_json(graph, effects.single_path)},
          {"newly_single_path", single_path_json(graph, effects.newly_single_path)}};
}

// The data and what fails of them. Records are found in ascending order, each once.
std::string outage_key(const engine::State& state, const engine::Outage& outage) {
  std::string key = fmt::format("{} {}", MapAnswers::etag_of(state), outage.topology.value);
  for (const RecordId id : outage.nodes) key += fmt::format(" {}", id.value);
  key += " -";
  for (const RecordId id : outage.links) key += fmt::format(" {}", id.value);
  return key;
}

Result<Response> what_if(const Call& call) {
  NETML_TRY(const json::object fields, call.fields());
  NETML_TRY(const auto when, optional_text(fields, "at"));
  NETML_TRY(const engine::StatePtr state, call.state_at(when));
  const engine::Graph& graph = state->graph;
  engine::Outage outage;
  NETML_TRY(outage.nodes, records_of(graph, Kind::node, fields, "nodes"));
  NETML_TRY(outage.links, records_of(graph, Kind::link, fields, "links"));
  if (const json::value* topology = fields.if_contains("topology");
      topology != nullptr && !topology->is_null()) {
    boost::system::error_code error;
    const auto number = topology->to_number<std::uint64_t>(error);
    if (error) return fail(Errc::invalid_input, "topology", "must be a number");
    NETML_TRY(outage.topology, record_of(graph, Kind::topology, number));
  }
  return cached_answer(call, call.site.outages, outage_key(*state, outage),
                       kOutageMemoryOfRecord * graph.size(),
                       [&] { return effects_json(graph, simulate(graph, outage)); });
}

}  // namespace

void add_map(Routes& routes) {
  const Access open{Needs::nothing};
  const auto add = [&](Method method, const std::string& pattern, Handle handle) {
    // A listed page asks first whether it may send JSON.
    if (method == Method::post)
      routes.add(Method::options, pattern, open,
                 for_everybody([](const Call&) -> Result<Response> { return Response(); }));
    routes.add(method, pattern, open, for_everybody(std::move(handle)));
  };
  add(Method::get, "map", whole_map);
  add(Method::get, "map/points-in-time", points);
  add(Method::get, "map/moments", points);  // as it was called in version 0.1
  add(Method::get, "map/difference", difference);
  add(Method::post, "map/what-if", what_if);
  for (const Kind kind : {Kind::node, Kind::link, Kind::institution}) {
    const char* const name = collection_name(kind);
    add(Method::get, fmt::format("map/{}/{{n}}", name),
        [kind](const Call& call) { return drawer(call, kind); });
    add(Method::get, fmt::format("map/features/{}.geojson", name),
        [kind](const Call& call) { return features(call, kind); });
  }
}

}  // namespace netml::admin::web
