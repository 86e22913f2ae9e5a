// A map followed from version to version against an inspection of each version as a whole.
#include "engine/quality/quality_monitor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "engine/graph/document.hpp"
#include "engine/half_links/half_link.hpp"
#include "tests/engine/quality_source.hpp"

namespace netml::engine {
namespace {

using test::degrees;
using test::Draft;
using test::kDay;
using test::kNow;
using test::Source;

RecordId id_at(std::size_t place) {
  return RecordId{static_cast<std::uint32_t>(place + 1)};
}

// A map, and one random change after another. Records that are gone leave their place.
class RandomHistory {
 public:
  explicit RandomHistory(unsigned seed) : random_(seed) {
    now_.source = test::sound_source(random_);
    now_.gone.resize(now_.source.records.size());
    publish();
  }

  const Graph& graph() const { return graph_; }
  Instant today() const { return today_; }

  void step() {
    for (std::size_t i = 0; i <= random_() % 3; ++i) {
      change_something();
      now_.gone.resize(now_.source.records.size());
    }
    publish();
  }

 private:
  struct Version {
    Source source;
    std::vector<bool> gone;
  };

  std::vector<Draft>& records() { return now_.source.records; }

  // A record that is there, by its place; one of a topology, which never goes, where there is none.
  std::size_t any(Kind kind) {
    for (std::size_t tries = 0; tries < 200; ++tries) {
      const std::size_t place = random_() % records().size();
      if (!now_.gone[place] && records()[place].kind == kind) return place;
    }
    return now_.source.topology;
  }
  Draft& any_draft(Kind kind) { return records()[any(kind)]; }
  Draft& any_element() { return any_draft(kKinds[1 + random_() % 3]); }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return all.begin()[random_() % all.size()];
  }

  void publish() {
    GraphChanges changes(graph_);
    ids_ = std::max(ids_, records().size());
    for (std::size_t i = 0; i < ids_; ++i) {
      const bool gone = i >= records().size() || now_.gone[i];
      const Record record = gone ? Record() : test::record_of(records()[i]);
      if (changes.graph().record(id_at(i)) == record) continue;
      changes.put(id_at(i), record);
      if (record) changes.set_number(id_at(i), RecordNumber{i + 1});
    }
    changes.set_next(id_at(ids_), RecordNumber{ids_ + 1});
    graph_ = std::move(changes).finish();
    history_.push_back(now_);
  }

  void change_something() {
    switch (random_() % 14) {
      case 0:
        any_element().name = one_of<std::string>(
            {"Place 3", "place 3 ", "PLACE 4", "TBD", "", "Troms\ufffd", "Example network"});
        return;
      case 1:
        any_element().id = one_of<std::string>({any_element().id, "urn:x", "urn: y"});
        return;
      case 2:
        return move(any_draft(one_of({Kind::node, Kind::node, Kind::institution})));
      case 3:
        return change_owners(any_element());
      case 4:
        return change_institution(any_draft(Kind::institution));
      case 5:
        return add_topology();
      case 6:
        return remove(one_of({any(Kind::topology), any(Kind::institution), any(Kind::node),
                              any(Kind::link), any(Kind::link)}));
      case 7:
        return copy(any(one_of({Kind::topology, Kind::institution, Kind::node, Kind::link})));
      case 8:
        return change_link(any_draft(Kind::link));
      case 9:
      case 10:
        return add_half_link(any_draft(Kind::node));
      case 11:
        return change_dates(any_draft(kKinds[random_() % 4]));
      case 12:
        return change_properties(any_element());
      default:
        if (random_() % 4 == 0) today_.seconds += 200 * kDay;
        // Back to what was before.
        if (random_() % 3 == 0) now_ = history_[random_() % history_.size()];
        return;
    }
  }

