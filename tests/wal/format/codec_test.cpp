// Goal: what is encoded decodes to the same, updates hold only what differs, and an update that
// does not find its before-values is damage (J8).
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <type_traits>

#include "engine/graph/attributes.hpp"
#include "engine/graph/graph_changes.hpp"
#include "engine/transaction/catalog_tables.hpp"
#include "tests/support/other_values.hpp"
#include "tests/support/transaction_builder.hpp"
#include "wal/format/effects_decoder.hpp"
#include "wal/format/effects_encoder.hpp"

namespace netml::wal::test {
namespace {

using engine::State;
using engine::Transaction;
using testing::import_topology;
using testing::TransactionBuilder;

Status decode_all(const Transaction& transaction, const State& base, Transaction& decoded,
                  std::size_t bytes_aimed = kPayloadBytesAimed, std::size_t* bytes = nullptr) {
  EffectsSlicer slicer(EffectsView::of(transaction), bytes_aimed);
  MessageScratch scratch;
  EffectsDecoder decoder;
  while (!slicer.done())
    NETML_TRY_VOID(encode_effects(slicer.next(), scratch, [&](std::span<const std::byte> payload) {
      if (bytes != nullptr) *bytes += payload.size();
      return decoder.decode(payload, base.graph, decoded);
    }));
  return {};
}

template <class T>
void expect_same_entries(const std::vector<engine::EntryChange<T>>& a,
                         const std::vector<engine::EntryChange<T>>& b) {
  ASSERT_EQ(a.size(), b.size());
  const auto same = [](const auto& x, const auto& y) {
    return x == nullptr || y == nullptr ? x == nullptr && y == nullptr : *x == *y;
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].number, b[i].number);
    EXPECT_TRUE(same(a[i].before, b[i].before) && same(a[i].after, b[i].after));
  }
}

void expect_same(const Transaction& a, const Transaction& b) {
  ASSERT_EQ(a.records.size(), b.records.size());
  for (std::size_t i = 0; i < a.records.size(); ++i) {
    EXPECT_EQ(a.records[i].id, b.records[i].id);
    const auto same = [](const engine::Record& x, const engine::Record& y) {
      return x && y ? x == y : !x && !y;
    };
    EXPECT_TRUE(same(a.records[i].before, b.records[i].before));
    EXPECT_TRUE(same(a.records[i].after, b.records[i].after));
  }
  EXPECT_EQ(a.numberings, b.numberings);
  EXPECT_EQ(a.renumberings, b.renumberings);
  engine::for_each_catalog_table(
      [&](const auto& table) { expect_same_entries(a.*table.changes, b.*table.changes); });
}

State some_state() {
  return *engine::apply(State(), import_topology(State(), "a", 6), Lsn{1});
}

TEST(Codec, KeepsCreationsUpdatesAndDeletions) {
  const State base = some_state();
  TransactionBuilder edit(base);
  edit.rename(RecordId{2}, "another name");
  edit.erase(RecordId{13});  // a link, which nothing refers to
  const RecordId topology = edit.topology("urn:b", RecordId{1});
  edit.institution("urn:b:i", topology);
  edit.renumber(RecordId{1}, 11);
  edit.token("client");
  edit.setting("NAME", "value");
  Sha256 file_hash;
  file_hash.fill(std::byte{9});
  edit.import_record("file.xml", file_hash);
  edit.publish("item");
  edit.account("someone");
  edit.ruleset("decisions");
  edit.rule("keep out", 1);
  edit.plan("later.xml");
  edit.source("peer");
  edit.session(1);
  edit.origin("portal");
  edit.identity("ada@example.org");
  edit.poll(1);
  const Transaction transaction = edit.finish();
  for (const std::size_t aimed : {std::size_t{1}, std::size_t{512}, kPayloadBytesAimed}) {
    Transaction decoded;
    const Status done = decode_all(transaction, base, decoded, aimed);
    ASSERT_TRUE(done) << done.error().message;
    expect_same(transaction, decoded);
  }
}

// How many words a record needs is known from its size alone.
TEST(Codec, HasRoomForTextsOfEveryLength) {
  MessageScratch scratch;
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string text(length, 'x');
    const std::vector<engine::Property> properties(length, engine::Property{text, text});
    engine::AttributeFields fields;
    fields.kind = Kind::node;
    engine::for_each_text([&](const auto& field) { fields.*field.member = text; });
    fields.properties = properties;
    Transaction transaction;
    transaction.records.push_back(
        {RecordId{1}, {}, {engine::Attributes::make(fields), engine::Relations::make({})}});
    EffectsSlicer slicer(EffectsView::of(transaction));
    const auto slice = slicer.next();
    EXPECT_TRUE(encode_effects(slice, scratch, [&](std::span<const std::byte> payload) -> Status {
      EXPECT_LE(payload.size(), slice.words * sizeof(std::uint64_t));
      return {};
    }));
  }
}

TEST(Codec, KeepsEachFieldOfEachEntity) {
  Transaction transaction;
  engine::for_each_catalog_table([&]<class T>(const engine::CatalogTable<T>& table) {
    auto& changes = transaction.*table.changes;
    engine::for_each_field<T>([&](const auto& field) {
      T entry{};
      testing::other_value(entry.*field.member);
      changes.push_back({changes.size() + 1, std::make_shared<const T>(),
                         std::make_shared<const T>(std::move(entry))});
    });
  });
  Transaction decoded;
  const Status done = decode_all(transaction, State(), decoded);
  ASSERT_TRUE(done) << done.error().message;
  expect_same(transaction, decoded);
}

