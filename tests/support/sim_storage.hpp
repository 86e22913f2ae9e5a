// A simulated disk for fault tests: it keeps apart what was written and what is durable, can crash
// at any operation in any way a real disk may, and fails operations on demand (T1, T6).
//
// Durable are only bytes and lengths that a sync of their file covered, and names that a sync of
// their directory covered. A crash keeps any choice of the rest, sector by sector.
//
// Thread: one.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wal/storage/storage.hpp"

namespace netml::testing {

inline constexpr std::size_t kSectorBytes = 512;

// Which of the unsynced changes survive a crash.
struct CrashPattern {
  enum class Kind : std::uint8_t {
    none,        // nothing that was not synced
    all,         // everything
    prefix,      // the first `argument` changes (sectors, lengths, names), in the order made
    without,     // all but the change number `argument`
    only,        // the change number `argument` alone
    subset,      // those whose bit is set in `argument`
    random,      // each with probability 1/2, from the seed `argument`
    torn,        // all; the last sector written is cut after `argument` bytes
    names_only,  // names and lengths, but no bytes: zeros
    bytes_only,  // bytes within the durable length, no names or lengths
  };
  Kind kind = Kind::none;
  std::uint64_t argument = 0;
};
std::string to_string(const CrashPattern& pattern);

class SimDisk {
 public:
  SimDisk();

  // The directory that everything is in; it stays valid while the disk lives.
  std::unique_ptr<wal::Storage> root();

  // Called before each operation that changes something or syncs, with its number and what it is.
  using Observer = std::function<void(std::uint64_t number, const std::string& operation)>;
  void observe(Observer observer) { observer_ = std::move(observer); }
  // Asked before each of them: an error makes it fail. A failed sync marks the pages clean: they
  // stay readable and never become durable by a later sync.
  using Fault = std::function<std::optional<Error>(std::uint64_t number, const std::string& what)>;
  void inject(Fault fault) { fault_ = std::move(fault); }
  // Asked before each read: an error makes it fail.
  using ReadFault =
      std::function<std::optional<Error>(const std::string& path, std::uint64_t offset)>;
  void inject_reads(ReadFault fault) { read_fault_ = std::move(fault); }
  // Whether a write that fails has written its first half.
  void write_a_part_when_failing(bool part) { part_when_failing_ = part; }
  std::uint64_t operations() const { return operations_; }

  // How many changes a crash now would decide about.
  std::size_t unsynced() const;
  // The disk after a crash now; all of it is durable. Locks are gone.
  SimDisk crashed(const CrashPattern& pattern) const;
  // The disk after the process was killed now: nothing is lost yet, and nothing more is durable.
  // Locks are gone.
  SimDisk killed() const;
  // The patterns worth trying now: every subset while there are few unsynced changes, a sample when
  // there are many. `all`: subsets of more changes, and a tear at every byte, or
  // every sixteenth where there are many.
  std::vector<CrashPattern> patterns(std::uint64_t seed, bool all = false) const;

  // What programs see, for damage tests: path such as "data/journal/x".
  std::vector<std::string> files() const;
  std::vector<std::byte>& content(const std::string& path);
  void remove(const std::string& path);
  // How many bytes were read of each file, by path, since the last call; the first one begins to
  // count.
  using Reads = std::map<std::string, std::uint64_t>;
  Reads take_reads() { return std::exchange(reads_, Reads()).value_or(Reads()); }
  void set_free_bytes(std::uint64_t bytes) { free_bytes_ = bytes; }
  void set_network_file_system() { network_file_system_ = true; }

 private:
  friend class SimStorage;
  friend class SimFile;
  friend class SimLock;

  using Inode = std::uint64_t;
  struct Entry {
    Inode inode = 0;
    bool directory = false;
  };
  // Shared between copies until one of them changes it, so that a crash costs only what it changes.
  class Content {
   public:
    const std::vector<std::byte>& get() const { return *bytes_; }
    std::vector<std::byte>& change() {
      if (bytes_.use_count() > 1) bytes_ = std::make_shared<std::vector<std::byte>>(*bytes_);
      return *bytes_;
    }
    // Puts `bytes` at `offset`; the file grows when it must.
    void put(std::uint64_t offset, std::span<const std::byte> bytes);

   private:
    std::shared_ptr<std::vector<std::byte>> bytes_ = std::make_shared<std::vector<std::byte>>();
  };
  struct FileData {
    Content visible;
    Content durable;
  };
  struct Directory {
    std::map<std::string, Entry> visible;
    std::map<std::string, Entry> durable;
  };
  // One change that a crash may keep or lose.
  struct Change {
    enum class Kind : std::uint8_t { bytes, length, names } kind = Kind::names;
    Inode inode = 0;  // of the file
    std::uint64_t offset = 0;
    std::span<const std::byte> bytes;  // a part of what was written
    std::shared_ptr<const std::vector<std::byte>> written;
    std::uint64_t length = 0;
    // names: what the entries become; one rename is one change, also between two directories.
    struct Name {
      Inode directory;
      std::string name;
      std::optional<Entry> entry;
    };
    std::vector<Name> names;
    bool lost = false;  // a sync failed over it

    static Change of_bytes(Inode file, std::uint64_t offset, std::span<const std::byte> bytes,
                           std::shared_ptr<const std::vector<std::byte>> written);
    static Change of_length(Inode file, std::uint64_t length);
    static Change of_names(std::vector<Name> names);
  };

  Status step(const std::string& operation);
  void make(Change change);
  void apply(const Change& change);
  void sync_file(Inode inode);
  void sync_directory(Inode inode);
  void fail_sync(Inode inode);
  bool kept(const CrashPattern& pattern, std::size_t index, std::mt19937_64& random) const;
  const Entry& find(const std::string& path) const;

  std::map<Inode, FileData> files_;
  std::map<Inode, Directory> directories_;
  std::vector<Change> changes_;
  std::vector<std::string> locked_;
  Inode next_inode_ = 2;
  std::uint64_t operations_ = 0;
  std::optional<Reads> reads_;  // while they are counted
  std::uint64_t free_bytes_ = std::uint64_t{1} << 40;
  bool network_file_system_ = false;
  Observer observer_;
  Fault fault_;
  ReadFault read_fault_;
  bool part_when_failing_ = false;
};

}  // namespace netml::testing
