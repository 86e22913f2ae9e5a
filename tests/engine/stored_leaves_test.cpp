// Goal: vectors and sets made over stored leaves behave as if they had been filled, in every
// version, and read only what is looked at. Method: the same random changes to one of each kind.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <set>
#include <span>
#include <vector>

#include "engine/base/unreadable.hpp"
#include "engine/graph/ordered_set.hpp"
#include "engine/graph/persistent_vector.hpp"
#include "engine/graph/record.hpp"

namespace netml::engine {
namespace {

using Numbers = PersistentVector<std::uint64_t, 8>;

class StoredNumbers final : public Numbers::Source {
 public:
  explicit StoredNumbers(std::vector<std::uint64_t> values)
      : Source(values.size()), values_(std::move(values)) {}
  std::size_t reads() const { return reads_; }

 private:
  void read(std::size_t leaf, Numbers::Items& items) const override {
    ++reads_;
    for (std::size_t i = 0; i < items.size() && leaf * items.size() + i < values_.size(); ++i)
      items[i] = values_[leaf * items.size() + i];
  }
  const std::vector<std::uint64_t> values_;
  mutable std::atomic<std::size_t> reads_ = 0;
};

class StoredKeys final : public OrderedSet::Source {
 public:
  explicit StoredKeys(const std::set<std::uint64_t>& keys)
      : Source(keys.size()), keys_(keys.begin(), keys.end()) {}
  std::size_t reads() const { return reads_; }

 private:
  std::vector<std::uint64_t> first_keys() const override {
    std::vector<std::uint64_t> first;
    for (std::size_t i = 0; i < keys_.size(); i += kLeafKeys) first.push_back(keys_[i]);
    return first;
  }
  std::span<const std::uint64_t> keys(std::size_t leaf) const override {
    ++reads_;
    return std::span(keys_).subspan(leaf * kLeafKeys, key_count(leaf));
  }
  const std::vector<std::uint64_t> keys_;
  mutable std::atomic<std::size_t> reads_ = 0;
};

RC_GTEST_PROP(StoredLeaves, OfVectorsAreAsIfTheyHadBeenSet, ()) {
  const auto stored =
      *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 3));
  Numbers filled;
  filled.resize(stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) filled.set(i, stored[i]);
  Numbers over(std::make_shared<StoredNumbers>(stored));
  const Numbers filled_before = filled;
  const Numbers over_before = over;
  const auto differ = [](const Numbers& a, const Numbers& b) {
    std::vector<std::size_t> indexes;
    a.for_each_difference(b, [&](std::size_t index) { indexes.push_back(index); });
    return indexes;
  };
  RC_ASSERT(differ(over, filled).empty());
  const auto changes = *rc::gen::container<std::vector<std::pair<std::size_t, std::uint64_t>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, 3000), rc::gen::inRange<std::uint64_t>(0, 3)));
  for (const auto& [index, value] : changes)
    for (Numbers* numbers : {&filled, &over}) {
      if (index >= numbers->size()) numbers->resize(index + 1);
      numbers->set(index, value);
      if (value == 0) numbers->release_if_empty(index);
    }
  RC_ASSERT(differ(over, filled).empty());
  RC_ASSERT(differ(over_before, filled_before).empty());
  RC_ASSERT(differ(over, over_before) == differ(filled, filled_before));
}

// The last stored leaf has room for items that come later: when the last of all is cleared, what is
// stored must not show again.
TEST(StoredLeaves, OfVectorsStayHiddenWhereItemsCameBehindThem) {
  constexpr std::size_t kBehind = 6;
  Numbers numbers(std::make_shared<StoredNumbers>(std::vector<std::uint64_t>(5, 1)));
  numbers.resize(kBehind + 1);
  numbers.set(kBehind, 1);
  for (std::size_t index = 0; index <= kBehind; ++index) {
    numbers.set(index, 0);
    numbers.release_if_empty(index);
  }
  for (std::size_t index = 0; index <= kBehind; ++index) EXPECT_EQ(numbers.at(index), 0U) << index;
}

TEST(StoredLeaves, OfVectorsAreReadWhenTheyAreLookedAt) {
  const auto source = std::make_shared<StoredNumbers>(std::vector<std::uint64_t>(1000, 5));
  const Numbers numbers(source);
  Numbers changed = numbers;
  EXPECT_EQ(source->reads(), 0U);
  EXPECT_EQ(numbers.at(3), 5U);
  EXPECT_EQ(changed.at(4), 5U);
  EXPECT_EQ(source->reads(), 1U) << "versions share what one of them took";
  changed.set(500, 6);
  EXPECT_EQ(source->reads(), 2U);
  std::size_t differences = 0;
  numbers.for_each_difference(changed, [&](std::size_t) { ++differences; });
  EXPECT_EQ(differences, 1U);
  EXPECT_EQ(source->reads(), 2U) << "what both take from the source does not differ";
}

