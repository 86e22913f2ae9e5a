// Files and processes as the scenarios need them. Failure ends the program.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

namespace netml::bench {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using FilePtr = std::unique_ptr<std::FILE, CloseFile>;

FilePtr open_file(const std::string& path, const char* mode);
std::string read_whole(const std::string& path);
// Returns when all of it is on the disk.
void write_back(std::FILE* file);
// Of all files below a directory.
std::uint64_t directory_bytes(const std::string& path);

}  // namespace netml::bench
