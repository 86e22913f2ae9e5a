// The body of a graph's file, mapped. Its bytes are shown after the piece that they lie in was read
// and agreed with its checksum, so that damage and disk errors end in an error and never in a
// value. Thread: any.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wal/checkpoint/detail/graph_sections.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

class MappedBody {
 public:
  // Where the body lies in the file.
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };
  // Checks that the sections can be what they say.
  static Result<std::shared_ptr<const MappedBody>> open(std::unique_ptr<File> file, Range range,
                                                        GraphBody body, RecordId next_id);

  std::size_t identities() const { return identities_; }  // those given, and 0
  std::size_t size(GraphSection section) const { return place(section).bytes; }
  std::size_t keys(GraphSection section) const { return size(section) / sizeof(std::uint64_t); }

  // `offset` and `bytes` within the section. Throws UnreadableError.
  std::span<const std::byte> bytes(GraphSection section, std::uint64_t offset,
                                   std::size_t bytes) const;
  std::span<const std::uint64_t> numbers(GraphSection section, std::size_t first,
                                         std::size_t count) const;

  // A leaf of each kind; they throw UnreadableError, also for what does not hold together.
  enum class Use { in_place, copied };
  void read(std::size_t leaf, engine::Graph::Records::Items& items, Use use) const;
  void read(std::size_t leaf, engine::Graph::Kinds::Items& items) const;
  void read(std::size_t leaf, engine::Graph::Numbers::Items& items) const;
  // As it lies there.
  std::span<const std::byte> records(std::size_t leaf) const;
  std::span<const std::uint64_t> keys(GraphSection section, std::size_t leaf) const;
  std::span<const std::uint64_t> first_keys(GraphSection section) const;  // of its leaves

  // How much was checked.
  std::size_t pieces() const { return body_.checksums.size(); }
  std::size_t pieces_checked() const { return checked_.load(std::memory_order_relaxed); }
  void check_piece(std::size_t piece) const;  // throws UnreadableError

  // What the first look that found damage found; success while none did.
  Status looked() const;
  [[noreturn]] void throw_damaged(GraphSection section, std::uint64_t offset,
                                  const char* what) const;
  const GraphBody& description() const { return body_; }
  const std::string& path() const { return file_->path(); }

 private:
  MappedBody(std::unique_ptr<File> file, std::shared_ptr<const Mapping> mapping, Range range,
             GraphBody body, std::size_t identities);
  const BodySection& place(GraphSection section) const {
    return body_.sections[static_cast<std::size_t>(section)];
  }
  Status check_layout() const;
  void check(std::size_t piece) const;
  [[noreturn]] void throw_unreadable(Error error) const;

  const std::unique_ptr<File> file_;
  const std::shared_ptr<const Mapping> mapping_;
  const Range range_;
  const GraphBody body_;
  const std::size_t identities_;

  mutable std::vector<std::atomic<bool>> good_;  // by piece
  mutable std::atomic<std::size_t> checked_ = 0;
  mutable std::mutex damage_mutex_;
  mutable std::optional<Error> damage_;  // guarded by damage_mutex_
};

}  // namespace netml::wal