TEST(StoredLeaves, OfSetsNeedNotBeReadToTellAboutHowManyThereAre) {
  std::set<std::uint64_t> keys;
  for (std::uint64_t key = 0; key < 50000; ++key) keys.insert(3 * key);
  const auto source = std::make_shared<StoredKeys>(keys);
  const OrderedSet set(source);
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges{
      {0, 149999}, {300, 300}, {30000, 60001}, {7, 5000}};
  for (const auto& [first, last] : ranges) {
    const auto exact =
        static_cast<std::size_t>(std::distance(keys.lower_bound(first), keys.upper_bound(last)));
    EXPECT_GE(set.size_about(first, last), exact) << first;
    EXPECT_LE(set.size_about(first, last), exact + 2 * OrderedSet::Source::kLeafKeys) << first;
  }
  EXPECT_EQ(source->reads(), 0U);
  EXPECT_EQ(OrderedSet().size_about(0, 10), 0U);
}

RC_GTEST_PROP(StoredLeaves, OfSetsAreAsIfTheyHadBeenInserted, ()) {
  // Dense enough for several leaves, and for removals to meet.
  std::set<std::uint64_t> model;
  const auto spread = *rc::gen::inRange<std::uint64_t>(1, 4);
  const auto count = *rc::gen::inRange<std::uint64_t>(0, 5000);
  for (std::uint64_t i = 0; i < count; ++i) model.insert(i * spread);
  OrderedSet set(std::make_shared<StoredKeys>(model));
  const OrderedSet before = set;
  const std::set<std::uint64_t> model_before = model;
  const auto agree = [](const OrderedSet& a, const std::set<std::uint64_t>& b) {
    std::vector<std::uint64_t> keys;
    a.visit_range(0, ~std::uint64_t{0}, [&](std::uint64_t key) {
      keys.push_back(key);
      return true;
    });
    return a.size() == b.size() && std::ranges::equal(keys, b);
  };
  RC_ASSERT(agree(set, model));
  const auto begin = *rc::gen::inRange<std::uint64_t>(0, 15000);
  const auto removed = *rc::gen::inRange<std::uint64_t>(0, 4000);
  for (std::uint64_t key = begin; key < begin + removed; ++key)
    RC_ASSERT(set.erase(key) == (model.erase(key) > 0));
  const auto added =
      *rc::gen::container<std::set<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(0, 20000));
  for (const std::uint64_t key : added) RC_ASSERT(set.insert(key) == model.insert(key).second);
  RC_ASSERT(agree(set, model));
  RC_ASSERT(agree(before, model_before));
  const auto first = *rc::gen::inRange<std::uint64_t>(0, 20000);
  const auto after = model.upper_bound(first + 500);
  const bool found = after != model.begin() && *std::prev(after) >= first;
  RC_ASSERT(set.last_in(first, first + 500) ==
            (found ? std::optional(*std::prev(after)) : std::nullopt));
}

TEST(StoredLeaves, OfSetsAreUsedWhereTheyLie) {
  std::set<std::uint64_t> keys;
  for (std::uint64_t key = 0; key < 100000; ++key) keys.insert(key);
  const auto source = std::make_shared<StoredKeys>(keys);
  OrderedSet set(source);
  EXPECT_EQ(source->reads(), 0U);
  const std::size_t bytes = set.memory_bytes();
  EXPECT_TRUE(set.contains(70000));
  EXPECT_EQ(source->reads(), 1U);
  EXPECT_EQ(set.memory_bytes(), bytes);
  const OrderedSet before = set;
  EXPECT_TRUE(set.erase(70001));
  EXPECT_TRUE(before.contains(70001));
  EXPECT_EQ(set.size(), keys.size() - 1);
  EXPECT_GT(set.memory_bytes(), bytes) << "the leaf that changed";
  EXPECT_EQ(before.memory_bytes(), bytes);
}

TEST(StoredLeaves, ThatCannotBeReadAreAnErrorEachTime) {
  class Unreadable final : public Numbers::Source {
   public:
    Unreadable() : Source(100) {}

   private:
    void read(std::size_t, Numbers::Items&) const override {
      throw UnreadableError({Errc::io_error, "the disk is gone"});
    }
  };
  const Numbers numbers(std::make_shared<Unreadable>());
  EXPECT_THROW(static_cast<void>(numbers.at(1)), UnreadableError);
  EXPECT_THROW(static_cast<void>(numbers.at(1)), UnreadableError);
}

// ---- records ----

