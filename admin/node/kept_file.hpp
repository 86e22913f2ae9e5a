// Files that were stored to be read again: uploads that wait, and those of stored plans.
//
// Thread: one at a time for each file.
#pragma once

#include <memory>
#include <string>

#include "admin/node/node.hpp"
#include "codecs/document/random_access.hpp"
#include "codecs/netml/netml_reader.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

// Errc::corruption when it is missing, or is not what was accepted: nobody but the disk is to
// blame.
Result<std::unique_ptr<wal::File>> open_kept_file(Node& node, const SpooledFile& accepted);

// The whole of one in memory. Errc::corruption as above, Errc::not_found when it is rightly gone.
Result<std::string> read_kept_file(Node& node, const Sha256& hash);

// All bytes from the start, until `take` wants no more.
Status replay_kept_file(wal::File& file, const codecs::ByteSink& take);

// One that is read here and there.
class KeptFile final : public codecs::RandomAccessFile {
 public:
  KeptFile(wal::File& file, std::uint64_t size) : file_(file), size_(size) {}
  std::uint64_t size() const override { return size_; }
  Status read_at(std::uint64_t offset, std::span<std::byte> out) override;

 private:
  wal::File& file_;
  const std::uint64_t size_;
};

}  // namespace netml::admin
