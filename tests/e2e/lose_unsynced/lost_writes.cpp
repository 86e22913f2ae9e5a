#include "tests/e2e/lose_unsynced/lost_writes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <map>

#include "net/http/unique_fd.hpp"
#include "tests/e2e/lose_unsynced/undo_log.hpp"
#include "tests/e2e/support/node.hpp"

namespace netml::e2e {

namespace fs = std::filesystem;
using undo::Record;
using undo::What;

namespace {

struct Change {
  Record record;
  std::uint64_t position = 0;  // in the log
  std::string name;
  std::string target;
  std::string bytes;

  bool concerns(std::uint64_t inode) const {
    if (record.what == What::bytes) return record.file == inode;
    return record.directory == inode || record.target_directory == inode;
  }
};

// The changes that no sync covered, in the order in which they were made.
std::vector<Change> unsynced(const std::string& log) {
  std::vector<Change> changes;
  std::size_t at = 0;
  const auto take = [&](std::size_t size) {
    std::string text = log.substr(at, size);
    at += size;
    return text;
  };
  while (at + sizeof(Record) <= log.size()) {
    Change change;
    change.position = at;
    std::memcpy(&change.record, log.data() + at, sizeof(Record));
    at += sizeof(Record);
    change.name = take(change.record.name_bytes);
    change.target = take(change.record.target_bytes);
    change.bytes = take(change.record.bytes);
    if (at > log.size()) break;  // the kill came while this was written
    if (change.record.what != What::synced) {
      changes.push_back(std::move(change));
      continue;
    }
    std::erase_if(changes, [&](const Change& earlier) {
      return earlier.position < change.record.offset && earlier.concerns(change.record.file);
    });
  }
  return changes;
}

class Undoing {
 public:
  Undoing(const fs::path& data, const fs::path& kept) : kept_(kept) {
    add_directory(data);
    for (const auto& entry : fs::recursive_directory_iterator(data))
      if (entry.is_directory()) add_directory(entry.path());
  }

  // What was written down and not done any more when the process was killed is left as it is.
  bool operator()(const Change& change) {
    const Record& record = change.record;
    const fs::path name = place(record.directory, change.name);
    switch (record.what) {
      case What::bytes:
        return put_back(change);
      case What::create:
        return inode_of(name) != record.file || ::unlink(name.c_str()) == 0;
      case What::unlink:
        return inode_of(name) == record.file || name_again(record.file, name);
      case What::rename:
        return rename_back(record, name, place(record.target_directory, change.target));
      case What::synced:
        break;
    }
    return false;
  }

 private:
  static std::uint64_t inode_of(const fs::path& path) {
    struct stat status;
    return ::lstat(path.c_str(), &status) == 0 ? status.st_ino : 0;
  }
  void add_directory(const fs::path& path) { directories_[inode_of(path)] = path; }
  fs::path place(std::uint64_t directory, const std::string& name) const {
    const auto found = directories_.find(directory);
    return found == directories_.end() ? fs::path() : found->second / name;
  }
  fs::path kept(std::uint64_t inode) const { return kept_ / std::to_string(inode); }
  bool name_again(std::uint64_t inode, const fs::path& path) const {
    return ::link(kept(inode).c_str(), path.c_str()) == 0;
  }
  bool rename_back(const Record& record, const fs::path& from, const fs::path& to) const {
    if (inode_of(to) != record.file) return true;
    if (::rename(to.c_str(), from.c_str()) != 0) return false;
    return record.replaced == 0 || name_again(record.replaced, to);
  }
  bool put_back(const Change& change) const {
    const net::UniqueFd file(::open(kept(change.record.file).c_str(), O_WRONLY | O_CLOEXEC));
    const auto size = static_cast<ssize_t>(change.bytes.size());
    return ::pwrite(file.get(), change.bytes.data(), change.bytes.size(),
                    static_cast<off_t>(change.record.offset)) == size &&
           ::ftruncate(file.get(), static_cast<off_t>(change.record.size)) == 0;
  }

  fs::path kept_;
  std::map<std::uint64_t, fs::path> directories_;
};

}  // namespace

std::vector<std::string> LostWrites::variables() const {
  return {fmt::format("LD_PRELOAD={}", NETML_LOSE_UNSYNCED),
          fmt::format("{}={}", undo::kDataVariable, fs::canonical(data_).string()),
          fmt::format("{}={}", undo::kLogVariable, log_.path().string())};
}

std::uint64_t LostWrites::lose() {
  const std::vector<Change> changes = unsynced(read_file(log_.file(undo::kLogName)));
  Undoing undo(data_, log_.path());
  for (auto change = changes.rbegin(); change != changes.rend(); ++change)
    EXPECT_TRUE(undo(*change)) << static_cast<int>(change->record.what) << " " << change->name
                               << " " << change->target << ": " << std::strerror(errno);
  for (const auto& entry : fs::directory_iterator(log_.path())) fs::remove(entry.path());
  return changes.size();
}

}  // namespace netml::e2e
