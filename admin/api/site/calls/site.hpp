// What the site holds while the server runs, besides the data: who is signed in, whose guesses are
// slowed down, answers of the map that can be given again.
//
// Owner: the server, from when the node is open. Thread: any.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "admin/access/first_code.hpp"
#include "admin/access/sessions.hpp"
#include "admin/access/sign_in_throttle.hpp"
#include "admin/analysis/map_answers.hpp"
#include "admin/analysis/newest_quality.hpp"
#include "admin/api/graphql/graphql_answers.hpp"
#include "admin/api/services.hpp"
#include "admin/api/site/calls/change_groups.hpp"
#include "admin/api/site/calls/points_in_time.hpp"
#include "admin/base/cache.hpp"
#include "admin/base/minute_counts.hpp"
#include "admin/base/slots.hpp"
#include "admin/history/import_changes.hpp"
#include "admin/history/past_versions.hpp"
#include "admin/imports/import_queue.hpp"
#include "admin/node/node.hpp"
#include "engine/quality/countries.hpp"
#include "engine/transaction/difference.hpp"
#include "net/http/address.hpp"

namespace netml::admin::web {

// A planned change, and what it would lead to. To plan one may run rules over the whole map, and
// its list is asked for page by page, so those asked for last are cached while the map stays as it
// is.
struct Preview {
  PlannedChange change;  // holds the memory of it all
  engine::State after;
  engine::Difference difference;             // of the two graphs
  std::vector<boost::json::object> entries;  // of the catalog that it would change
  ChangeGroups groups;                       // of the entries, then the difference
  boost::json::object summary;               // what every page of it says
};
using PreviewPtr = std::shared_ptr<const Preview>;

struct SiteOptions {
  // Whose identity headers are believed (A23); none: there is no sign-in by header.
  std::vector<net::IpNetwork> sso_proxies = {};
  // Who becomes an administrator when they come in that way.
  std::vector<std::string> admin_identities = {};
  bool development = false;
  // What read_country_outlines() reads when somebody asks how good the map is; empty: none.
  std::string_view country_outlines = {};
};

// Of rules at once: each has a map of its own, and reads files of the past.
inline constexpr std::size_t kRehearsalsMax = 2;

struct Site {
  CacheBounds text_bounds(CacheName name) const {
    return {
        .values_max = 64, .bytes_max = 32 << 20, .counted = &services.node.metrics().cache(name)};
  }

  Site(Services& open_services, ImportQueue* import_queue = nullptr, SiteOptions given = {})
      : services(open_services),
        queue(import_queue),
        options(std::move(given)),
        sessions(services.node),
        throttle(services.node),
        first_code(services.node.clock(), services.node.random()),
        wrong_codes(services.node.clock()),
        past(services.node),
        map_answers(services.node.memory(), &services.node.metrics().cache(CacheName::maps)),
        differences(services.node.memory(), text_bounds(CacheName::differences),
                    &std::string::size),
        outages(services.node.memory(), text_bounds(CacheName::outages), &std::string::size),
        analyses(services.node.memory(), text_bounds(CacheName::analyses), &std::string::size),
        overviews(services.node.memory(), text_bounds(CacheName::analyses), &std::string::size),
        previews(services.node.memory(),
                 {.values_max = 8,
                  .making_max = 4,
                  .counted = &services.node.metrics().cache(CacheName::previews)},
                 [](const Preview&) { return 0; }),  // each holds a reservation
        newest_quality(services.node.memory()),
        graphql(services.node.memory(), services.node.clock()),
        points(services.node) {
    if (queue != nullptr) services.notifier.watch(queue->progress());
  }
  ~Site() { services.notifier.close(); }  // before the queue goes
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // Read when they are asked for first.
  const engine::Countries& countries();

  Services& services;
  ImportQueue* const queue;  // null: none; uploads are imported at once
  const SiteOptions options;
  Sessions sessions;
  SignInThrottle throttle;
  FirstCode first_code;
  MinuteCounts wrong_codes;
  PastVersions past;
  MapAnswers map_answers;
  // Texts of JSON, by what they were made from: open to everybody, and expensive.
  Cache<std::string, std::string> differences;
  Cache<std::string, std::string> outages;
  // The same of questions that only those who are signed in may ask: others cannot take their turn.
  Cache<std::string, std::string> analyses;
  // And of the start page, which asks for others of them at the same time.
  Cache<std::string, std::string> overviews;
  Cache<std::string, Preview> previews;  // by version and change
  NewestQuality newest_quality;
  ImportChanges import_changes;
  graphql::Answers graphql;
  PointsInTime points;
  Slots rehearsals{kRehearsalsMax};

 private:
  std::once_flag countries_read_;
  engine::Countries countries_;
};

}  // namespace netml::admin::web
