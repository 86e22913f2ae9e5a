#include "tests/support/sim_storage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace netml::testing {

using wal::DirectoryEntry;
using wal::File;
using wal::OpenMode;
using wal::Storage;

namespace {
constexpr std::uint64_t kRoot = 1;
// Unsynced changes up to which each is kept and left out by itself, and every subset is tried.
constexpr std::size_t kEachAlone = 12;
constexpr std::size_t kSubsets = 5;
constexpr std::size_t kSubsetsOfAll = 12;
}  // namespace

// ---- handles ----

class SimFile final : public File {
 public:
  SimFile(SimDisk& disk, SimDisk::Inode inode, std::string path)
      : disk_(disk), inode_(inode), path_(std::move(path)) {}

  Result<std::size_t> read(std::uint64_t offset, std::span<std::byte> bytes) override {
    if (disk_.read_fault_)
      if (auto refused = disk_.read_fault_(path_, offset))
        return tl::make_unexpected(*std::move(refused));
    const std::vector<std::byte>& content = disk_.files_.at(inode_).visible.get();
    if (offset >= content.size()) return std::size_t{0};
    const std::size_t count = std::min<std::size_t>(bytes.size(), content.size() - offset);
    std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(offset), count, bytes.begin());
    if (disk_.reads_) (*disk_.reads_)[path_] += count;
    return count;
  }

  Status write(std::uint64_t offset, std::span<const std::byte> bytes) override {
    Status stepped = disk_.step(fmt::format("write {} {}+{}", path_, offset, bytes.size()));
    if (stepped) put(offset, bytes);
    if (!stepped && disk_.part_when_failing_) put(offset, bytes.first(bytes.size() / 2));
    return stepped;
  }

  Status truncate(std::uint64_t size) override {
    NETML_TRY_VOID(disk_.step(fmt::format("truncate {} {}", path_, size)));
    change_length(size);
    return {};
  }
  Result<std::uint64_t> size() override { return disk_.files_.at(inode_).visible.get().size(); }
  Status sync_data() override { return sync_as("fdatasync"); }
  Status sync() override { return sync_as("fsync"); }
  const std::string& path() const override { return path_; }

 private:
  void put(std::uint64_t offset, std::span<const std::byte> bytes) {
    const std::uint64_t end = offset + bytes.size();
    if (end > disk_.files_.at(inode_).visible.get().size()) change_length(end);
    const auto written = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
    for (std::span<const std::byte> rest(*written); !rest.empty();) {  // sector by sector
      const std::uint64_t at = end - rest.size();
      const std::size_t count =
          std::min<std::size_t>(rest.size(), kSectorBytes - at % kSectorBytes);
      disk_.make(SimDisk::Change::of_bytes(inode_, at, rest.first(count), written));
      rest = rest.subspan(count);
    }
  }
  Status sync_as(const char* name) {
    Status stepped = disk_.step(fmt::format("{} {}", name, path_));
    if (!stepped) {
      disk_.fail_sync(inode_);
      stepped.error().code = Errc::io_error;
      return stepped;
    }
    disk_.sync_file(inode_);
    return {};
  }
  void change_length(std::uint64_t size) { disk_.make(SimDisk::Change::of_length(inode_, size)); }

  SimDisk& disk_;
  SimDisk::Inode inode_;
  std::string path_;
};

class SimLock final : public wal::FileLock {
 public:
  SimLock(SimDisk& disk, std::string path, std::unique_ptr<File> file)
      : disk_(disk), path_(std::move(path)), file_(std::move(file)) {}
  ~SimLock() override { std::erase(disk_.locked_, path_); }
  Status describe(std::string_view holder) override {
    NETML_TRY_VOID(file_->truncate(0));
    return file_->write(0, std::as_bytes(std::span(holder)));
  }

 private:
  SimDisk& disk_;
  std::string path_;
  std::unique_ptr<File> file_;
};

class SimStorage final : public Storage {
 public:
  SimStorage(SimDisk& disk, SimDisk::Inode inode, std::string path)
      : disk_(disk), inode_(inode), path_(std::move(path)) {}

  Result<std::unique_ptr<File>> open(std::string_view name, OpenMode mode) override {
    const std::string path = path_of(name);
    const std::optional<SimDisk::Entry> found = find(name);
    const bool creates = mode == OpenMode::create_new || mode == OpenMode::create_empty;
    if (found && found->directory) return fail(Errc::io_error, path + ": is a directory");
    if (!found && !creates) return fail(Errc::not_found, path + ": no such file");
    if (found && mode == OpenMode::create_new) return fail(Errc::conflict, path + ": exists");
    if (!found) {
      NETML_TRY_VOID(disk_.step("create " + path));
      const SimDisk::Inode inode = disk_.next_inode_++;
      disk_.files_[inode];
      change_names({{inode_, std::string(name), SimDisk::Entry{inode, false}}});
      return std::make_unique<SimFile>(disk_, inode, path);
    }
    auto file = std::make_unique<SimFile>(disk_, found->inode, path);
    if (mode == OpenMode::create_empty) NETML_TRY_VOID(file->truncate(0));
    return file;
  }

