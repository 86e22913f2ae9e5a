#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <span>

#include "admin/answers/json_answers.hpp"
#include "admin/api/records/record_json.hpp"
#include "admin/api/site/node/file_fed_body.hpp"
#include "admin/api/site/node/node_verbs.hpp"
#include "admin/imports/import_json.hpp"
#include "admin/imports/place_search.hpp"

namespace netml::admin::web {

namespace json = boost::json;
using net::Answer;
using net::Request;
using net::Response;

namespace {

json::object node_json(const engine::Graph& graph, RecordId node) {
  const engine::Attributes& attributes = graph.attributes(node);
  return {{"id", attributes.id()}, {"name", attributes.name()}};
}

json::array cities_json(const std::vector<engine::CitiesOfCountry>& cities) {
  json::array items;
  for (const engine::CitiesOfCountry& of_country : cities)
    items.push_back({{"country", of_country.country}, {"cities", of_country.count}});
  return items;
}

// Of each `describe(item, of)` adds to what names the node.
template <class Item, class Describe>
json::array items_json(const ProposedPlaces& proposed, std::span<const Item> listed,
                       Describe&& describe) {
  json::array items;
  for (const Item& each : listed) {
    json::object item = node_json(proposed.state->graph, each.node);
    describe(item, each);
    items.push_back(std::move(item));
  }
  return items;
}

json::array found_json(const ProposedPlaces& proposed) {
  const std::span all(proposed.places.found);
  return items_json(proposed, all.first(std::min(all.size(), engine::FoundPlaces::kListedMax)),
                    [](json::object& item, const engine::FoundPlace& found) {
                      item["by"] = engine::place_text_name(found.by);
                      item["city"] = found.city.name;
                      item["country"] = found.city.country;
                      item["region"] = found.city.region;
                      item["latitude"] = functional::decimal_text(found.city.place.latitude);
                      item["longitude"] = functional::decimal_text(found.city.place.longitude);
                    });
}

json::array several_json(const ProposedPlaces& proposed) {
  return items_json(proposed, std::span(proposed.places.several),
                    [](json::object& item, const engine::AmbiguousPlace& several) {
                      item["by"] = engine::place_text_name(several.by);
                      item["countries"] = cities_json(several.cities);
                    });
}

json::array none_json(const ProposedPlaces& proposed) {
  return items_json(proposed, std::span(proposed.places.none),
                    [](json::object& item, const engine::UnknownPlace& none) {
                      item["country"] = none.country;
                      item["unreadable_country"] = none.unreadable_country;
                      item["elsewhere"] = cities_json(none.elsewhere);
                    });
}

json::object proposed_json(const ProposedPlaces& proposed) {
  const ImportResult plan = proposed.plan.value_or(ImportResult());
  return {{"gazetteer", proposed.gazetteer},
          {"nodes", proposed.places.nodes},
          {"found", found_json(proposed)},
          {"found_count", proposed.places.found.size()},
          {"several", several_json(proposed)},
          {"several_count", proposed.places.several_count},
          {"none", none_json(proposed)},
          {"none_count", proposed.places.none_count},
          {"plan", plan.plan},
          {"created", plan.changes.created},
          {"updated", plan.changes.updated},
          {"deleted", plan.changes.deleted}};
}

Response refusal(const ImportFailure& failure) {
  return json_answer(import_failure_status(failure), {{"error", import_failure_json(failure)}});
}

// The body is the gazetteer.
class GazetteerSink final : public net::BodySink {
 public:
  GazetteerSink(std::unique_ptr<PlaceSearch> search, NamedLimit bytes_max)
      : search_(std::move(search)), bytes_max_(bytes_max) {}

  NamedLimit bytes_max() const override { return bytes_max_; }
  std::optional<Response> write(std::string_view piece) override {
    const auto written = search_->write(piece);
    if (written) return std::nullopt;
    return refusal(written.error());
  }
  Response finish() override {
    const auto proposed = search_->finish();
    if (!proposed) return refusal(proposed.error());
    return json_answer(proposed->plan ? 201 : 200, proposed_json(*proposed));
  }

 private:
  const std::unique_ptr<PlaceSearch> search_;
  const NamedLimit bytes_max_;
};

Result<Answer> begin_search(Services& services, const Request& request, const SignedIn& who) {
  const auto parameter = [&](std::string_view name) {
    return net::query_parameter(request.query, name).value_or("");
  };
  const Version version = services.node.version();
  PlaceRequest wanted{.caller = caller_of(request, who)};
  NETML_TRY(wanted.topology, topology_argument(version.state->graph, parameter("topology")));
  const std::string country = parameter("country");
  wanted.country = engine::country_code(country);
  if (wanted.country.empty() && !country.empty())
    return fail(Errc::invalid_input, "country", "is a code of two letters, such as NO");
  auto search = PlaceSearch::begin(services.node, services.intake, version, std::move(wanted));
  if (!search) return refusal(search.error());
  return Answer(std::make_unique<GazetteerSink>(*std::move(search), services.intake.bytes_max()));
}

}  // namespace

void add_node_places(Routes& routes) {
  routes.add_upload("node/places", kNodeVerb,
                    [](Site& site, const Request& request, const SignedIn& who) -> Answer {
                      return with_named_body_file(request, [&](const Request& of_file) -> Answer {
                        Result<Answer> answer = begin_search(site.services, of_file, who);
                        return answer ? std::move(*answer) : error_answer(answer.error());
                      });
                    });
}

}  // namespace netml::admin::web
