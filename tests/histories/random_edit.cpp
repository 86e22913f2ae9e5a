#include "tests/histories/random_edit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/graph/document.hpp"

namespace netml::test {

namespace {

using engine::RecordEdit;

RecordId record(Key key) {
  return RecordId{static_cast<std::uint32_t>(key)};
}
std::vector<RecordId> records(const std::set<Key>& keys) {
  std::vector<RecordId> ids;
  for (const Key key : keys) ids.push_back(record(key));
  return ids;
}

class Drawing {
 public:
  Drawing(Dice& dice, const PlainMap& map, int step, Key& next)
      : dice_(dice), map_(map), step_(step), next_(next) {}

  std::optional<DrawnEdit> draw() {
    std::vector<Key> all;
    for (const auto& [key, element] : map_)
      if (element.id != engine::kGlobalInstitutionId) all.push_back(key);
    if (all.empty()) return std::nullopt;
    if (dice_.one_in(6)) return create();
    const Key key = dice_.one_of(all);
    return dice_.one_in(6) ? remove(key) : change(key);
  }

 private:
  DrawnEdit remove(Key key) const {
    PlainMap after = map_;
    erase(after, key);
    return {.kind = "delete",
            .reported = "delete " + map_.at(key).id,
            .plan = [id = record(key)](const auto& now) { return plan_record_delete(now, id); },
            .after = std::move(after)};
  }

  // ---- new elements ----
  std::optional<DrawnEdit> create() {
    constexpr std::array kKinds{Kind::topology, Kind::institution, Kind::node, Kind::link};
    const Kind kind = kKinds[static_cast<std::size_t>(dice_.below(4))];
    element_ = PlainElement();
    element_.kind = kind;
    element_.id = dice_.id(kind);
    element_.name = dice_.name_of(element_.id);
    element_.age = {step_, 0};
    edit_.id = element_.id;
    edit_.name = element_.name;
    if (kind == Kind::node) stand_as_in_files();
    if (kind == Kind::topology) draw_parent(0);
    if (kind != Kind::topology) draw_topologies();
    if (kind != Kind::topology && element_.topologies.empty()) return std::nullopt;
    draw_owners();
    if (kind == Kind::link) draw_ends();
    if (kind == Kind::link && !edit_.end_a) return std::nullopt;
    if (kind == Kind::topology && find(map_, kind, element_.id) != 0)
      impossible_ = element_.id + " is taken";
    return drawn("create", next_++, "create " + element_.id,
                 [kind, edit = edit_](const auto& now) -> Result<engine::Transaction> {
                   NETML_TRY(auto created, plan_record_create(now, kind, edit));
                   return std::move(created.transaction);
                 });
  }

  DrawnEdit drawn(const char* kind, Key key, const std::string& what,
                  HistoryNode::PlanEdit plan) const {
    const bool possible = impossible_.empty();
    DrawnEdit drawn{
        .kind = kind,
        .reported = possible ? what : fmt::format("{}: impossible, {}", what, impossible_),
        .plan = std::move(plan),
        .after = std::nullopt};
    if (!possible) return drawn;
    drawn.after = map_;
    if (element_.main)
      for (auto& [other, element] : *drawn.after) element.main = false;
    (*drawn.after)[key] = element_;
    return drawn;
  }

  // The map does not tell places apart, so all are one.
  void stand_as_in_files() {
    edit_.latitude = engine::Micro(44'650'000);
    edit_.longitude = engine::Micro(-63'570'000);
  }

  // ---- one thing about one element ----
  std::optional<DrawnEdit> change(Key key) {
    element_ = map_.at(key);
    const bool topology = element_.kind == Kind::topology;
    switch (dice_.below(6)) {
      case 0:
        element_.name = dice_.name_of(element_.id);
        edit_.name = element_.name;
        break;
      case 1:
        element_.property = dice_.value();
        edit_.properties.emplace();
        if (!element_.property.empty()) edit_.properties->push_back({"k", element_.property});
        break;
      case 2:
        topology ? draw_parent(key) : draw_topologies();
        break;
      case 3:
        draw_owners();
        break;
      case 4:
        element_.kind == Kind::link ? draw_ends() : draw_id(key);
        break;
      default:
        topology ? draw_main() : draw_id(key);
    }
    if (element_ == map_.at(key) && impossible_.empty()) return std::nullopt;
    return drawn("change", key, "change " + map_.at(key).id,
                 [id = record(key), edit = edit_](const auto& now) {
                   return plan_record_update(now, id, edit);
                 });
  }

  void draw_parent(Key key) {
    const std::vector<Key> topologies = all_of(map_, Kind::topology);
    const Key parent = topologies.empty() || dice_.one_in(3) ? 0 : dice_.one_of(topologies);
    element_.topologies.clear();
    if (parent != 0) element_.topologies.insert(parent);
    edit_.parent = record(parent);
    if (key != 0 && is_above(map_, key, parent)) impossible_ = "it would be below itself";
    if (key == 0 && topologies.empty()) element_.main = true;
  }
  void draw_topologies() {
    const std::set<Key> chosen = dice_.some_of(all_of(map_, Kind::topology));
    if (chosen.empty()) return;
    element_.topologies = chosen;
    edit_.topologies = records(chosen);
  }
  void draw_owners() {
    const std::vector<Key> institutions = all_of(map_, Kind::institution);
    if (element_.kind == Kind::institution || institutions.empty()) return;
    if (element_.kind == Kind::topology) {
      const Key owner = dice_.one_in(6) ? 0 : dice_.one_of(institutions);
      element_.owners.clear();
      if (owner != 0) element_.owners.insert(owner);
      edit_.owner = record(owner);
    } else {
      element_.owners = dice_.some_of(institutions);
      edit_.owners = records(element_.owners);
    }
  }
  // In the order given.
  void draw_ends() {
    const std::vector<Key> nodes = all_of(map_, Kind::node);
    if (nodes.empty()) return;
    const bool keep_first = element_.ends[0] != 0 && dice_.one_in(2);
    element_.ends = {keep_first ? element_.ends[0] : dice_.one_of(nodes), dice_.one_of(nodes)};
    edit_.end_a = record(element_.ends[0]);
    edit_.end_b = record(element_.ends[1]);
    if (element_.ends[0] == element_.ends[1]) impossible_ = "it would end where it begins";
  }
  // Of another element, perhaps, which the rules then unite with it.
  void draw_id(Key key) {
    element_.id = dice_.id(element_.kind);
    edit_.id = element_.id;
    if (element_.kind != Kind::topology || element_.id == map_.at(key).id) return;
    if (find(map_, Kind::topology, element_.id) != 0)
      impossible_ = element_.id + " is taken";
    else
      element_ = map_.at(key);  // its name tells its identifier, which would not be true any more
  }
  void draw_main() {
    element_.main = true;
    edit_.main = true;
  }

  Dice& dice_;
  const PlainMap& map_;
  const int step_;
  Key& next_;
  PlainElement element_;
  RecordEdit edit_;
  std::string impossible_;
};

}  // namespace

std::optional<DrawnEdit> draw_edit(Dice& dice, const PlainMap& map, int step, Key& next) {
  return Drawing(dice, map, step, next).draw();
}

}  // namespace netml::test
