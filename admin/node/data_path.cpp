#include "admin/node/data_path.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "wal/format/data_directory.hpp"

namespace netml::admin {

namespace {

struct SplitPath {
  std::string parent;
  std::string name;
};

// "a/b/" is b in a, "b" is b in the current directory, "/b" is b in the root.
SplitPath split(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return {".", std::string(path)};
  return {std::string(path.substr(0, slash == 0 ? 1 : slash)), std::string(path.substr(slash + 1))};
}

std::string advice(Errc code) {
  switch (code) {
    case Errc::denied:
      return fmt::format(
          "; this process runs as user {}: give that user the directory, or name another one with "
          "--data",
          ::geteuid());
    case Errc::not_found:
      return "; make the directory above it, or name another one with --data";
    case Errc::no_space:
      return "; make room, or name another one with --data";
    default:
      return "; name another one with --data";
  }
}

tl::unexpected<Error> cannot(std::string_view what, const std::string& path, const Error& error) {
  return fail(error.code, fmt::format("cannot {} the data directory {}: {}{}", what, path,
                                      error.message, advice(error.code)));
}

tl::unexpected<Error> missing(const std::string& path) {
  return fail(Errc::not_found,
              fmt::format("there is no data directory {}; name the one that there is with --data, "
                          "or make one: netml init, import, restore, replay and serve do",
                          path));
}

Status make(const std::string& path, Random& random) {
  const SplitPath parts = split(path);
  const auto above = wal::PosixStorage::open_path(parts.parent);
  if (!above) return cannot("make", path, above.error());
  if (Status made = create_data_directory(**above, parts.name, random); !made)
    return cannot("make", path, made.error());
  return {};
}

}  // namespace

Result<std::unique_ptr<wal::PosixStorage>> open_data_path(const std::string& path,
                                                          IfMissing if_missing, Random& random) {
  auto opened = wal::PosixStorage::open_path(path);
  if (!opened && opened.error().code == Errc::not_found) {
    if (if_missing == IfMissing::refuse) return missing(path);
    NETML_TRY_VOID(make(path, random));
    opened = wal::PosixStorage::open_path(path);
  }
  if (!opened) return cannot("open", path, opened.error());
  const Result<bool> foreign = wal::is_foreign(**opened);
  if (!foreign) return cannot("read", path, foreign.error());
  NETML_TRY(const bool empty, wal::is_new(**opened));
  if (empty && if_missing == IfMissing::refuse) return missing(path);
  if (*foreign)
    return fail(Errc::invalid_input,
                fmt::format("{} is not empty and not a netml data directory; nothing was changed. "
                            "Name another one with --data",
                            path));
  return opened;
}

Result<wal::Head> make_data_path(const std::string& path,
                                 const std::function<Result<wal::Head>(wal::Storage&)>& fill) {
  const SplitPath parts = split(path);
  std::error_code error;
  if (std::filesystem::exists(path, error))
    return fail(Errc::conflict, fmt::format("{} is there already; name a new directory", path));
  NETML_TRY(const auto above, wal::PosixStorage::open_path(parts.parent));
  const std::string temporary = wal::temporary_name(parts.name);
  NETML_TRY_VOID(above->make_directory(temporary));
  const auto made = [&]() -> Result<wal::Head> {
    NETML_TRY(const auto directory, above->open_directory(temporary));
    NETML_TRY(const wal::Head head, fill(*directory));
    NETML_TRY_VOID(above->rename(temporary, parts.name));
    NETML_TRY_VOID(above->sync());
    return head;
  }();
  if (!made) std::filesystem::remove_all(above->path() + '/' + temporary, error);
  return made;
}

Status make_archive(const std::string& path, const std::string& data_directory) {
  namespace fs = std::filesystem;
  if (!fs::path(path).is_absolute())
    return fail(Errc::invalid_input, path + " is no absolute path");
  std::error_code error;
  const fs::path archive = fs::weakly_canonical(path, error);
  fs::path inside;
  if (!error) inside = fs::weakly_canonical(data_directory, error);
  if (error)
    return fail(Errc::io_error, fmt::format("cannot tell whether {} lies in the data directory: {}",
                                            path, error.message()));
  if (std::mismatch(inside.begin(), inside.end(), archive.begin(), archive.end()).first ==
      inside.end())
    return fail(Errc::invalid_input,
                fmt::format("{} lies in the data directory; name one on another disk", path));
  if (fs::is_directory(path, error)) return {};
  if (fs::create_directory(path, error)) {
    fs::permissions(path, fs::perms::owner_all, error);
    return {};
  }
  return fail(Errc::io_error, fmt::format("cannot make {}: {}", path, error.message()));
}

}  // namespace netml::admin
