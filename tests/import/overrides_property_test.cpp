// Random histories of one source and one editor: imports, edits that are kept or not, decisions,
// undo. The map must be what a model says, in which overrides are a layer over the last file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/edit/plan_records.hpp"
#include "engine/overrides/plan_overrides.hpp"
#include "engine/undo/plan_undo.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::engine {
namespace {

// Values of a node that the histories change, by the names of their fields.
const std::vector<std::string> kFields{"name", "short_name", "property:tag"};
const std::vector<std::string> kIds{"a", "b", "c"};
const std::string kMembership = "topologies";

using Values = std::map<std::string, std::string>;  // by field
using Nodes = std::map<std::string, Values>;        // by identifier
using Key = std::pair<std::string, std::string>;    // identifier, field

struct ModelOverride {
  std::string value;
  std::string delivered;
  std::optional<std::string> contested;
  bool operator==(const ModelOverride&) const = default;
};

struct Model {
  Nodes map;
  std::map<Key, ModelOverride> overrides;  // of kMembership: value "T" or ""

  void import(const Nodes& file) {
    Nodes after = file;
    std::erase_if(overrides, [&](const auto& each) {
      const auto& [key, override] = each;
      return key.second == kMembership && !keep_membership(key.first, override, file, after);
    });
    for (auto each = overrides.begin(); each != overrides.end();) {
      const auto& [id, field] = each->first;
      const bool is_set = field != kMembership && file.contains(id) && after.contains(id);
      const bool stays = !is_set || lay(each->second, after.at(id).at(field));
      each = stays ? std::next(each) : overrides.erase(each);
    }
    map = std::move(after);
  }

  void edit(const std::string& id, const std::string& field, const std::string& value, bool keep) {
    change({id, field}, map.at(id).at(field), value, keep);
    map.at(id).at(field) = value;
  }
  void remove(const std::string& id, bool keep) {
    change({id, kMembership}, "T", "", keep);
    map.erase(id);
  }
  void add(const std::string& id, const Values& values, bool keep) {
    change({id, kMembership}, "", "T", keep);
    map.emplace(id, values);
  }

 private:
  void change(const Key& key, const std::string& from, const std::string& to, bool keep) {
    if (from == to) return;
    const auto found = overrides.find(key);
    if (found == overrides.end()) {
      if (keep) overrides[key] = {to, from, std::nullopt};
    } else if (to == found->second.contested.value_or(found->second.delivered)) {
      overrides.erase(found);
    } else {
      found->second.value = to;
    }
  }

  // Whether it stays.
  bool keep_membership(const std::string& id, const ModelOverride& override, const Nodes& file,
                       Nodes& after) const {
    const bool is_listed = file.contains(id);
    if (override.value.empty()) {
      after.erase(id);
      return is_listed;
    }
    if (is_listed || !map.contains(id)) return false;
    after[id] = map.at(id);
    return true;
  }
  static bool lay(ModelOverride& override, std::string& value) {
    if (value == override.value) return false;
    override.contested = value == override.delivered ? std::nullopt : std::optional(value);
    value = override.value;
    return true;
  }
};

// One history, on a store and on the model at once.
class History {
 public:
  explicit History(unsigned seed) : random_(seed) {
    for (const std::string& id : kIds) change_source(id);
    deliver();
  }

  void step() {
    switch (below(8)) {
      case 0:
      case 1:
      case 2:
        change_source(any_of(kIds));
        return deliver();
      case 3:
        return deliver();
      case 4:
        return add_or_remove();
      case 5:
        return undo();
      default:
        return edit();
    }
  }

  void check() const {
    Nodes stored;
    const Graph& graph = store_.graph();
    graph.for_each_record([&](RecordId id) {
      if (graph.kind(id) == Kind::node)
        stored[std::string(graph.attributes(id).id())] = values_of(graph.record(id));
    });
    ASSERT_EQ(stored, model_.map);
    std::map<Key, ModelOverride> overrides;
    store_.state().catalog.overrides.for_each([&](std::uint64_t, const Override& entry) {
      overrides[{entry.element, entry.field_name}] = {
          entry.value, entry.delivered,
          entry.to_decide ? std::optional(entry.contested) : std::nullopt};
    });
    ASSERT_EQ(overrides, model_.overrides);
  }

