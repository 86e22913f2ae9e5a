#include "engine/views/detail/seen_order.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/memory_room.hpp"
#include "engine/base/text_beginning.hpp"
#include "engine/graph/graph_changes.hpp"

namespace netml::engine::detail {

namespace {

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class SeenOrder {
 public:
  SeenOrder(const Graph& graph, SeenAttributes seen, Parallel& parallel)
      : graph_(graph), seen_(std::move(seen)), new_ids_(graph.next_id().value) {
    seen_.resize(graph.next_id().value);
    records_.reserve(graph.size());
    std::array<std::size_t, kKindCount + 1> begins{};
    for (const Kind kind : kKinds) {
      graph.for_each_of(kind, [&](RecordId id) {
        const std::string_view name = attributes(id).id();
        records_.push_back({beginning_of(name), name, id});
      });
      begins[static_cast<std::size_t>(kind) + 1] = records_.size();
    }
    const auto sort = [&](Kind kind) {
      const auto at = static_cast<std::size_t>(kind);
      std::ranges::stable_sort(std::span(records_).first(begins[at + 1]).subspan(begins[at]),
                               [this](const Named& a, const Named& b) { return is_before(a, b); });
    };
    parallel.run_both([&] { sort(Kind::link); },
                      [&] {
                        for (const Kind kind : {Kind::topology, Kind::institution, Kind::node})
                          sort(kind);
                      });
    RecordId next{1};
    for (const Named& record : records_) {
      new_ids_[record.id.value] = next;
      ++next.value;
    }
  }

  Graph make(Parallel& parallel) {
    std::vector<RelationsPtr> relations(records_.size());
    const auto move_every_second = [&](std::size_t first) {
      constexpr std::size_t kBytesOfRelations = 48;
      take_room(kBytesOfRelations * records_.size() / 2);
      Lists lists;
      for (std::size_t i = first; i < records_.size(); i += 2)
        relations[i] = moved(graph_.relations(records_[i].id), lists);
    };
    parallel.run_both([&] { move_every_second(0); }, [&] { move_every_second(1); });
    GraphChanges changes{Graph{}};
    constexpr std::size_t kAssociationsOfRecord = 3;
    changes.expect(records_.size(), kAssociationsOfRecord * records_.size());
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const RecordId before = records_[i].id;
      const RecordId id = new_ids_[before.value];
      AttributesPtr& seen = seen_[before.value];
      if (seen == nullptr) seen = graph_.record(before).attributes;
      changes.put(id, {std::move(seen), std::move(relations[i])});
      changes.set_number(id, RecordNumber{id.value});
    }
    const std::size_t next = records_.size() + 1;
    changes.set_next(RecordId{static_cast<std::uint32_t>(next)}, RecordNumber{next});
    return std::move(changes).finish(parallel);
  }

 private:
  struct Named {
    std::uint64_t beginning;  // which mostly decides, without a look at the name
    std::string_view name;    // its identifier, of all that is compared the first
    RecordId id;
  };
  using References = std::array<std::vector<std::string_view>, 3>;
  struct Lists {  // their memory serves for all records
    std::vector<RecordId> topologies;
    std::vector<RecordId> owners;
    std::vector<RecordId> ends;
  };

  const Attributes& attributes(RecordId id) const {
    const AttributesPtr& seen = seen_[id.value];
    return seen != nullptr ? *seen : graph_.attributes(id);
  }

  bool is_before(const Named& a, const Named& b) const {
    if (a.beginning != b.beginning) return a.beginning < b.beginning;
    if (const int names = a.name.compare(b.name); names != 0) return names < 0;
    const int said = text_of(attributes(a.id).bytes()).compare(text_of(attributes(b.id).bytes()));
    return said != 0 ? said < 0 : references(a.id) < references(b.id);
  }

  // By the identifiers of what it refers to.
  References references(RecordId id) const {
    const Relations& relations = graph_.relations(id);
    References found{names_of(relations.topologies()), names_of(relations.owners()),
                     names_of(relations.ends())};
    std::ranges::sort(found[0]);
    std::ranges::sort(found[1]);
    return found;
  }
  std::vector<std::string_view> names_of(std::span<const RecordId> ids) const {
    std::vector<std::string_view> names;
    for (const RecordId id : ids) names.push_back(attributes(id).id());
    return names;
  }

  RelationsPtr moved(const Relations& relations, Lists& lists) const {
    move_ids(relations.topologies(), lists.topologies);
    move_ids(relations.owners(), lists.owners);
    std::ranges::sort(lists.topologies);
    std::ranges::sort(lists.owners);
    move_ids(relations.ends(), lists.ends);
    const RecordId origin = relations.origin();
    return Relations::make(
        {.topologies = lists.topologies,
         .owners = lists.owners,
         .ends = lists.ends,
         .origin = origin < graph_.next_id() ? new_ids_[origin.value] : RecordId{}});
  }
  void move_ids(std::span<const RecordId> ids, std::vector<RecordId>& moved) const {
    moved.clear();
    for (const RecordId id : ids) moved.push_back(new_ids_[id.value]);
  }

  const Graph& graph_;
  SeenAttributes seen_;
  std::vector<Named> records_;     // in the new order
  std::vector<RecordId> new_ids_;  // by RecordId; none: there is no such record
};

}  // namespace

Graph in_seen_order(const Graph& graph, SeenAttributes seen, Parallel& parallel) {
  return SeenOrder(graph, std::move(seen), parallel).make(parallel);
}

}  // namespace netml::engine::detail