  Result<std::unique_ptr<Storage>> open_directory(std::string_view name) override {
    const std::optional<SimDisk::Entry> found = find(name);
    if (!found || !found->directory)
      return fail(Errc::not_found, path_of(name) + ": no such directory");
    return std::make_unique<SimStorage>(disk_, found->inode, path_of(name));
  }

  Result<std::unique_ptr<Storage>> open_elsewhere(const std::string& path) override {
    return disk_.root()->open_directory(path);
  }

  Status make_directory(std::string_view name) override {
    if (find(name)) return fail(Errc::conflict, path_of(name) + ": exists");
    NETML_TRY_VOID(disk_.step("mkdir " + path_of(name)));
    const SimDisk::Inode inode = disk_.next_inode_++;
    disk_.directories_[inode];
    change_names({{inode_, std::string(name), SimDisk::Entry{inode, true}}});
    return {};
  }

  Status rename(std::string_view from, std::string_view to) override {
    return move_to(from, *this, to);
  }

  Status move_to(std::string_view from, Storage& target, std::string_view to) override {
    const std::optional<SimDisk::Entry> found = find(from);
    if (!found) return fail(Errc::not_found, path_of(from) + ": no such file");
    NETML_TRY_VOID(disk_.step(fmt::format("rename {} to {}", path_of(from), to)));
    change_names({{inode_, std::string(from), std::nullopt},
                  {static_cast<SimStorage&>(target).inode_, std::string(to), *found}});
    return {};
  }

  Status unlink(std::string_view name) override {
    if (!find(name)) return fail(Errc::not_found, path_of(name) + ": no such file");
    NETML_TRY_VOID(disk_.step("unlink " + path_of(name)));
    change_names({{inode_, std::string(name), std::nullopt}});
    return {};
  }

  Result<std::vector<DirectoryEntry>> list() override {
    std::vector<DirectoryEntry> entries;
    for (const auto& [name, entry] : disk_.directories_.at(inode_).visible)
      entries.push_back({name, entry.directory});
    return entries;
  }

  Status sync() override {
    Status stepped = disk_.step("fsync " + path_);
    if (!stepped) {
      stepped.error().code = Errc::io_error;
      return stepped;
    }
    disk_.sync_directory(inode_);
    return {};
  }

  Result<wal::Space> space() override {
    return wal::Space{disk_.free_bytes_, disk_.free_bytes_ * 2, disk_.network_file_system_};
  }

  Result<std::unique_ptr<wal::FileLock>> lock(std::string_view name) override {
    const std::string path = path_of(name);
    if (std::ranges::find(disk_.locked_, path) != disk_.locked_.end())
      return fail(Errc::conflict, path_ + " is in use");
    NETML_TRY(std::unique_ptr<File> file,
              open(name, find(name) ? OpenMode::write : OpenMode::create_new));
    disk_.locked_.push_back(path);
    return std::make_unique<SimLock>(disk_, path, std::move(file));
  }

  Result<std::unique_ptr<wal::FileLock>> lock_for_reading(std::string_view name) override {
    if (!find(name)) return fail(Errc::not_found, path_of(name) + " does not exist");
    return lock(name);
  }

  Status check_private() override { return {}; }
  Status check_secret(std::string_view name) override {
    if (!find(name)) return fail(Errc::not_found, path_of(name) + " does not exist");
    return {};
  }
  const std::string& path() const override { return path_; }

 private:
  std::string path_of(std::string_view name) const {
    return path_.empty() ? std::string(name) : fmt::format("{}/{}", path_, name);
  }
  std::optional<SimDisk::Entry> find(std::string_view name) const {
    const auto& entries = disk_.directories_.at(inode_).visible;
    const auto found = entries.find(std::string(name));
    return found == entries.end() ? std::nullopt : std::optional(found->second);
  }
  void change_names(std::vector<SimDisk::Change::Name> names) {
    disk_.make(SimDisk::Change::of_names(std::move(names)));
  }

  SimDisk& disk_;
  SimDisk::Inode inode_;
  std::string path_;
};

// ---- the disk ----

SimDisk::SimDisk() {
  directories_[kRoot];
}

std::unique_ptr<Storage> SimDisk::root() {
  return std::make_unique<SimStorage>(*this, kRoot, "");
}

