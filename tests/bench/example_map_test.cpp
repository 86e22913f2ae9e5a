// The example map that `./start` serves is a valid file, without a warning.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "codecs/netml_reader.hpp"

namespace netml {
namespace {

TEST(ExampleMap, IsValidAndNeedsNoWarning) {
  std::ifstream file(NETML_EXAMPLES "/nordic-coast.xml", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto result = codecs::read_netml(text);
  if (!result) {
    for (const engine::InputError& error : result.error().first) ADD_FAILURE() << error.text();
    return;
  }
  EXPECT_EQ(result->topologies.size(), 6U);
  for (const engine::DocumentNote& note : result->notes) ADD_FAILURE() << note.text;
}

}  // namespace
}  // namespace netml
