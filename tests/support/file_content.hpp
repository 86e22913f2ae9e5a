// The whole content of a file; empty where there is none, up to where it can be read.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace netml::test {

inline std::string file_content(const std::filesystem::path& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(content).str();
}

}  // namespace netml::test
