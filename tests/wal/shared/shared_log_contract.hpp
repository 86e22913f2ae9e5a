// What every implementation of the port SharedLog must do, as a suite that takes a maker of logs.
// The tests are in shared_log_contract.cpp; each program that has an implementation links that and
// says in a source of its own
//
//   INSTANTIATE_TEST_SUITE_P(Of..., SharedLogContract, ::testing::Values(maker), name_of_maker);
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wal/shared/shared_log.hpp"

namespace netml::wal::test {

// A log that was just made, and what moves its clock.
class SharedLogUnderTest {
 public:
  virtual ~SharedLogUnderTest() = default;
  // Another connection to the same log each time. They are destroyed before this.
  virtual std::unique_ptr<SharedLog> connect() = 0;
  // What it was made with.
  virtual NodeUuid cluster() const = 0;
  virtual Head start() const = 0;
  // Returns when the engine's clock has gone on by at least that.
  virtual void pass(std::chrono::nanoseconds time) = 0;
};

// What the log must be made with: it may begin anywhere.
NodeUuid contract_cluster();
Head contract_start();

struct SharedLogMaker {
  std::string name;
  std::function<std::unique_ptr<SharedLogUnderTest>()> make;
};
inline void PrintTo(const SharedLogMaker& maker, std::ostream* out) {
  *out << maker.name;
}
inline std::string name_of_maker(const ::testing::TestParamInfo<SharedLogMaker>& info) {
  return info.param.name;
}

// As the limit of a read: all that there is.
inline constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

// The head at `lsn` in a history that `history` names; the log takes hashes as they are.
Head some_head(std::uint64_t lsn, std::string_view history = "a");

// An append that owns its pieces.
class OwnedAppend {
 public:
  OwnedAppend(const Head& before, const Head& after, Epoch epoch, std::vector<std::string> pieces);
  OwnedAppend(const OwnedAppend&) = delete;
  OwnedAppend& operator=(const OwnedAppend&) = delete;

  Append append() const { return {before_, after_, epoch_, views_, files_}; }
  void bring(SharedFile file) { files_.push_back(std::move(file)); }

 private:
  Head before_;
  Head after_;
  Epoch epoch_;
  std::vector<std::string> pieces_;
  std::vector<std::span<const std::byte>> views_;
  std::vector<SharedFile> files_;
};

class SharedLogContract : public ::testing::TestWithParam<SharedLogMaker> {
 protected:
  // Longer than the slowest machine takes for a test.
  static constexpr std::chrono::nanoseconds kLease = std::chrono::minutes(10);

  SharedLogContract() : tested_(GetParam().make()), log_(tested_->connect()) {}

  // Under the newest epoch.
  Appended append(const Head& before, const Head& after, std::vector<std::string> pieces);
  Appended append(const Head& before, const Head& after, Epoch epoch,
                  std::vector<std::string> pieces);
  // Appends of one piece each, to LSN start + 1, start + 2, ...; the last head.
  Head append_each(const std::vector<std::string>& pieces);
  SharedHead head();
  Epoch epoch() { return head().lease.epoch; }
  // All bytes behind `after`, in one.
  std::string read_all(Lsn after);
  Status put(const SharedUpload& upload, std::uint32_t number, std::string_view bytes);

  const std::unique_ptr<SharedLogUnderTest> tested_;
  const std::unique_ptr<SharedLog> log_;
  const Head start_ = contract_start();
};

}  // namespace netml::wal::test
