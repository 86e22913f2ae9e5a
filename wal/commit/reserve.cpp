#include "wal/commit/reserve.hpp"

#include <algorithm>
#include <memory>

#include "wal/format/data_directory.hpp"

namespace netml::wal {

Result<bool> Reserve::has_room() const {
  NETML_TRY(const Space space, root_.space());
  const std::uint64_t floor = std::min(free_bytes_min_, space.total_bytes / 20);
  return space.free_bytes >= floor + bytes_;
}

// Under its name when it is whole: one that a crash or a full disk cut short is no reserve.
Status Reserve::make() {
  if (bytes_ == 0) return {};
  NETML_TRY(const bool whole, is_whole());
  if (whole) return {};
  NETML_TRY(const bool room, has_room());
  if (!room) return {};
  const std::string temporary = temporary_name(kBallastFile);
  if (Status filled = fill(temporary); !filled) {
    static_cast<void>(root_.unlink(temporary).has_value());  // gives the space back
    return filled;
  }
  return root_.rename(temporary, kBallastFile);
}

Result<bool> Reserve::is_whole() const {
  const Result<std::unique_ptr<File>> file = root_.open(kBallastFile, OpenMode::read);
  if (!file) {
    if (file.error().code == Errc::not_found) return false;
    return tl::make_unexpected(file.error());
  }
  NETML_TRY(const std::uint64_t size, (*file)->size());
  return size == bytes_;
}

Status Reserve::fill(const std::string& name) {
  NETML_TRY(const std::unique_ptr<File> file, root_.open(name, OpenMode::create_empty));
  NETML_TRY_VOID(file->reserve(bytes_));
  return file->sync();
}

void Reserve::give_up() {
  // Best effort: it may be gone already, and there is nothing to do about another failure.
  static_cast<void>(root_.unlink(kBallastFile).has_value());
}

}  // namespace netml::wal
