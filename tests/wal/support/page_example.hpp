// The worked examples of docs/format/, as bytes.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace netml::wal::test {

// The content of the blocks marked ```hex in the page: two digits a byte; a line's text after '|'
// is explanation.
inline std::vector<std::byte> hex_of_page(const std::string& page) {
  std::ifstream file(fmt::format("{}/docs/format/{}", NETML_SOURCE_DIR, page));
  EXPECT_TRUE(file.is_open());
  std::vector<std::byte> bytes;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      inside = line == "```hex";
      continue;
    }
    if (!inside) continue;
    std::istringstream digits(line.substr(0, line.find('|')));
    for (std::string pair; digits >> pair;)
      bytes.push_back(static_cast<std::byte>(std::stoul(pair, nullptr, 16)));
  }
  return bytes;
}

inline std::string dump(std::span<const std::byte> bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    text += fmt::format("{:02x}{}", static_cast<unsigned>(bytes[i]), i % 16 == 15 ? "\n" : " ");
  return text;
}

}  // namespace netml::wal::test
