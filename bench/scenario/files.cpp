#include "bench/scenario/files.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace netml::bench {

FilePtr open_file(const std::string& path, const char* mode) {
  FilePtr file(std::fopen(path.c_str(), mode));
  if (file == nullptr) {
    std::perror(path.c_str());
    std::exit(1);
  }
  return file;
}

std::string read_whole(const std::string& path) {
  const FilePtr file = open_file(path, "rb");
  std::string text(std::filesystem::file_size(path), '\0');
  if (std::fread(text.data(), 1, text.size(), file.get()) != text.size()) std::abort();
  return text;
}

void write_back(std::FILE* file) {
  if (std::fflush(file) != 0 || ::fdatasync(::fileno(file)) != 0) std::abort();
}

std::uint64_t directory_bytes(const std::string& path) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file()) bytes += entry.file_size();
  return bytes;
}

}  // namespace netml::bench