  void move(Draft& draft) {
    if (draft.kind == Kind::topology) return;
    if (random_() % 2 == 0) draft.unlocode = one_of<std::string>({"", "OSL", "SESTO", "NOOSL"});
    if (random_() % 2 == 0)
      std::erase_if(draft.properties, [](const auto& each) { return each.first == "country"; });
    const Coordinates at = draft.coordinates.value_or(degrees(63.5, 10.5));
    draft.coordinates = one_of<std::optional<Coordinates>>(
        {std::nullopt, degrees(0, 0), Coordinates{at.longitude, at.latitude},
         Coordinates{at.latitude, {-at.longitude.value}}, degrees(-41.3, 121.7), degrees(63, 11),
         degrees(65.1, 12.5), degrees(64.2, 11.5)});
    draft.altitude = Micro{one_of({0L, 91'000'000'000L})};
  }

  void change_owners(Draft& draft) {
    if (draft.kind == Kind::institution) return;
    draft.owners.clear();
    for (std::size_t i = random_() % 3; i > 0; --i)
      if (const std::size_t owner = any(Kind::institution);
          records()[owner].kind == Kind::institution)
        draft.owners.push_back(owner);
    sort_each_once(draft.owners);
    if (draft.kind == Kind::topology && draft.owners.size() > 1) draft.owners.pop_back();
  }

  void change_institution(Draft& draft) {
    if (draft.kind != Kind::institution) return;
    draft.id = one_of<std::string>({std::string(kGlobalInstitutionId), "urn:owner", "urn:other"});
    draft.name = one_of<std::string>({"Example operator", "Other operator"});
  }

  // With some of all that is there.
  void add_topology() {
    const std::size_t topology =
        add(now_.source, {.kind = Kind::topology,
                          .id = "urn:topology:" + std::to_string(random_() % 20),
                          .name = one_of<std::string>({"Outpost", "Example network"}),
                          .topologies = {any(Kind::topology)}});
    for (std::size_t i = 0; i < topology; ++i)
      if (!now_.gone[i] && records()[i].kind != Kind::topology && random_() % 3 == 0)
        records()[i].topologies.push_back(topology);
  }

  // With all that cannot be without it, but for the first topology.
  void remove(std::size_t place) {
    if (place == now_.source.topology) return;
    std::vector<std::size_t> more{place};
    while (!more.empty()) {
      const std::size_t gone = more.back();
      more.pop_back();
      now_.gone[gone] = true;
      for (std::size_t i = 0; i < records().size(); ++i) {
        if (now_.gone[i]) continue;
        Draft& draft = records()[i];
        std::erase(draft.owners, gone);
        const bool was_last = std::erase(draft.topologies, gone) != 0 && draft.topologies.empty();
        if (was_last || std::ranges::find(draft.ends, gone) != draft.ends.end()) more.push_back(i);
      }
    }
  }

  void copy(std::size_t place) {
    Draft draft = records()[place];
    if (random_() % 2 == 0) draft.id += ":again";
    if (draft.kind == Kind::topology) draft.topologies = {now_.source.topology};
    add(now_.source, std::move(draft));
  }

  void change_link(Draft& draft) {
    if (draft.kind != Kind::link) return;
    const std::size_t node = any(Kind::node);
    if (random_() % 2 == 0 && records()[node].kind == Kind::node && node != draft.ends[0])
      draft.ends[1] = node;
    if (random_() % 2 == 0) std::swap(draft.ends[0], draft.ends[1]);
    draft.properties = {
        {"circuit", one_of<std::string>({"", "1", "2"})},
        {"medium", one_of<std::string>({"Copper pair", "dark fibre"})},
        {"length", one_of<std::string>({"3 km", "5000 km"})},
        {"throughput", one_of<std::string>({"0", "10 Gbit/s"})},
    };
  }

  void add_half_link(Draft& draft) {
    if (draft.kind != Kind::node) return;
    std::erase_if(draft.properties,
                  [](const auto& each) { return each.first == kHalfLinkProperty; });
    for (std::size_t i = random_() % 3; i > 0; --i) {
      const auto port = [&] { return "urn:port:" + std::to_string(random_() % 6); };
      HalfLink half(port());
      if (random_() % 3 == 0) {
        half.add(half_link::kIn, port());
        half.add(half_link::kPeerIn, port());
      }
      if (random_() % 3 == 0) {
        half.add(half_link::kOut, port());
        half.add(half_link::kPeerOut, port());
      }
      half.add(half_link::kPeer, port());
      half.sort();
      for (const std::string& text : half.texts())
        draft.properties.emplace_back(kHalfLinkProperty, text);
    }
    if (random_() % 8 == 0) draft.properties.emplace_back(kFromTopology, "urn:elsewhere");
  }

  void change_dates(Draft& draft) {
    const auto some_day = [&] {
      return one_of<std::optional<Instant>>({std::nullopt, Instant{kNow.seconds - 500 * kDay},
                                             Instant{kNow.seconds + 9 * kDay},
                                             Instant{kNow.seconds + 900 * kDay}});
    };
    draft.version = some_day();
    if (draft.kind != Kind::node && draft.kind != Kind::link) return;
    draft.start = some_day();
    draft.end = some_day();
  }

  void change_properties(Draft& draft) {
    std::erase_if(draft.properties, [](const auto& each) { return each.first == "role"; });
    for (std::size_t i = random_() % 3; i > 0; --i)
      draft.properties.emplace_back("role",
                                    one_of<std::string>({"router", "", "n/a", "caf\u00c3\u00a9"}));
    draft.properties.emplace_back("url", one_of<std::string>({"http://localhost/", "example.org"}));
  }

  std::mt19937 random_;
  Version now_;
  std::vector<Version> history_;
  std::size_t ids_ = 0;  // ever given
  Instant today_ = kNow;
  Graph graph_;
};

// What an inspection as a whole finds, counted in the plainest way.
struct Expected {
  explicit Expected(const Inspection& map) {
    inspect(map, [&](const Finding& finding) { found[finding.record] |= set_of(finding.check); });
    map.graph.for_each_record([&](RecordId id) {
      count(whole, map.graph, id);
      if (map.graph.kind(id) == Kind::topology) return count(topologies[id], map.graph, id);
      for (const RecordId topology : map.graph.relations(id).topologies())
        count(topologies[topology], map.graph, id);
    });
  }

  void count(Tally& tally, const Graph& graph, RecordId id) {
    ++tally.records[static_cast<std::size_t>(graph.kind(id))];
    for (const CheckDescription& each : kChecks)
      if ((found[id] & set_of(each.check)) != 0)
        ++tally.findings[static_cast<std::size_t>(each.check)];
  }

  std::map<RecordId, CheckSet> found;
  std::map<RecordId, Tally> topologies;
  Tally whole;
};

bool equal(const Tally& a, const Tally& b) {
  return a.records == b.records && a.findings == b.findings;
}

std::string names_of(CheckSet checks) {
  std::string text;
  for (const CheckDescription& each : kChecks)
    if ((checks & set_of(each.check)) != 0) text += std::string(" ") + each.name;
  return text;
}

void expect_equal(const QualityMonitor& monitor, Expected expected, const Graph& graph) {
  for (RecordId id; id < graph.next_id(); ++id.value)
    ASSERT_EQ(names_of(monitor.findings(id)), names_of(expected.found[id]))
        << "record " << id.value;
  ASSERT_TRUE(equal(monitor.tallies().whole, expected.whole));
  ASSERT_EQ(monitor.tallies().topologies.size(), expected.topologies.size());
  for (const auto& [topology, tally] : monitor.tallies().topologies)
    ASSERT_TRUE(equal(tally, expected.topologies.at(topology))) << "topology " << topology.value;
}

TEST(QualityMonitor, FindsInEachVersionWhatAnInspectionOfItFinds) {
  const Countries countries = test::two_countries();
  CheckSet appeared = 0;
  CheckSet vanished = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    RandomHistory history(seed);
    QualityMonitor monitor(countries);
    for (std::size_t version = 0; version < 40; ++version) {
      std::vector<CheckSet> before;
      for (RecordId id; id < history.graph().next_id(); ++id.value)
        before.push_back(monitor.findings(id));
      monitor.take(history.graph(), history.today());
      ASSERT_NO_FATAL_FAILURE(expect_equal(
          monitor, Expected({history.graph(), countries, history.today()}), history.graph()))
          << "seed " << seed << ", version " << version;
      for (std::uint32_t i = 0; i < before.size(); ++i) {
        const CheckSet now = monitor.findings(RecordId{i});
        appeared |= now & ~before[i];
        vanished |= before[i] & ~now;
      }
      history.step();
    }
  }
  for (const CheckDescription& each : kChecks) {
    if (each.check == Check::link_loop) continue;  // nothing that changes a map makes one
    EXPECT_NE(appeared & set_of(each.check), 0U) << each.name << " never appeared";
    EXPECT_NE(vanished & set_of(each.check), 0U) << each.name << " never vanished";
  }
}

TEST(QualityMonitor, GoesBetweenVersionsInAnyOrder) {
  const Countries countries = test::two_countries();
  std::vector<Graph> versions;
  RandomHistory history(1);
  for (std::size_t i = 0; i < 30; ++i) {
    versions.push_back(history.graph());
    history.step();
  }
  versions.emplace_back();
  QualityMonitor monitor(countries);
  std::mt19937 random(2);
  for (std::size_t i = 0; i < 200; ++i) {
    const Graph& graph = versions[random() % versions.size()];
    monitor.take(graph, kNow);
    ASSERT_NO_FATAL_FAILURE(expect_equal(monitor, Expected({graph, countries, kNow}), graph));
  }
}

// A large map, so that leaves of its index are split and joined.
TEST(QualityMonitor, FollowsALargeMap) {
  const Countries countries = test::two_countries();
  std::mt19937 random(3);
  Source source = test::sound_source(random);
  while (source.records.size() < 20'000) {
    Draft node = source.node(random());
    node.id += std::to_string(source.records.size());
    if (random() % 20 != 0) node.name = node.id;
    source.nodes.push_back(add(source, std::move(node)));
    test::add_link(source, source.nodes.back(), source.nodes[random() % source.nodes.size()]);
  }
  QualityMonitor monitor(countries);
  const Graph whole = source.build();
  monitor.take(whole, kNow);
  expect_equal(monitor, Expected({whole, countries, kNow}), whole);
  for (std::size_t i = 0; i < 3'000; ++i) {
    Draft& node = source.node(random());
    node.name = "Place " + std::to_string(random() % 50);
    if (random() % 3 == 0) node.coordinates = degrees(-40.5, 100.5);
  }
  const Graph changed = source.build();
  monitor.take(changed, kNow);
  expect_equal(monitor, Expected({changed, countries, kNow}), changed);
  monitor.take(Graph(), kNow);
  expect_equal(monitor, Expected({Graph(), countries, kNow}), whole);
}

}  // namespace
}  // namespace netml::engine