Status SimDisk::step(const std::string& operation) {
  const std::uint64_t number = operations_++;
  if (observer_) observer_(number, operation);
  if (fault_)
    if (std::optional<Error> error = fault_(number, operation))
      return tl::make_unexpected(Error{error->code, operation + ": " + error->message});
  return {};
}

SimDisk::Change SimDisk::Change::of_bytes(Inode file, std::uint64_t offset,
                                          std::span<const std::byte> bytes,
                                          std::shared_ptr<const std::vector<std::byte>> written) {
  Change change;
  change.kind = Kind::bytes;
  change.inode = file;
  change.offset = offset;
  change.bytes = bytes;
  change.written = std::move(written);
  return change;
}

SimDisk::Change SimDisk::Change::of_length(Inode file, std::uint64_t length) {
  Change change;
  change.kind = Kind::length;
  change.inode = file;
  change.length = length;
  return change;
}

SimDisk::Change SimDisk::Change::of_names(std::vector<Name> names) {
  Change change;
  change.names = std::move(names);
  return change;
}

void SimDisk::Content::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  std::vector<std::byte>& content = change();
  if (content.size() < offset + bytes.size()) content.resize(offset + bytes.size());
  std::ranges::copy(bytes, content.begin() + static_cast<std::ptrdiff_t>(offset));
}

void SimDisk::make(Change change) {
  apply(change);
  changes_.push_back(std::move(change));
}

void SimDisk::apply(const Change& change) {
  switch (change.kind) {
    case Change::Kind::bytes:
      files_.at(change.inode).visible.put(change.offset, change.bytes);
      return;
    case Change::Kind::length:
      files_.at(change.inode).visible.change().resize(change.length);
      return;
    case Change::Kind::names:
      for (const Change::Name& name : change.names) {
        auto& entries = directories_.at(name.directory).visible;
        if (name.entry)
          entries[name.name] = *name.entry;
        else
          entries.erase(name.name);
      }
      return;
  }
}

void SimDisk::sync_file(Inode inode) {
  FileData& file = files_.at(inode);
  const bool clean_lost = std::ranges::any_of(
      changes_, [&](const Change& change) { return change.lost && change.inode == inode; });
  if (!clean_lost) {
    file.durable = file.visible;
  } else {  // what a failed sync dropped stays undone; the rest becomes durable
    for (const Change& change : changes_) {
      if (change.inode != inode || change.lost || change.kind == Change::Kind::names) continue;
      if (change.kind == Change::Kind::length)
        file.durable.change().resize(change.length);
      else
        file.durable.put(change.offset, change.bytes);
    }
  }
  std::erase_if(changes_, [&](const Change& change) {
    return change.kind != Change::Kind::names && change.inode == inode && !change.lost;
  });
}

void SimDisk::fail_sync(Inode inode) {
  for (Change& change : changes_)
    if (change.kind != Change::Kind::names && change.inode == inode) change.lost = true;
}

// A rename between two directories is durable when either was synced: as journaling file systems
// do, it is one step.
void SimDisk::sync_directory(Inode inode) {
  std::vector<Change> rest;
  for (Change& change : changes_) {
    const bool ours = change.kind == Change::Kind::names &&
                      std::ranges::any_of(change.names, [&](const Change::Name& name) {
                        return name.directory == inode;
                      });
    if (!ours) {
      rest.push_back(std::move(change));
      continue;
    }
    for (const Change::Name& name : change.names) {
      auto& entries = directories_.at(name.directory).durable;
      if (name.entry)
        entries[name.name] = *name.entry;
      else
        entries.erase(name.name);
    }
  }
  changes_ = std::move(rest);
}

std::size_t SimDisk::unsynced() const {
  return changes_.size();
}

bool SimDisk::kept(const CrashPattern& pattern, std::size_t index, std::mt19937_64& random) const {
  const bool names = changes_[index].kind != Change::Kind::bytes;
  switch (pattern.kind) {
    case CrashPattern::Kind::none:
      return false;
    case CrashPattern::Kind::all:
    case CrashPattern::Kind::torn:
      return true;
    case CrashPattern::Kind::prefix:
      return index < pattern.argument;
    case CrashPattern::Kind::without:
      return index != pattern.argument;
    case CrashPattern::Kind::only:
      return index == pattern.argument;
    case CrashPattern::Kind::subset:
      return (pattern.argument >> index & 1) != 0;
    case CrashPattern::Kind::random:
      return (random() & 1) != 0;
    case CrashPattern::Kind::names_only:
      return names;
    case CrashPattern::Kind::bytes_only:
      return !names;
  }
  return false;
}

