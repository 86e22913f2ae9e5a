// Goal: the description of each entity is what its members are, and the indexes of a table find
// what a walk over it finds, at a cost that does not grow with the table.
#include "engine/catalog/catalog.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "engine/catalog/catalog_digest.hpp"
#include "engine/transaction/catalog_tables.hpp"
#include "engine/transaction/field_change.hpp"
#include "tests/support/other_values.hpp"

namespace netml::engine {
namespace {

using testing::other_value;

// ---- the description ----

// Digests and the journal take the members in the order in which they are declared.
TEST(Entries, NameTheirMembersInTheOrderOfDeclaration) {
  for_each_catalog_table([]<class T>(const CatalogTable<T>&) {
    const T entry{};
    const void* before = &entry;
    std::set<std::string> names;
    for_each_field<T>([&](const auto& field) {
      SCOPED_TRACE(std::string(T::kKind.name) + "." + field.name);
      EXPECT_TRUE(std::less_equal<const void*>()(before, &(entry.*field.member)));
      before = &(entry.*field.member);
      EXPECT_TRUE(names.insert(field.name).second);
    });
  });
}

TEST(Entries, HaveARoleAndNamesOfTheirOwn) {
  std::set<int> roles{1, 2, 3, 12};  // attributes, relations, number, planned effect
  std::set<std::string> names;
  std::set<std::string> tables;
  for_each_catalog_table([&]<class T>(const CatalogTable<T>&) {
    EXPECT_TRUE(roles.insert(T::kKind.role).second) << T::kKind.name;
    EXPECT_TRUE(names.insert(T::kKind.name).second) << T::kKind.name;
    EXPECT_TRUE(tables.insert(T::kKind.table).second) << T::kKind.name;
  });
}

TEST(Entries, HaveAnotherDigestWhenAnyFieldDiffers) {
  for_each_catalog_table([]<class T>(const CatalogTable<T>&) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> digests;
    const auto add = [&](const T& entry) {
      const Digest digest = entry_digest(7, entry);
      return digests.emplace(digest.low, digest.high).second;
    };
    EXPECT_TRUE(add(T{}));
    for_each_field<T>([&](const auto& field) {
      T entry{};
      other_value(entry.*field.member);
      EXPECT_TRUE(add(entry)) << T::kKind.name << "." << field.name;
    });
  });
}

TEST(Entries, TellEachFieldThatIsNoSecretAndNoSecret) {
  for_each_catalog_table([]<class T>(const CatalogTable<T>&) {
    for_each_field<T>([&](const auto& field) {
      SCOPED_TRACE(std::string(T::kKind.name) + "." + field.name);
      const T before{};
      T after{};
      other_value(after.*field.member);
      const std::vector<EntryFieldChange> changes = compare_entries(&before, &after);
      ASSERT_EQ(changes.size(), field.traits.shown == Shown::nothing ? 0U : 1U);
      if (changes.empty()) return;
      EXPECT_EQ(changes[0].field, field.reported_name());
      const bool silent = changes[0].before == FieldValue() && changes[0].after == FieldValue();
      EXPECT_EQ(changes[0].secret, field.traits.shown == Shown::change);
      EXPECT_EQ(silent, changes[0].secret);
    });
  });
}

// ---- the indexes ----

struct Item {
  std::string name;
  int state = 0;
  std::string label;

  bool operator==(const Item&) const = default;
  static constexpr EntryKind kKind{.name = "item", .table = "items", .role = 255};
  static consteval auto fields() {
    return std::tuple{field("name", &Item::name, {.index = Index::exact, .title = true}),
                      field("state", &Item::state, {.index = Index::exact}),
                      field("label", &Item::label, {.index = Index::caseless})};
  }
};

void expect_as_by_a_walk(const Table<Item>& table) {
  std::map<std::string, std::vector<std::uint64_t>> names, labels;
  std::map<int, std::vector<std::uint64_t>> states;
  table.for_each([&](std::uint64_t number, const Item& item) {
    names[item.name].push_back(number);
    labels[lower_case(item.label)].push_back(number);
    states[item.state].push_back(number);
  });
  const auto first = [](const std::vector<std::uint64_t>& all) { return all.empty() ? 0 : all[0]; };
  for (int i = 0; i < 12; ++i) {
    const std::string text = "N" + std::to_string(i);
    std::vector<std::uint64_t> found;
    const auto add = [&](std::uint64_t number, const Item&) { found.push_back(number); };
    table.for_each_with<&Item::name>(text, add);
    EXPECT_EQ(found, names[text]);
    EXPECT_EQ(table.find_with<&Item::name>(text), first(names[text]));
    found.clear();
    table.for_each_titled(text, add);
    EXPECT_EQ(found, names[text]);
    found.clear();
    table.for_each_with<&Item::state>(i, add);
    EXPECT_EQ(found, states[i]);
    EXPECT_EQ(table.newest_with<&Item::state>(i), states[i].empty() ? 0 : states[i].back());
    EXPECT_EQ(table.find_in_any_case<&Item::label>(text), first(labels[lower_case(text)]));
  }
}

TEST(TableIndexes, FindWhatAWalkFindsInEachVersion) {
  std::mt19937 random(17);
  const auto draw = [&](unsigned count) { return static_cast<int>(random() % count); };
  std::vector<Table<Item>> versions(1);
  for (int step = 0; step < 2000; ++step) {
    Table<Item> next = versions.back();
    const std::uint64_t number = 1 + random() % next.next_number();
    if (draw(4) == 0)
      next.set(number, nullptr);
    else
      next.set(number, std::make_shared<const Item>(
                           Item{"N" + std::to_string(draw(12)), draw(12),
                                (draw(2) ? "n" : "N") + std::to_string(draw(12))}));
    if (step % 100 == 0) versions.push_back(next);
    versions.back() = std::move(next);
  }
  for (const Table<Item>& version : versions) expect_as_by_a_walk(version);
}

// Counts how often it is compared.
struct CountedName {
  int value = 0;
  static inline int compared = 0;
  bool operator==(const CountedName& other) const {
    ++compared;
    return value == other.value;
  }
};
std::uint32_t index_bits(const CountedName& name) {
  return static_cast<std::uint32_t>(name.value);
}
struct CountedItem {
  CountedName name;
  static constexpr EntryKind kKind{.name = "counted item", .table = "items", .role = 255};
  static consteval auto fields() {
    return std::tuple{field("name", &CountedItem::name, {.index = Index::exact})};
  }
};

TEST(TableIndexes, LookAtNoMoreEntriesInALargeTable) {
  std::vector<int> compared;
  for (const int size : {10, 1000, 100000}) {
    Table<CountedItem> table;
    for (int i = 0; i < size; ++i)
      table.set(table.next_number(), std::make_shared<const CountedItem>(CountedItem{{i}}));
    CountedName::compared = 0;
    EXPECT_EQ(table.find_with<&CountedItem::name>(CountedName{size / 2}), size / 2 + 1);
    EXPECT_EQ(table.newest_with<&CountedItem::name>(CountedName{size - 1}), size);
    EXPECT_EQ(table.find_with<&CountedItem::name>(CountedName{-1}), 0);
    compared.push_back(CountedName::compared);
  }
  EXPECT_EQ(compared, std::vector<int>(3, 2));
}

}  // namespace
}  // namespace netml::engine