 private:
  unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
  const std::string& any_of(const std::vector<std::string>& texts) {
    return texts[random_() % texts.size()];
  }
  std::string any_value(const std::string& field) {
    const std::string value(1, static_cast<char>('x' + below(3)));
    return field != "name" && below(4) == 0 ? "" : value;
  }
  Values any_values() {
    Values values;
    for (const std::string& field : kFields) values[field] = any_value(field);
    return values;
  }
  Values values_of(const Record& record) const {
    const Workspace workspace(store_.state());
    Values values;
    for (const std::string& field : kFields)
      values[field] = field_text(workspace, record, *overridden_field(Kind::node, field));
    return values;
  }
  RecordId node(const std::string& id) const { return store_.graph().find_newest(Kind::node, id); }

  void change_source(const std::string& id) {
    if (source_.contains(id) && below(4) == 0)
      source_.erase(id);
    else
      source_[id] = any_values();
  }

  void deliver() {
    remember();
    test::TopologyText file = test::topology("T", "p", test::institution("p"));
    for (const auto& [id, values] : source_) {
      test::ElementText element = test::node(id).named(values.at("name"));
      if (!values.at("short_name").empty()) element.short_named(values.at("short_name"));
      if (!values.at("property:tag").empty()) element.with("tag", values.at("property:tag"));
      file.add(element);
    }
    store_.import_at_top(file);
    model_.import(source_);
    changes_.back().transaction = store_.transaction();
  }

  std::optional<OverrideTerms> any_terms() {
    if (below(2) == 0) return std::nullopt;
    return OverrideTerms{.reason = "r", .author = "ada", .made = Instant{1}, .until = {}};
  }

  void commit(Transaction transaction, const std::optional<OverrideTerms>& keep) {
    followed_by_overrides(transaction, store_.state(), keep);
    auto after = apply(store_.state(), transaction, store_.state().lsn.next());
    ASSERT_TRUE(after) << after.error().message;
    changes_.back().transaction = std::move(transaction);
    store_.start_from(*std::move(after));
  }

  void edit() {
    const std::string id = any_of(kIds);
    if (!model_.map.contains(id)) return;
    const std::string& field = any_of(kFields);
    const std::string value = any_value(field);
    RecordEdit edit;
    if (field == "name") edit.name = value;
    if (field == "short_name") edit.short_name = value;
    if (field == "property:tag") edit.properties = properties_of(value);
    const auto keep = any_terms();
    remember();
    model_.edit(id, field, value, keep.has_value());
    commit(*plan_record_update(store_.state(), node(id), edit), keep);
  }
  static std::vector<TextProperty> properties_of(const std::string& tag) {
    return tag.empty() ? std::vector<TextProperty>() : std::vector<TextProperty>{{"tag", tag}};
  }

  void add_or_remove() {
    const std::string id = any_of(kIds);
    const auto keep = any_terms();
    remember();
    if (model_.map.contains(id)) {
      model_.remove(id, keep.has_value());
      return commit(*plan_record_delete(store_.state(), node(id)), keep);
    }
    const Values values = any_values();
    RecordEdit edit;
    edit.id = id;
    edit.name = values.at("name");
    edit.short_name = values.at("short_name");
    edit.properties = properties_of(values.at("property:tag"));
    edit.topologies = std::vector{store_.topology("T").record};
    model_.add(id, values, keep.has_value());
    commit(plan_record_create(store_.state(), Kind::node, edit)->transaction, keep);
  }

  void remember() { changes_.push_back({store_.state(), model_, {}}); }

  // Of the last change that is not undone yet.
  void undo() {
    if (changes_.size() < 2) return;
    const Change last = std::move(changes_.back());
    changes_.pop_back();
    const UndoPlan plan = plan_undo(store_.state(), last.transaction, last.before.graph);
    ASSERT_EQ(plan.conflict_count, 0U);
    auto after = apply(store_.state(), plan.transaction, store_.state().lsn.next());
    ASSERT_TRUE(after) << after.error().message;
    store_.start_from(*std::move(after));
    model_ = last.model;
  }

  struct Change {
    State before;
    Model model;
    Transaction transaction;
  };

  std::mt19937 random_;
  Nodes source_;
  Model model_;
  test::ImportHarness store_;
  std::vector<Change> changes_;
};

unsigned rounds() {
  const char* const given = std::getenv("NETML_OVERRIDE_ROUNDS");
  return given == nullptr ? 200 : static_cast<unsigned>(std::atoi(given));
}

TEST(OverridesProperty, AreALayerOverWhatTheSourceDelivers) {
  for (unsigned seed = 0; seed < rounds(); ++seed) {
    SCOPED_TRACE(seed);
    History history(seed);
    for (int step = 0; step < 30 && !::testing::Test::HasFailure(); ++step) {
      history.step();
      ASSERT_NO_FATAL_FAILURE(history.check()) << "step " << step;
    }
  }
}

}  // namespace
}  // namespace netml::engine
