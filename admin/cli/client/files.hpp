// Files that commands read and write.
// Failure: Errc::io_error with path and reason.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "codecs/document/random_access.hpp"
#include "engine/base/result.hpp"
#include "net/http/unique_fd.hpp"

namespace netml::admin::cli {

// Stands for standard input or output where a file can be named.
inline constexpr std::string_view kStandardStream = "-";

// A file that a command reads. Standard input is put aside first, in a temporary file that goes
// with this, however the process ends: some readers go over a file twice, or want its size.
// Thread: one at a time.
class InputFile {
 public:
  static Result<InputFile> open(const std::string& path);
  // The same, for who opens the file by its name, and not through path() alone.
  static Result<InputFile> open_with_name(const std::string& path);
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  const std::string& path() const { return path_; }
  const std::string& shown() const { return shown_; }  // in messages
  const std::string& name() const { return name_; }    // without folders; tells the format
  std::uint64_t bytes() const { return bytes_; }

 private:
  InputFile(std::string path, std::string shown, std::string name)
      : path_(std::move(path)), shown_(std::move(shown)), name_(std::move(name)) {}
  static Result<InputFile> put_aside(int descriptor, bool keeps_name);
  // From now on it is reached through the descriptor alone, and gone when the process is.
  void take_name_away(net::UniqueFd descriptor);

  std::string path_;
  std::string shown_;
  std::string name_;
  std::uint64_t bytes_ = 0;
  bool temporary_ = false;
  net::UniqueFd held_;  // of a file without a name
};

// The size of a regular file that can be read.
Result<std::uint64_t> readable_file_size(const std::string& path);

// A regular file to be read here and there.
Result<std::unique_ptr<codecs::RandomAccessFile>> open_random_access(const std::string& path);

// Hands a file over in pieces; stops early when `take` answers false.
Status read_file(const std::string& path, const std::function<bool(std::string_view)>& take);
// All of it, for small ones; "-" is standard input.
Result<std::string> whole_file(const std::string& path);

enum class FileReaders : std::uint8_t {
  by_mask,  // whoever the user's mask lets
  owner,    // nobody else
};

// A file that comes into being whole: written without a name, synced, then named beside its place
// and renamed. Where it ends before commit(), also by a signal, it leaves nothing behind; on file
// systems that have no files without names one beside its place, NAME.PROCESS-N.tmp. What is no
// regular file (a device, a pipe) is written directly, since it must not be replaced. Thread: one
// at a time.
class OutputFile {
 public:
  static Result<OutputFile> create(const std::string& path,
                                   FileReaders readers = FileReaders::by_mask);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  Status write(std::string_view piece);
  Status commit();
  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  OutputFile(std::string path, std::string temporary, int descriptor)
      : path_(std::move(path)), temporary_(std::move(temporary)), descriptor_(descriptor) {}
  static std::optional<OutputFile> create_unnamed(const std::string& target, unsigned mode);
  bool give_name();
  tl::unexpected<Error> failed() const;

  std::string path_;
  std::string temporary_;  // empty: written directly, without a name, or done
  int descriptor_;
  bool unnamed_ = false;
  std::uint64_t bytes_ = 0;
};

}  // namespace netml::admin::cli
