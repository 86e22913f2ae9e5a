// A shared log that passes each call on to another one, through around(): for tests that change one
// call, or what surrounds all.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "wal/shared/shared_log.hpp"

namespace netml::wal::test {

class PassingLog : public SharedLog {
 private:
  template <class Call>
  auto around(const Call& call) {
    begin_call();
    auto answer = call();
    end_call();
    return answer;
  }

 public:
  explicit PassingLog(std::unique_ptr<SharedLog> log) : log_(std::move(log)) {}

  Result<SharedHead> head() override {
    return around([&] { return log_->head(); });
  }
  Appended append_if(const Append& append) override {
    return around([&] { return log_->append_if(append); });
  }
  Result<std::vector<SharedPiece>> read_from(const ReadPlace& place,
                                             std::uint64_t bytes_max) override {
    return around([&] { return log_->read_from(place, bytes_max); });
  }
  Status wait_beyond(Lsn after, std::chrono::nanoseconds at_most) override {
    return around([&] { return log_->wait_beyond(after, at_most); });
  }
  Leased take_lease(std::string_view holder, Epoch seen, std::chrono::nanoseconds length) override {
    return around([&] { return log_->take_lease(holder, seen, length); });
  }
  Leased renew_lease(std::string_view holder, Epoch epoch,
                     std::chrono::nanoseconds length) override {
    return around([&] { return log_->renew_lease(holder, epoch, length); });
  }
  Leased release_lease(std::string_view holder, Epoch epoch) override {
    return around([&] { return log_->release_lease(holder, epoch); });
  }
  Status put_upload(const SharedUpload& upload, std::uint32_t number,
                    std::span<const std::byte> piece) override {
    return around([&] { return log_->put_upload(upload, number, piece); });
  }
  Result<SharedUpload> find_upload(const Sha256& hash) override {
    return around([&] { return log_->find_upload(hash); });
  }
  Result<std::vector<std::byte>> get_upload(const SharedUpload& upload,
                                            std::uint32_t number) override {
    return around([&] { return log_->get_upload(upload, number); });
  }
  Status report(const Member& member) override {
    return around([&] { return log_->report(member); });
  }
  Result<std::vector<Member>> members() override {
    return around([&] { return log_->members(); });
  }
  Status remove_member(std::string_view name) override {
    return around([&] { return log_->remove_member(name); });
  }
  Result<bool> forget(Lsn upto, std::chrono::nanoseconds age) override {
    return around([&] { return log_->forget(upto, age); });
  }

 protected:
  virtual void begin_call() {}
  virtual void end_call() {}

 private:
  const std::unique_ptr<SharedLog> log_;
};

// Something else happens between a call and its answer.
class OvertakenLog final : public PassingLog {
 public:
  OvertakenLog(std::unique_ptr<SharedLog> log, std::function<void()> meanwhile)
      : PassingLog(std::move(log)), meanwhile_(std::move(meanwhile)) {}

 private:
  void end_call() override { meanwhile_(); }
  const std::function<void()> meanwhile_;
};

}  // namespace netml::wal::test
