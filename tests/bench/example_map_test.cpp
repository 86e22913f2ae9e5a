// The example map that `./start` serves: valid, without a warning, and whole after an import.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/file_content.hpp"
#include "tests/support/import_harness.hpp"
#include "tests/support/read_netml.hpp"

namespace netml {
namespace {

std::string example() {
  return test::file_content(NETML_EXAMPLES "/nordic-coast.xml");
}

TEST(ExampleMap, IsValidAndNeedsNoWarning) {
  const auto result = codecs::read_netml(example());
  if (!result) {
    for (const engine::InputError& error : result.error().first) ADD_FAILURE() << error.text();
    return;
  }
  EXPECT_EQ(result->topologies.size(), 6U);
  for (const engine::DocumentNote& note : result->notes) ADD_FAILURE() << note.text;
}

TEST(ExampleMap, KeepsNoCopyBesideItsOriginal) {
  test::ImportHarness store;
  store.import(example());
  const std::string base = "urn:example:nordic-coast";
  EXPECT_EQ(store.node(base + ":node:bergen").topologies, test::Texts{base + ":fjord"});
  EXPECT_EQ(store.node(base + ":node:copenhagen").topologies, (test::Texts{base, base + ":sound"}));
  EXPECT_EQ(store.institution(base + ":inst:continental").topologies, test::Texts{base});
  EXPECT_EQ(store.members(base + ":north", Kind::node).size(), 6U);
  EXPECT_EQ(store.members(base + ":north", Kind::institution).size(), 5U);
}

TEST(ExampleMap, ComesBackTheSameAfterExportAndImport) {
  test::ImportHarness store;
  store.import(example());
  const std::string exported = store.exported();
  test::ImportHarness other;
  other.import(exported);
  EXPECT_EQ(other.exported(), exported);
}

}  // namespace
}  // namespace netml