AttributeFields some_fields() {
  static const std::vector<Property> kProperties{{"a", "1"}, {"!-from_topology", "x,y"}, {"", ""}};
  AttributeFields fields;
  fields.kind = Kind::node;
  fields.id = "urn:node";
  fields.name = "a node";
  fields.start = Instant{7};
  fields.coordinates = Coordinates{Micro{1}, Micro{-2}};
  fields.address = "somewhere";
  fields.properties = kProperties;
  return fields;
}

// In memory that has no other bytes behind, so that a sanitizer sees each look beyond.
AttributesPtr stored_at(std::vector<std::uint64_t>& words, const Attributes& attributes) {
  words.assign(attributes.stored_bytes() / sizeof(std::uint64_t), 0);
  attributes.store(std::as_writable_bytes(std::span(words)));
  return Attributes::in_place(std::as_bytes(std::span(words)));
}

TEST(StoredRecords, AreUsedWhereTheyLie) {
  const AttributesPtr made = Attributes::make(some_fields());
  std::vector<std::uint64_t> words;
  {
    const AttributesPtr stored = stored_at(words, *made);
    ASSERT_NE(stored, nullptr);
    EXPECT_TRUE(*stored == *made);
    EXPECT_EQ(stored->allocated_bytes(), 0U);
    const AttributesPtr other = stored;  // counts nothing: the memory is read-only
    EXPECT_TRUE(*stored->copy() == *made);
    EXPECT_GT(stored->copy()->allocated_bytes(), 0U);
  }
  std::vector<std::uint64_t> unchanged;
  static_cast<void>(stored_at(unchanged, *made));
  EXPECT_EQ(words, unchanged);

  const std::array<RecordId, 2> ids{RecordId{3}, RecordId{9}};
  const RelationsPtr relations =
      Relations::make({.topologies = std::span(ids).first(1), .ends = ids});
  std::vector<std::uint64_t> more(relations->stored_bytes() / sizeof(std::uint64_t));
  relations->store(std::as_writable_bytes(std::span(more)));
  const RelationsPtr in_place = Relations::in_place(std::as_bytes(std::span(more)));
  ASSERT_NE(in_place, nullptr);
  EXPECT_TRUE(*in_place == *relations);
  EXPECT_TRUE(*in_place->copy() == *relations);
  EXPECT_EQ(Relations::in_place(std::as_bytes(std::span(more)).first(8)), nullptr);
}

// As the journal refuses it: a change of the record would lose it.
TEST(StoredRecords, WithAFieldOfALaterProgramAreNone) {
  AttributeFields fields;
  fields.kind = Kind::node;
  std::vector<std::uint64_t> words;
  static_cast<void>(stored_at(words, *Attributes::make(fields)));
  // A text of three bytes: its length with its head, its field, its own length.
  const auto with_text = [&](std::uint16_t field) {
    std::vector<std::uint64_t> changed = words;
    changed.resize(words.size() + 2);
    auto* bytes = reinterpret_cast<unsigned char*>(changed.data());
    bytes[4] += 11;
    bytes[9] |= 128;
    const std::uint16_t further[] = {7, 0, field, 3};
    std::memcpy(bytes + 24, further, sizeof further);
    return Attributes::in_place(std::as_bytes(std::span(changed))) != nullptr;
  };
  EXPECT_NE(Attributes::in_place(std::as_bytes(std::span(words))), nullptr);
  EXPECT_FALSE(with_text(static_cast<std::uint16_t>(kFieldCount)));
  EXPECT_FALSE(with_text(static_cast<std::uint16_t>(Field::address)));
  EXPECT_EQ(with_text(static_cast<std::uint16_t>(Field::origin) + 1), kFurtherTextCount > 0);
}

// Whatever the bytes are, nothing beyond them is looked at.
TEST(StoredRecords, ThatDoNotHoldTogetherAreNone) {
  const AttributesPtr made = Attributes::make(some_fields());
  std::vector<std::uint64_t> good;
  static_cast<void>(stored_at(good, *made));
  std::size_t refused = 0;
  for (std::size_t bit = 0; bit < good.size() * 64; ++bit) {
    std::vector<std::uint64_t> words = good;
    words[bit / 64] ^= std::uint64_t{1} << bit % 64;
    const AttributesPtr stored = Attributes::in_place(std::as_bytes(std::span(words)));
    if (stored == nullptr) {
      ++refused;
      continue;
    }
    static_cast<void>(stored->fields());
    static_cast<void>(stored->properties());
    static_cast<void>(stored->from_topology());
  }
  EXPECT_GT(refused, 32U);
  for (std::size_t size = 0; size < good.size(); ++size) {
    const std::vector<std::uint64_t> cut(good.begin(),
                                         good.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(Attributes::in_place(std::as_bytes(std::span(cut))), nullptr);
  }
}

}  // namespace
}  // namespace netml::engine
