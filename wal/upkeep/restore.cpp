#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/sha256.hpp"
#include "wal/checkpoint/signatures.hpp"
#include "wal/format/format.hpp"
#include "wal/format/manifest.hpp"
#include "wal/storage/bytes.hpp"
#include "wal/storage/tar.hpp"
#include "wal/upkeep/backup.hpp"

namespace netml::wal {

namespace {

constexpr std::uint64_t kTextBytesMax = 256ULL << 20;  // of the list of hashes

class Restoration {
 public:
  Restoration(File& backup, Storage& into, Parallel& parallel, const RestoreOptions& options)
      : backup_(backup), into_(into), parallel_(parallel), options_(options) {}

  Result<VerifyReport> run();

 private:
  // Where a member goes: a file, or memory.
  struct Target {
    std::unique_ptr<File> file;
    std::string* text = nullptr;
  };

  Result<std::optional<TarMember>> next_member();
  Status take(const TarMember& member);
  Result<Target> target_of(const TarMember& member);
  Result<Target> new_file(Storage& directory, const std::string& name);
  Status check_sums() const;
  Status sync();
  Result<VerifyReport> prove();
  tl::unexpected<Error> refuse(std::string_view why) const {
    return fail(Errc::invalid_input,
                fmt::format("{} is no whole, undamaged backup: {}", backup_.path(), why));
  }

