// The score of the map for pages elsewhere, as a picture and as JSON, where the operator lets
// anybody see it (docs/quality.md, "History and badge").
#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>

#include "admin/analysis/map_answers.hpp"
#include "admin/analysis/quality_answer.hpp"
#include "admin/answers/json_answers.hpp"
#include "admin/api/site/calls/calls.hpp"
#include "admin/api/site/web_api.hpp"
#include "admin/settings/settings.hpp"
#include "engine/quality/quality_monitor.hpp"

namespace netml::admin::web {

namespace {

using net::Request;
using net::Response;

constexpr const char* kLabel = "map quality";

struct Badge {
  int score = 0;
  const char* color = "";  // with white letters on it, at least 4.5:1
};

// As pages show scores: good, fair, bad.
Badge badge_of(double score) {
  constexpr double kGood = 90;
  constexpr double kFair = 60;
  return {static_cast<int>(std::floor(score)), score >= kGood   ? "#1a7f37"
                                               : score >= kFair ? "#9a6700"
                                                                : "#b42318"};
}

// The letters are as wide as those of common fonts: it need not fit to the pixel.
std::string picture(const Badge& badge) {
  constexpr int kLabelWidth = 82;
  constexpr int kScoreWidth = 34;
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{label}: {score}">)"
      R"(<title>{label}: {score}</title><rect width="{width}" height="20" rx="3" fill="#3d444d"/>)"
      R"(<path d="M{left} 0h{right}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right}z" fill="{color}"/>)"
      R"(<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">)"
      R"(<text x="{label_at}" y="14">{label}</text><text x="{score_at}" y="14">{score}</text></g></svg>)"
      "\n",
      fmt::arg("width", kLabelWidth + kScoreWidth), fmt::arg("left", kLabelWidth),
      fmt::arg("right", kScoreWidth - 3), fmt::arg("label", kLabel),
      fmt::arg("label_at", kLabelWidth / 2), fmt::arg("score_at", kLabelWidth + kScoreWidth / 2),
      fmt::arg("score", badge.score), fmt::arg("color", badge.color));
}

// What shields.io calls an endpoint: https://shields.io/badges/endpoint-badge
std::string endpoint(const Badge& badge) {
  return boost::json::serialize(boost::json::object{{"schemaVersion", 1},
                                                    {"label", kLabel},
                                                    {"message", fmt::to_string(badge.score)},
                                                    {"color", badge.color}});
}

// Made anew when the map has changed, and every day, since dates count.
Result<Badge> badge_now(Site& site, const engine::State& state) {
  const Instant day = begin_of_day(site.services.node.clock().wall());
  const std::string key = fmt::format("badge {} {}", MapAnswers::etag_of(state), day.seconds);
  using Text = std::shared_ptr<const std::string>;
  NETML_TRY(const Text score, site.analyses.get(key, [&]() -> Result<Text> {
    NETML_TRY(const MemoryReservation reserved,
              site.services.node.memory().reserve(MemoryUse::answers,
                                                  kQualityMemoryOfRecord * state.graph.size()));
    const engine::Tallies tallies = engine::tally({state.graph, site.countries(), day});
    const boost::json::object made = score_json(state.graph, tallies, {});
    return std::make_shared<const std::string>(boost::json::serialize(made.at("score")));
  }));
  return badge_of(std::strtod(score->c_str(), nullptr));
}

net::Handler badge_answer(Site& open_site, const char* type, std::string (*write)(const Badge&)) {
  return of_site(open_site, [type, write](Site& site, const Request&) -> Response {
    const engine::StatePtr state = site.services.node.version().state;
    if (setting_value(state->catalog, kQualityBadge) != "On")
      return net::refusal(404, "this node shows no badge");
    const auto seen = site.services.views.seen_by_public(state);
    if (!seen) return net::refusal(seen.error());
    const auto badge = badge_now(site, **seen);
    if (!badge) return net::refusal(badge.error());
    Response response;
    response.headers.set("Content-Type", type);
    response.headers.set("Cache-Control", "max-age=300");
    // Pages elsewhere draw it themselves.
    response.headers.set("Access-Control-Allow-Origin", "*");
    response.body = write(*badge);
    return response;
  });
}

}  // namespace

void register_quality_badge(net::Router& router, Site& site) {
  router.add(net::Method::get, "/badge/quality.svg", badge_answer(site, "image/svg+xml", picture));
  router.add(net::Method::get, "/badge/quality.json",
             badge_answer(site, "application/json", endpoint));
}

}  // namespace netml::admin::web
