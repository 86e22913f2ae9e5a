// Goal: the model keeps the contract of the shared log, as long as nothing goes wrong; and what the
// port itself computes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sim_shared_log.hpp"
#include "tests/wal/shared/shared_log_contract.hpp"

namespace netml::wal::test {
namespace {

class ModelUnderTest final : public SharedLogUnderTest {
 public:
  std::unique_ptr<SharedLog> connect() override { return model_.connect(); }
  NodeUuid cluster() const override { return contract_cluster(); }
  Head start() const override { return contract_start(); }
  void pass(std::chrono::nanoseconds time) override { clock_.advance(time); }

 private:
  testing::ManualClock clock_;
  testing::SimSharedLog model_{clock_, {.cluster = contract_cluster(), .start = contract_start()}};
};

INSTANTIATE_TEST_SUITE_P(OfTheModel, SharedLogContract,
                         ::testing::Values(SharedLogMaker{
                             "Model", [] { return std::make_unique<ModelUnderTest>(); }}),
                         name_of_maker);

TEST(SharedUploads, AreCutIntoPiecesThatAreFullButTheLast) {
  const auto upload = [](std::uint64_t bytes) {
    return SharedUpload{Sha256{}, StoredAs::itself, bytes};
  };
  EXPECT_EQ(pieces_of(upload(0)), 1);
  EXPECT_EQ(pieces_of(upload(1)), 1);
  EXPECT_EQ(pieces_of(upload(kSharedPieceBytesMax)), 1);
  EXPECT_EQ(pieces_of(upload(kSharedPieceBytesMax + 1)), 2);
  EXPECT_EQ(piece_bytes(upload(0), 0), 0);
  EXPECT_EQ(piece_bytes(upload(kSharedPieceBytesMax + 1), 0), kSharedPieceBytesMax);
  EXPECT_EQ(piece_bytes(upload(kSharedPieceBytesMax + 1), 1), 1);
  EXPECT_EQ(piece_bytes(upload(kSharedPieceBytesMax + 1), 2), 0);
}

}  // namespace
}  // namespace netml::wal::test
