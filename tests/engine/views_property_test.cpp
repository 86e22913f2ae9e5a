// Laws of views over random maps and views: what is seen is a graph like any other, and nothing
// that is hidden has a part in it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/graph/document.hpp"
#include "engine/graph/graph_changes.hpp"
#include "engine/graph/properties.hpp"
#include "engine/graph/record_keys.hpp"
#include "engine/views/apply_view.hpp"
#include "tests/support/graph_builder.hpp"

namespace netml::engine {
namespace {

constexpr int kMaps = 500;

// The same records put into an empty graph.
Graph made_anew(const Graph& graph) {
  GraphChanges changes{Graph{}};
  graph.for_each_record([&](RecordId id) {
    changes.put(id, graph.record(id));
    changes.set_number(id, graph.number(id));
  });
  changes.set_next(graph.next_id(), graph.next_number());
  return std::move(changes).finish();
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <class T>
  const T& one_of(const std::vector<T>& items) {
    return items[below(items.size())];
  }

  Graph map() {
    test::GraphBuilder builder;
    std::vector<RecordId> topologies{builder.topology("t0", {}, {}, true)};
    std::vector<RecordId> owners{builder.institution(kGlobalInstitutionId, topologies)};
    const std::size_t more = 1 + below(4);
    for (std::size_t i = 1; i <= more; ++i) {
      owners.push_back(builder.institution(fmt::format("i{}", i), some(topologies)));
      topologies.push_back(
          builder.topology(fmt::format("t{}", i), one_of(topologies), one_of(owners)));
    }
    std::vector<RecordId> nodes;
    for (std::size_t i = 0; i < 2 + below(8); ++i) {
      nodes.push_back(builder.node(fmt::format("n{}", i), some(topologies), some(owners)));
      say_something(builder, nodes.back(), i, true);
    }
    for (std::size_t i = 0; i < below(10); ++i)
      say_something(builder,
                    builder.link(fmt::format("l{}", i), some(topologies), some(owners),
                                 one_of(nodes), one_of(nodes)),
                    i, false);
    return made_anew(builder.build());
  }

  View view() {
    View view;
    for (std::size_t i = 0; i < 1 + below(4); ++i) view.steps.push_back(step());
    return view;
  }

  ViewSelection selection() {
    ViewSelection selection;
    switch (below(4)) {
      case 0:
        selection.owners = {fmt::format("i{}", 1 + below(4))};
        break;
      case 1:
        selection.topologies = {fmt::format("t{}", below(5))};
        break;
      case 2:
        selection.tag = fmt::format("g{}", below(3));
        break;
      default:
        selection.ids = {fmt::format("n{}", below(8)), fmt::format("l{}", below(8))};
    }
    if (one_in(3)) selection.kinds = one_in(2) ? set_of(Kind::node) : set_of(Kind::link);
    return selection;
  }

 private:
  std::vector<RecordId> some(const std::vector<RecordId>& from) {
    std::set<RecordId> chosen{one_of(from)};
    while (one_in(3)) chosen.insert(one_of(from));
    return {chosen.begin(), chosen.end()};
  }
  void say_something(test::GraphBuilder& builder, RecordId id, std::size_t i, bool has_place) {
    if (one_in(2)) builder.add_property(id, kTag, fmt::format("g{}", below(3)));
    if (one_in(4)) builder.mark_as_copy(id, fmt::format("t{},elsewhere", below(5)));
    if (has_place && one_in(2))
      builder.set_place(id, {.latitude = {static_cast<std::int64_t>(below(5) * 1'300'000 + i)},
                             .longitude = {static_cast<std::int64_t>(below(5) * 1'300'000)}});
  }
  ViewStep step() {
    switch (below(8)) {
      case 0:
      case 1:
        return KeepStep{{selection()}};
      case 2:
      case 3:
        return DropStep{{selection()}};
      case 4:
        return RoundStep{.grid = {1'000'000}};
      case 5:
        return PropertiesStep{.keep = one_in(2), .names = {"tag"}};
      case 6:
        return CollapseStep{one_in(2) ? CollapseTo::site : CollapseTo::owner};
      default:
        return PseudonymStep{.fields = {Field::id, Field::name}, .key = "key"};
    }
  }

  std::mt19937 random_;
};

PseudonymKey same_key(std::string_view /*name*/) {
  return {};
}

// The same as on one.
Graph seen_on_two_threads(const Graph& graph, const View& view) {
  HelperThreads helpers(1);
  InlineParallel alone;
  Graph seen = seen_through(graph, view, same_key, helpers);
  EXPECT_EQ(seen.digest(), seen_through(graph, view, same_key, alone).digest());
  return seen;
}

std::vector<std::uint64_t> keys_of(const OrderedSet& set) {
  std::vector<std::uint64_t> keys;
  set.visit_range(0, ~std::uint64_t{0}, [&](std::uint64_t key) {
    keys.push_back(key);
    return true;
  });
  return keys;
}

void expect_whole(const Graph& graph) {
  const Graph anew = made_anew(graph);
  EXPECT_EQ(graph.digest(), anew.digest());
  EXPECT_EQ(graph.next_id(), anew.next_id());
  EXPECT_EQ(graph.next_number(), anew.next_number());
  EXPECT_EQ(graph.mains(), anew.mains());
  EXPECT_EQ(keys_of(graph.edge_keys()), keys_of(anew.edge_keys()));
  EXPECT_EQ(keys_of(graph.id_keys()), keys_of(anew.id_keys()));
  EXPECT_EQ(keys_of(graph.crowded_ids()), keys_of(anew.crowded_ids()));
  EXPECT_EQ(graph.copies(), anew.copies());
  graph.for_each_record([&](RecordId id) {
    const Relations& relations = graph.relations(id);
    for (const auto ids : {relations.topologies(), relations.owners(), relations.ends()})
      for (const RecordId target : ids) EXPECT_TRUE(graph.contains(target));
    EXPECT_TRUE(!relations.origin() || graph.contains(relations.origin()));
    if (graph.kind(id) == Kind::link) {
      EXPECT_EQ(relations.ends().size(), 2U);
    }
  });
}

TEST(ViewLaws, WhatIsSeenIsAWholeGraphNumberedWithoutGaps) {
  for (int seed = 0; seed < kMaps; ++seed) {
    Draw draw(static_cast<unsigned>(seed));
    const Graph graph = draw.map();
    const View view = draw.view();
    const Graph seen = seen_on_two_threads(graph, view);
    SCOPED_TRACE(seed);
    expect_whole(seen);
    std::set<std::uint64_t> numbers;
    seen.for_each_record([&](RecordId id) { numbers.insert(seen.number(id).value); });
    EXPECT_EQ(numbers.size(), seen.size());
    EXPECT_TRUE(numbers.empty() || *numbers.rbegin() == seen.size());
    EXPECT_EQ(seen_on_two_threads(graph, view).digest(), seen.digest());
    if (::testing::Test::HasFailure()) return;
  }
}

// Whatever an element that is hidden says, and whether it is there at all.
TEST(ViewLaws, WhatIsHiddenHasNoPartInWhatIsSeen) {
  int tried = 0;
  for (int seed = 0; seed < kMaps; ++seed) {
    Draw draw(static_cast<unsigned>(seed));
    const Graph graph = draw.map();
    const View view{{DropStep{{draw.selection()}}}};
    const Graph seen = seen_on_two_threads(graph, view);
    GraphChanges other(graph);
    graph.for_each_record([&](RecordId id) {
      if (seen.contains(id)) return;
      const Record record = graph.record(id);
      AttributeFields fields = record.attributes->fields();
      std::vector<Property> properties = record.attributes->properties();
      properties.push_back({"noise", "more"});
      fields.properties = properties;
      fields.name = "another";
      other.put(id, {Attributes::make(fields), record.relations});
      other.set_number(id, RecordNumber{graph.number(id).value + 1'000'000});
      ++tried;
    });
    const Graph changed = seen_on_two_threads(std::move(other).finish(), view);
    SCOPED_TRACE(seed);
    EXPECT_EQ(changed.digest(), seen.digest());
    EXPECT_EQ(changed.next_id(), seen.next_id());
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(tried, kMaps);
}

// The same records in another order, with others that are hidden anywhere between them.
Graph rearranged(const Graph& graph, Draw& draw, std::size_t hidden) {
  std::vector<RecordId> order(hidden);
  graph.for_each_record([&](RecordId id) { order.push_back(id); });
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[draw.below(i + 1)]);
  std::vector<RecordId> moved(graph.next_id().value);
  for (std::size_t i = 0; i < order.size(); ++i)
    moved[order[i].value] = RecordId{static_cast<std::uint32_t>(i + 1)};
  const auto all_moved = [&](std::span<const RecordId> ids) {
    std::vector<RecordId> found;
    for (const RecordId id : ids) found.push_back(moved[id.value]);
    return found;
  };
  GraphChanges changes{Graph{}};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const RecordId id{static_cast<std::uint32_t>(i + 1)};
    const Record record = order[i] ? graph.record(order[i]) : Record{};
    std::vector<RecordId> topologies =
        all_moved(record ? record.relations->topologies() : graph.mains());
    std::vector<RecordId> owners = all_moved(owners_of(record));
    std::ranges::sort(topologies);
    std::ranges::sort(owners);
    const std::vector<RecordId> ends = all_moved(ends_of(record));
    const Property tag{kTag, "hidden"};
    const std::string name = fmt::format("hidden {}", i);
    AttributeFields fields;
    fields.kind = Kind::node;
    fields.id = fields.name = name;
    fields.properties = {&tag, 1};
    changes.put(id, {record ? record.attributes : Attributes::make(fields),
                     Relations::make({.topologies = topologies, .owners = owners, .ends = ends})});
    changes.set_number(id, RecordNumber{1'000 + draw.below(8) * 1'000 + i});
  }
  return std::move(changes).finish();
}

// Whatever the order of records tells, such as the real identifiers.
TEST(ViewLaws, PseudonymsSayNothingOfTheOrderOfRecords) {
  for (int seed = 0; seed < kMaps; ++seed) {
    Draw draw(static_cast<unsigned>(seed));
    const Graph graph = draw.map();
    View view = draw.view();
    ViewSelection hidden;
    hidden.tag = "hidden";
    view.steps.insert(view.steps.begin(), DropStep{{hidden}});
    view.steps.push_back(PseudonymStep{.fields = {Field::id, Field::name}, .key = "key"});
    const Graph seen = seen_on_two_threads(graph, view);
    const Graph other = seen_on_two_threads(rearranged(graph, draw, draw.below(5)), view);
    SCOPED_TRACE(seed);
    EXPECT_EQ(other.digest(), seen.digest());
    EXPECT_EQ(other.next_id(), seen.next_id());
    EXPECT_EQ(other.next_number(), seen.next_number());
    if (::testing::Test::HasFailure()) return;
  }
}

// Keeping and dropping the same leave no element but those that the kept ones refer to.
TEST(ViewLaws, WhatIsNotKeptIsNotSeen) {
  for (int seed = 0; seed < kMaps; ++seed) {
    Draw draw(static_cast<unsigned>(seed));
    const Graph graph = draw.map();
    ViewSelection selection;
    selection.tag = "g1";
    const Graph seen = seen_on_two_threads(graph, View{{KeepStep{{selection}}}});
    std::set<RecordId> needed;
    graph.for_each_record([&](RecordId id) {
      if (first_property(graph.attributes(id), kTag) != "g1") return;
      needed.insert(id);
      for (const RecordId end : graph.relations(id).ends()) needed.insert(end);
    });
    SCOPED_TRACE(seed);
    for (const Kind kind : {Kind::node, Kind::link})
      graph.for_each_of(kind, [&](RecordId id) {
        EXPECT_EQ(seen.contains(id), needed.contains(id)) << graph.attributes(id).id();
      });
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace netml::engine