template <class T>
T another_value() {
  if constexpr (std::is_same_v<T, bool>)
    return true;
  else if constexpr (std::is_same_v<T, std::string_view>)
    return "other";
  else if constexpr (std::is_same_v<T, std::optional<Instant>>)
    return Instant{-5};
  else if constexpr (std::is_same_v<T, std::optional<engine::Micro>>)
    return engine::Micro{-1};
  else
    return engine::Coordinates{engine::Micro{1}, engine::Micro{-2}};
}

// Every field that is described, set and unset, in both directions: the codec names the fields that
// have places of their own in RecordPart one by one, and this holds it against the description.
TEST(Codec, KeepsAnUpdateOfEachField) {
  const State base = some_state();
  const engine::Record node = base.graph.record(RecordId{3});
  using Fields = engine::AttributeFields;
  std::vector<std::function<void(Fields&)>> edits{[](Fields& f) { f.properties = {}; }};
  engine::for_each_attribute([&]<class T>(const engine::Attribute<T>& attribute) {
    edits.emplace_back([attribute](Fields& f) { f.*attribute.member = T(); });
    edits.emplace_back([attribute](Fields& f) { f.*attribute.member = another_value<T>(); });
  });
  for (std::size_t i = 0; i < edits.size(); ++i) {
    SCOPED_TRACE(i);
    Fields fields = node.attributes->fields();
    const std::vector<engine::Property> properties = node.attributes->properties();
    fields.properties = properties;
    edits[i](fields);
    Transaction there;
    there.records.push_back(
        {RecordId{3}, node, {engine::Attributes::make(fields), node.relations}});
    Transaction decoded;
    ASSERT_TRUE(decode_all(there, base, decoded));
    expect_same(there, decoded);

    engine::GraphChanges changes(base.graph);
    changes.put(RecordId{3}, there.records[0].after);
    State changed = base;
    changed.graph = std::move(changes).finish();
    Transaction back;
    back.records.push_back({RecordId{3}, there.records[0].after, node});
    Transaction decoded_back;
    ASSERT_TRUE(decode_all(back, changed, decoded_back));
    expect_same(back, decoded_back);
  }
}

TEST(Codec, KeepsAnUpdateOfEachAssociation) {
  const State base = some_state();
  const engine::Record link = base.graph.record(RecordId{5});
  ASSERT_EQ(link.kind(), Kind::link);
  const RecordId topologies[] = {RecordId{1}, RecordId{40}, RecordId{50}};
  const RecordId owners[] = {RecordId{41}};
  const RecordId ends[] = {RecordId{6}, RecordId{3}};
  for (const engine::RelationFields& relations :
       {engine::RelationFields{topologies, link.relations->owners(), link.relations->ends(), {}},
        engine::RelationFields{{}, owners, link.relations->ends(), RecordId{9}},
        engine::RelationFields{topologies, {}, ends, RecordId{1}}}) {
    Transaction transaction;
    transaction.records.push_back(
        {RecordId{5}, link, {link.attributes, engine::Relations::make(relations)}});
    Transaction decoded;
    const Status done = decode_all(transaction, base, decoded);
    ASSERT_TRUE(done) << done.error().message;
    expect_same(transaction, decoded);
  }
}

TEST(Codec, RefusesAnUpdateOfOtherValues) {
  const State base = some_state();
  TransactionBuilder edit(base);
  edit.rename(RecordId{2}, "first");
  const Transaction first = edit.finish();
  const State later = *engine::apply(base, first, Lsn{2});
  Transaction decoded;
  const Status done = decode_all(first, later, decoded);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::corruption);
}

// Decision 8: confirming an unchanged topology must not cost an entry for each element.
TEST(Codec, HoldsARenumberingInAtMost24Bytes) {
  Transaction few, many;
  for (std::uint32_t i = 1; i <= 10; ++i)
    few.renumberings.push_back({RecordId{i}, RecordNumber{i * 100}, 1000});
  many = few;
  for (std::uint32_t i = 11; i <= 1010; ++i)
    many.renumberings.push_back({RecordId{i}, RecordNumber{i * 100}, 1000});
  std::size_t few_bytes = 0, many_bytes = 0;
  Transaction decoded;
  ASSERT_TRUE(decode_all(few, State(), decoded, kPayloadBytesAimed, &few_bytes));
  ASSERT_TRUE(decode_all(many, State(), decoded, kPayloadBytesAimed, &many_bytes));
  EXPECT_LE((many_bytes - few_bytes) / 1000, 24U);
}

TEST(Codec, RefusesAnEntryBeyondTheFrameLimitBeforeItIsWritten_J7_C5) {
  const State empty;
  TransactionBuilder builder(empty);
  builder.setting("NAME", std::string(5 << 20, 'x'));
  const Status checked = check_encodable(EffectsView::of(builder.transaction()));
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, Errc::too_large);
}

TEST(Codec, SurvivesDamagedPayloadsWithoutAbort_C1_C2) {
  const State base = some_state();
  const Transaction transaction = import_topology(base, "b", 3);
  EffectsSlicer slicer(EffectsView::of(transaction));
  MessageScratch scratch;
  ASSERT_TRUE(encode_effects(slicer.next(), scratch, [&](std::span<const std::byte> payload) {
    std::vector<std::uint64_t> words(payload.size() / 8);
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(words));
    for (std::size_t bit = 0; bit < payload.size() * 8; bit += 3) {
      std::ranges::copy(payload, bytes.begin());
      bytes[bit / 8] ^= std::byte{1} << (bit % 8);
      Transaction decoded;
      EffectsDecoder decoder;
      static_cast<void>(decoder.decode(bytes, base.graph, decoded).has_value());
    }
    return Status();
  }));
}

}  // namespace
}  // namespace netml::wal::test
