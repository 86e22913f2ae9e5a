// The set that a rule works on. It is found before the first action and not again, so the actions
// of a rule cannot add records to it, and every rule comes to an end.
#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/rules/detail/rule_runner.hpp"

namespace netml::engine {

namespace {

class Matcher {
 public:
  Matcher(Workspace& workspace, Kind kind) : workspace_(workspace), kind_(kind) {}

  std::vector<RecordId> all(const MatchCriterion& criterion, MatchKind match) {
    switch (match) {
      case MatchKind::by_id:
        return workspace_.find(kind_, *criterion.value("ID"));
      case MatchKind::by_topology:
        return members(*criterion.value("Topology ID"));
      case MatchKind::half_links:
        return with_half_links(workspace_.records(kind_));
      case MatchKind::duplicates:
        break;
    }
    std::vector<RecordId> records;
    // Whole groups: whether one of them is left out is for the criteria that follow.
    for (const std::vector<RecordId>& group : workspace_.duplicates(kind_))
      records.insert(records.end(), group.begin(), group.end());
    return records;
  }

  void narrow(std::vector<RecordId>& records, const MatchCriterion& criterion, MatchKind match) {
    switch (match) {
      case MatchKind::by_id:
        std::erase_if(records, [&](RecordId record) {
          return workspace_.record(record).id() != *criterion.value("ID");
        });
        return;
      case MatchKind::by_topology:
        narrow_to_members(workspace_, records, *criterion.value("Topology ID"));
        return;
      case MatchKind::duplicates:
        narrow_to_duplicates(records);
        return;
      case MatchKind::half_links:
        records = with_half_links(std::move(records));
        return;
    }
  }

 private:
  std::vector<RecordId> members(std::string_view topology_id) {
    std::vector<RecordId> records;
    for (const RecordId topology : workspace_.find(Kind::topology, topology_id))
      std::ranges::copy(workspace_.members(topology, kind_), std::back_inserter(records));
    return records;
  }

  std::vector<RecordId> with_half_links(std::vector<RecordId> records) {
    std::erase_if(records, [&](RecordId record) {
      return !any_property(*workspace_.record(record).attributes, [](const Property& property) {
        return property.name == kHalfLinkProperty;
      });
    });
    return records;
  }

  void narrow_to_duplicates(std::vector<RecordId>& records) {
    boost::unordered_flat_map<std::string_view, std::size_t> counts;
    const auto id = [&](RecordId record) { return workspace_.record(record).attributes->id(); };
    // Among those left only: two of one identifier are no duplicates when one of them was dropped.
    for (const RecordId record : records) ++counts[id(record)];
    std::erase_if(records, [&](RecordId record) { return counts[id(record)] < 2; });
  }

  Workspace& workspace_;
  const Kind kind_;
};

}  // namespace

void narrow_to_members(Workspace& workspace, std::vector<RecordId>& records,
                       std::string_view topology_id) {
  const std::vector<RecordId> topologies = workspace.find(Kind::topology, topology_id);
  std::erase_if(records, [&](RecordId record) {
    // By the record, which lists few topologies, not by the topology, which has many members.
    const Record value = workspace.record(record);
    return std::ranges::none_of(topologies, [&](RecordId topology) {
      return std::ranges::binary_search(value.relations->topologies(), topology);
    });
  });
}

std::vector<RecordId> matching_records(Workspace& workspace, const Rule& rule) {
  // A criterion by identifier keeps or drops all records of one identifier together, so it may be
  // moved in front of any other; it goes first because it leaves the fewest records.
  std::vector<const MatchCriterion*> criteria;
  criteria.reserve(rule.criteria.size());
  for (const MatchCriterion& criterion : rule.criteria) criteria.push_back(&criterion);
  const auto kind_of = [](const MatchCriterion* criterion) {
    return find_match_type(criterion->type)->kind;
  };
  std::ranges::stable_partition(criteria, [&](const MatchCriterion* criterion) {
    return kind_of(criterion) == MatchKind::by_id;
  });
  // The first criterion takes its records from an index; the others only look at what is left. So
  // no rule walks the whole map, but those about half links, which no index knows.
  Matcher matcher(workspace, rule_element(rule));
  std::vector<RecordId> records = matcher.all(*criteria.front(), kind_of(criteria.front()));
  for (const MatchCriterion* criterion : std::span(criteria).subspan(1))
    matcher.narrow(records, *criterion, kind_of(criterion));
  return records;
}

}  // namespace netml::engine