  File& backup_;
  Storage& into_;
  Parallel& parallel_;
  const RestoreOptions& options_;
  DataDirectory data_;
  std::uint64_t at_ = 0;  // in the backup
  std::vector<std::byte> piece_ = std::vector<std::byte>(kPieceBytes);
  std::string head_;
  std::string sums_;
  // Written when all the rest is: without them what lies there is no data directory.
  std::map<std::string, std::string> manifests_;
  std::map<std::string, std::string> hashes_;  // of the members read
};

Result<VerifyReport> Restoration::run() {
  NETML_TRY(const bool empty, is_new(into_));
  if (!empty) return fail(Errc::conflict, into_.path() + " is not empty");
  NETML_TRY_VOID(make_parts(into_));
  NETML_TRY(const std::unique_ptr<FileLock> lock, into_.lock(kLockFile));
  NETML_TRY(data_, open_data_directory(into_));
  while (true) {
    NETML_TRY(const std::optional<TarMember> member, next_member());
    if (!member) break;
    NETML_TRY_VOID(take(*member));
  }
  NETML_TRY_VOID(check_sums());
  NETML_TRY_VOID(sync());
  for (const auto& [name, content] : manifests_)
    NETML_TRY_VOID(replace_file(into_, name, std::as_bytes(std::span(content))));
  return prove();
}

Result<std::optional<TarMember>> Restoration::next_member() {
  TarBlock block;
  NETML_TRY(const std::size_t count, backup_.read(at_, block));
  if (count < block.size()) return refuse(fmt::format("it ends at byte {}", at_ + count));
  auto member = decode_tar_header(block);
  if (!member) return refuse(fmt::format("byte {}: {}", at_, member.error().message));
  at_ += block.size();
  return std::move(*member);
}

Status Restoration::take(const TarMember& member) {
  NETML_TRY(const Target target, target_of(member));
  Sha256Hasher hasher;
  for (std::uint64_t done = 0; done < member.bytes;) {
    const auto part =
        std::span(piece_).first(std::min<std::uint64_t>(piece_.size(), member.bytes - done));
    NETML_TRY(const std::size_t count, backup_.read(at_, part));
    if (count < part.size()) return refuse(fmt::format("it ends in {}", member.name));
    if (target.file)
      NETML_TRY_VOID(target.file->write(done, part));
    else
      target.text->append(reinterpret_cast<const char*>(part.data()), part.size());
    hasher.add(part);
    at_ += part.size();
    done += part.size();
    options_.progress(at_);
  }
  at_ += tar_padding(member.bytes);
  if (!hashes_.emplace(member.name, to_hex(hasher.finish())).second)
    return refuse(member.name + " is there twice");
  return target.file ? target.file->sync() : Status();
}

Result<Restoration::Target> Restoration::target_of(const TarMember& member) {
  if (member.name == kBackupHead || member.name == kBackupSums) {
    if (member.bytes > kTextBytesMax) return refuse(member.name + " is too long");
    return Target{nullptr, member.name == kBackupHead ? &head_ : &sums_};
  }
  if (is_manifest_name(member.name)) {
    if (member.bytes > format::kManifestBytesMax) return refuse(member.name + " is too long");
    return Target{nullptr, &manifests_[member.name]};
  }
  if (member.name == kSignatureFile) return new_file(into_, member.name);
  const std::pair<std::string_view, Storage*> directories[] = {
      {kJournalDirectory, data_.journal.get()},
      {kCheckpointDirectory, data_.checkpoints.get()},
      {kUploadDirectory, data_.uploads.get()}};
  for (const auto& [directory, storage] : directories)
    if (member.name.starts_with(directory) && member.name.substr(directory.size(), 1) == "/")
      return new_file(*storage, member.name.substr(directory.size() + 1));
  return refuse(fmt::format("\"{}\" does not belong to it", member.name));
}

Result<Restoration::Target> Restoration::new_file(Storage& directory, const std::string& name) {
  const auto harmless = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
  };
  if (name.empty() || name.front() == '.' || !std::ranges::all_of(name, harmless))
    return refuse(fmt::format("\"{}\" is no name of a file in it", name));
  auto file = directory.open(name, OpenMode::create_new);
  if (!file && file.error().code == Errc::conflict) return refuse(name + " is there twice");
  if (!file) return tl::unexpected(std::move(file).error());
  return Target{*std::move(file)};
}

// The list comes last, so a backup that was cut has none.
Status Restoration::check_sums() const {
  std::size_t listed = 0;
  for (std::string_view rest = sums_; !rest.empty(); ++listed) {
    constexpr std::size_t kHashDigits = 2 * sizeof(Sha256);
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (line.size() < kHashDigits + 2 || line.substr(kHashDigits, 2) != "  ")
      return refuse("its list of hashes is damaged");
    const std::string name(line.substr(kHashDigits + 2));
    const auto found = hashes_.find(name);
    if (found == hashes_.end()) return refuse(name + " is missing");
    if (found->second != line.substr(0, kHashDigits)) return refuse(name + " has another SHA-256");
  }
  if (!hashes_.contains(std::string(kBackupSums))) return refuse("its list of hashes is missing");
  if (listed + 1 != hashes_.size()) return refuse("it holds more than its list of hashes");
  return {};
}

Status Restoration::sync() {
  for (Storage* directory :
       {data_.journal.get(), data_.checkpoints.get(), data_.uploads.get(), data_.root})
    NETML_TRY_VOID(directory->sync());
  return {};
}

// Read back from the disk: checksums, chain, checkpoints, files, and the state by replay.
Result<VerifyReport> Restoration::prove() {
  Result<VerifyReport> report =
      verify(into_, parallel_, {.known = options_.known, .report = options_.verifying});
  if (!report && report.error().code == Errc::newer_version)
    return fail(Errc::newer_version, fmt::format("{}: {}", backup_.path(), report.error().message));
  if (!report) return refuse(report.error().message);
  if (!report->findings.empty()) return refuse(report->findings.front());
  if (to_string(report->head) + '\n' != head_)
    return refuse(
        fmt::format("its journal ends at {}, but it names another head", to_string(report->head)));
  return report;
}

}  // namespace

Result<VerifyReport> restore(File& backup, Storage& into, Parallel& parallel,
                             const RestoreOptions& options) {
  return Restoration(backup, into, parallel, options).run();
}

}  // namespace netml::wal
