// Goal: an export of the history takes little memory at once whatever its rows are, is never silent
// for long, and does not end early without an error. Method: transactions that no journal holds.
#include "admin/history/detail/history_source.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/transaction/transaction.hpp"

namespace netml::admin {
namespace {

using ::testing::HasSubstr;

engine::StatePtr state_at(std::uint64_t lsn) {
  auto state = std::make_shared<engine::State>();
  state->lsn = Lsn{lsn};
  return state;
}

// `changes` by LSN, from 1.
wal::NextTransaction replay_of(std::vector<std::vector<engine::RecordChange>> changes) {
  return [changes = std::move(changes),
          lsn = std::uint64_t{0}]() mutable -> Result<std::optional<wal::ReplayedTransaction>> {
    if (lsn == changes.size()) return std::nullopt;
    ++lsn;
    wal::ReplayedTransaction made{{}, state_at(lsn - 1), state_at(lsn)};
    made.transaction.records = changes[lsn - 1];
    return made;
  };
}

engine::Record node_saying(std::string_view text) {
  engine::AttributeFields fields;
  fields.kind = Kind::node;
  fields.id = "n";
  const engine::Property property{"note", text};
  fields.properties = std::span(&property, 1);
  return {engine::Attributes::make(fields), engine::Relations::make({})};
}

struct Pieces {
  std::vector<std::string> all;
  std::size_t largest = 0;
};

Pieces pieces_of(wal::NextTransaction next, std::uint64_t last, std::size_t identities = 1) {
  const auto source = history_source({std::move(next), state_at(0), Lsn{last}, identities}, {}, {});
  Pieces pieces;
  for (auto piece = source->next(); piece && !piece->empty(); piece = source->next()) {
    pieces.all.emplace_back(*piece);
    pieces.largest = std::max(pieces.largest, piece->size());
  }
  return pieces;
}

TEST(HistorySource, GivesSignsOfLifeWhereThereAreNoRows) {
  constexpr std::size_t kTransactions = 5000;
  const Pieces pieces = pieces_of(
      replay_of(std::vector<std::vector<engine::RecordChange>>(kTransactions)), kTransactions);
  ASSERT_EQ(pieces.all.size(), 6U);
  EXPECT_THAT(pieces.all.front(), HasSubstr("versions.parquet 4\nPAR1"));
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(pieces.all[i], "part.json 0\n");
  EXPECT_TRUE(pieces.all.back().ends_with("PAR1"));
}

TEST(HistorySource, EndsWithAnErrorWhereTheReplayEndsEarly) {
  const Pieces pieces = pieces_of(replay_of({{}, {}}), 3);
  ASSERT_FALSE(pieces.all.empty());
  EXPECT_THAT(pieces.all.back(), HasSubstr("error "));
  EXPECT_THAT(pieces.all.back(), HasSubstr("LSN 2 and is to lead to LSN 3"));
}

TEST(HistorySource, EndsWithAnErrorWhereTheReplayLeadsPastTheLast) {
  auto skipping = [lsn = std::uint64_t{0}]() mutable {
    lsn += 2;
    return Result<std::optional<wal::ReplayedTransaction>>(
        wal::ReplayedTransaction{{}, state_at(lsn - 2), state_at(lsn)});
  };
  EXPECT_THAT(pieces_of(skipping, 3).all.back(), HasSubstr("LSN 2 and is to lead to LSN 3"));
}

TEST(HistorySource, RefusesAnIdentityThatWasNeverGiven) {
  const engine::Record record = node_saying("");
  const Pieces pieces = pieces_of(replay_of({{{RecordId{7}, {}, record}}}), 1, 7);
  EXPECT_THAT(pieces.all.back(), HasSubstr("the identity 7 was never given"));
}

// Of one transaction that ends many of them.
TEST(HistorySource, HoldsOneRowGroupOfLargeElements) {
  constexpr std::uint32_t kElements = 40;
  std::mt19937_64 random(1);  // NOLINT: the same texts each time
  std::vector<std::vector<engine::RecordChange>> changes(2);
  for (std::uint32_t id = 1; id <= kElements; ++id) {
    std::string text;
    while (text.size() < 1 << 20) text += fmt::format("{:016x}", random());
    const engine::Record record = node_saying(text);
    changes[0].push_back({RecordId{id}, {}, record});
    changes[1].push_back({RecordId{id}, record, {}});
  }
  const Pieces pieces = pieces_of(replay_of(std::move(changes)), 2, kElements + 1);
  // Compressed they take half.
  EXPECT_GE(pieces.all.size(), 4U);
  EXPECT_LE(pieces.largest, codecs::ParquetWriter::kGroupBytes);
}

}  // namespace
}  // namespace netml::admin
