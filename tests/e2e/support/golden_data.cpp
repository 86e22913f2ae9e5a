#include "tests/e2e/support/golden_data.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string_view>

namespace netml::e2e {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPacked = ".tar.gz";

std::string path_of(const std::string& name, std::string_view end) {
  return std::string(NETML_GOLDEN_DATA "/").append(name).append(end);
}

}  // namespace

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(NETML_GOLDEN_DATA))
    if (const std::string file = entry.path().filename(); file.ends_with(kPacked))
      names.push_back(file.substr(0, file.size() - kPacked.size()));
  return names;
}

void unpack_golden(const std::string& name, const Node& node) {
  Process tar(
      "/usr/bin/tar",
      {"--extract", "--gzip", "--file", path_of(name, kPacked), "--directory", node.file(".")},
      node.file("tar.out"), node.file("tar.err"));
  ASSERT_EQ(tar.wait(), 0) << read_file(node.file("tar.err"));
  fs::permissions(node.data(), fs::perms::owner_all);
}

std::string golden_export(const std::string& name) {
  return read_file(path_of(name, ".export.xml"));
}

}  // namespace netml::e2e
