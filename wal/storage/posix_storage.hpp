// Storage on a directory of the file system. Files get mode 0600, directories 0700, whatever the
// umask; symbolic links are never followed (rule L2).
#pragma once

#include <memory>
#include <string>

#include "wal/storage/storage.hpp"

namespace netml::wal {

class PosixStorage final : public Storage {
 public:
  // The directory must exist. `path` itself may lead through symbolic links: it is the
  // administrator's choice; nothing below it may.
  static Result<std::unique_ptr<PosixStorage>> open_path(const std::string& path);

  ~PosixStorage() override;
  PosixStorage(const PosixStorage&) = delete;
  PosixStorage& operator=(const PosixStorage&) = delete;

  Result<std::unique_ptr<File>> open(std::string_view name, OpenMode mode) override;
  Result<std::unique_ptr<Storage>> open_directory(std::string_view name) override;
  Result<std::unique_ptr<Storage>> open_elsewhere(const std::string& path) override;
  Status make_directory(std::string_view name) override;
  Status rename(std::string_view from, std::string_view to) override;
  // `target` must be a PosixStorage too.
  Status move_to(std::string_view from, Storage& target, std::string_view to) override;
  Status unlink(std::string_view name) override;
  Result<std::vector<DirectoryEntry>> list() override;
  Status sync() override;
  Result<Space> space() override;
  Result<std::unique_ptr<FileLock>> lock(std::string_view name) override;
  Result<std::unique_ptr<FileLock>> lock_for_reading(std::string_view name) override;
  Status check_private() override;
  Status check_secret(std::string_view name) override;
  const std::string& path() const override { return path_; }

 private:
  PosixStorage(int descriptor, std::string path)
      : descriptor_(descriptor), path_(std::move(path)) {}
  std::string path_of(std::string_view name) const;
  Result<std::unique_ptr<FileLock>> lock_with(std::string_view name, int flags, int operation);

  int descriptor_;
  std::string path_;
};

}  // namespace netml::wal
