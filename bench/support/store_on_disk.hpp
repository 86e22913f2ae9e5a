// A store on a real disk for benchmarks, without background work. What fails ends the program.
#pragma once

#include <chrono>
#include <cstdlib>
#include <memory>
#include <random>

#include "bench/support/workload.hpp"
#include "engine/base/parallel.hpp"
#include "wal/commit/store.hpp"
#include "wal/storage/posix_storage.hpp"

namespace netml::bench {

class BenchClock : public Clock {
 public:
  WallTime wall() const override { return WallTime{1}; }
  std::chrono::nanoseconds steady() const override {
    return std::chrono::steady_clock::now().time_since_epoch();
  }
};

class BenchRandom : public Random {
 public:
  void fill(std::span<std::byte> bytes) override {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(generator_());
  }

 private:
  std::mt19937 generator_{1};
};

template <class T>
T need(Result<T> result) {
  if (!result) std::abort();
  return std::move(*result);
}
inline void need(const Status& status) {
  if (!status) std::abort();
}

class Bench {
 public:
  Bench() : storage_(need(wal::PosixStorage::open_path(directory_.path().string()))) { open(); }

  void open() {
    wal::StoreOptions options;
    options.parallel = &parallel_;
    store_ = need(wal::Store::open(*storage_, clock_, random_, options));
  }
  void close() { store_.reset(); }
  wal::Store& store() { return *store_; }
  wal::Storage& storage() { return *storage_; }
  void commit(const engine::Transaction& transaction) {
    static_cast<void>(need(store_->append(transaction)));
    need(store_->sync());
  }

 private:
  test::TemporaryDirectory directory_;
  BenchClock clock_;
  BenchRandom random_;
  HelperThreads parallel_;
  std::unique_ptr<wal::PosixStorage> storage_;
  std::unique_ptr<wal::Store> store_;
};

}  // namespace netml::bench
