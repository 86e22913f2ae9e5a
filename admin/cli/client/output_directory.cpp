#include "admin/cli/client/output_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

namespace netml::admin::cli {

namespace {

tl::unexpected<Error> cannot_write(const std::string& path, const std::error_code& error) {
  return fail(Errc::io_error, fmt::format("cannot write {}: {}", path, error_text(error.value())));
}

std::error_code last_error() {
  return {errno, std::generic_category()};
}

}  // namespace

Result<OutputDirectory> OutputDirectory::create(const std::string& parent) {
  std::error_code error;
  const bool is_new = std::filesystem::create_directory(parent, error);
  if (error) return cannot_write(parent, error);
  net::UniqueFd lock(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock) return cannot_write(parent, last_error());
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
    return fail(Errc::conflict, fmt::format("another process writes into {}", parent));
  OutputDirectory directory(parent, std::move(lock), is_new);
  std::filesystem::remove_all(directory.unfinished(), error);
  if (!error) std::filesystem::create_directory(directory.unfinished(), error);
  if (error) return cannot_write(directory.unfinished(), error);
  return directory;
}

OutputDirectory::~OutputDirectory() {
  if (!lock_) return;
  files_.clear();
  std::error_code ignored;
  std::filesystem::remove_all(unfinished(), ignored);
  if (parent_is_new_) std::filesystem::remove(parent_, ignored);  // if it is empty
}

Status OutputDirectory::append(const std::string& file, std::string_view bytes) {
  auto found = files_.find(file);
  if (found == files_.end()) {
    NETML_TRY(OutputFile created,
              OutputFile::create((std::filesystem::path(unfinished()) / file).string()));
    found = files_.emplace(file, std::move(created)).first;
  }
  bytes_ += bytes.size();
  return found->second.write(bytes);
}

std::uint64_t OutputDirectory::bytes(const std::string& file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? 0 : found->second.bytes();
}

Status OutputDirectory::commit(const std::string& name) {
  for (auto& [file, output] : files_) NETML_TRY_VOID(output.commit());
  const std::string target = (std::filesystem::path(parent_) / name).string();
  if (std::filesystem::exists(target))
    return fail(Errc::conflict, fmt::format("{} is there already", target));
  if (::rename(unfinished().c_str(), target.c_str()) != 0)
    return cannot_write(target, last_error());
  ::fsync(lock_.get());  // some file systems cannot; the files themselves are safe
  lock_.reset();
  return {};
}

}  // namespace netml::admin::cli