SimDisk SimDisk::crashed(const CrashPattern& pattern) const {
  SimDisk after;
  after.directories_ = directories_;
  after.next_inode_ = next_inode_;
  after.free_bytes_ = free_bytes_;
  for (auto& [inode, directory] : after.directories_) directory.visible = directory.durable;
  for (const auto& [inode, file] : files_) after.files_[inode] = {file.durable, file.durable};

  std::size_t last_bytes = changes_.size();
  for (std::size_t i = 0; i < changes_.size(); ++i)
    if (changes_[i].kind == Change::Kind::bytes) last_bytes = i;
  std::mt19937_64 random(pattern.argument);
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    if (!kept(pattern, i, random)) continue;
    Change change = changes_[i];
    if (change.kind == Change::Kind::bytes) {
      // Bytes without their length are lost.
      const std::size_t size = after.files_.at(change.inode).visible.get().size();
      if (change.offset >= size) continue;
      std::size_t count = std::min<std::size_t>(change.bytes.size(), size - change.offset);
      if (pattern.kind == CrashPattern::Kind::torn && i == last_bytes)
        count = std::min<std::size_t>(count, pattern.argument);
      change.bytes = change.bytes.first(count);
    }
    after.apply(change);
  }
  for (auto& [inode, file] : after.files_) file.durable = file.visible;
  for (auto& [inode, directory] : after.directories_) directory.durable = directory.visible;
  return after;
}

SimDisk SimDisk::killed() const {
  SimDisk after = *this;
  after.locked_.clear();
  after.operations_ = 0;
  after.observer_ = nullptr;
  after.fault_ = nullptr;
  return after;
}

std::vector<CrashPattern> SimDisk::patterns(std::uint64_t seed, bool all) const {
  using Kind = CrashPattern::Kind;
  std::vector<CrashPattern> patterns{{Kind::none, 0}};
  const std::size_t count = changes_.size();
  if (count == 0) return patterns;
  patterns.push_back({Kind::all, 0});
  if (count <= (all ? kSubsetsOfAll : kSubsets)) {
    const std::uint64_t whole = (std::uint64_t{1} << count) - 1;
    for (std::uint64_t subset = 1; subset < whole; ++subset)
      patterns.push_back({Kind::subset, subset});
  } else {
    patterns.push_back({Kind::names_only, 0});
    patterns.push_back({Kind::bytes_only, 0});
    const std::size_t step = count <= kEachAlone ? 1 : count / kEachAlone;
    for (std::size_t i = 0; i < count; i += step)
      for (const Kind kind : {Kind::prefix, Kind::without, Kind::only})
        patterns.push_back({kind, i});
    for (std::size_t i = 0; i < kEachAlone; ++i)
      patterns.push_back({Kind::random, seed * 0x9e3779b97f4a7c15 + i});
  }
  // Where there is much to lose, a recovery takes long.
  const std::size_t step = !all ? 73 : count <= kSubsetsOfAll ? 1 : 16;
  for (std::size_t cut = 1; cut < kSectorBytes; cut += step) patterns.push_back({Kind::torn, cut});
  return patterns;
}

std::string to_string(const CrashPattern& pattern) {
  constexpr const char* kNames[] = {"none",   "all",    "prefix", "without",    "only",
                                    "subset", "random", "torn",   "names only", "bytes only"};
  return fmt::format("{} {}", kNames[static_cast<std::size_t>(pattern.kind)], pattern.argument);
}

// ---- for damage tests ----

std::vector<std::string> SimDisk::files() const {
  std::vector<std::string> found;
  std::vector<std::pair<std::string, Inode>> todo{{"", kRoot}};
  while (!todo.empty()) {
    const auto [prefix, inode] = todo.back();
    todo.pop_back();
    for (const auto& [name, entry] : directories_.at(inode).visible) {
      const std::string path = prefix.empty() ? name : prefix + "/" + name;
      if (entry.directory)
        todo.emplace_back(path, entry.inode);
      else
        found.push_back(path);
    }
  }
  std::ranges::sort(found);
  return found;
}

const SimDisk::Entry& SimDisk::find(const std::string& path) const {
  Inode inode = kRoot;
  std::size_t at = 0;
  while (true) {
    const std::size_t slash = path.find('/', at);
    const Entry& entry = directories_.at(inode).visible.at(path.substr(at, slash - at));
    if (slash == std::string::npos) return entry;
    inode = entry.inode;
    at = slash + 1;
  }
}

std::vector<std::byte>& SimDisk::content(const std::string& path) {
  return files_.at(find(path).inode).visible.change();
}

void SimDisk::remove(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const Inode parent = slash == std::string::npos ? kRoot : find(path.substr(0, slash)).inode;
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  directories_.at(parent).visible.erase(name);
  directories_.at(parent).durable.erase(name);
}

}  // namespace netml::testing
