// The text of an import's log, to the letter (docs/requirements/http-api.md, section 9;
// docs/requirements/importing.md, section 3).
#include <gtest/gtest.h>

#include "tests/support/import_harness.hpp"
#include "tests/support/netml_text.hpp"

namespace netml::test {
namespace {

using engine::ImportLog;

TEST(ImportLogText, OfACompleteImportHasABlockForEachKind) {
  ImportHarness store;
  store.import(topology("P", "o", institution("o"), node("a"), node("b"), link("l", "a", "b")));
  EXPECT_EQ(store.log().text(),
            "Status: Import complete\n"
            "\n"
            "Topologies: 1 parsed, 1 imported\n"
            "\n"
            "Institutions: 2 parsed, 2 imported\n"
            "\n"
            "Nodes: 2 parsed, 2 imported\n"
            "\n"
            "Links: 1 parsed, 1 imported\n"
            "\n");
}

// The main topology comes again below itself, and one name is cut.
TEST(ImportLogText, HasTheInformationOfAKindBeforeItsWarnings) {
  ImportHarness store;
  store.import_at_top(topology("P", "o", institution("o")));
  store.import(topology("P", "o", institution("o"), node("n").named(std::string(130, 'x'))));
  const std::string number = std::to_string(store.topology("P").number.value);
  EXPECT_EQ(store.log().text(),
            "Status: Import completed, with warnings\n"
            "\n"
            "Topologies: 1 parsed, 1 imported\n"
            "....P <P> [" +
                number +
                "] matched by its id\n"
                "....WARNING: circular parent avoided: P <P> [" +
                number +
                "] would be its own parent and goes to the top level\n"
                "\n"
                "Institutions: 2 parsed, 2 imported\n"
                "\n"
                "Nodes: 1 parsed, 1 imported\n"
                "....Node n: name cut from \"" +
                std::string(130, 'x') + "\" to \"" + std::string(125, 'x') +
                "...\"\n"
                "\n"
                "Links: 0 parsed, 0 imported\n"
                "\n");
}

TEST(ImportLogText, OfAnAbortedImportCountsNothingAsImportedAndEndsWithTheErrors) {
  ImportLog log;
  log.parsed(Kind::node, 3);
  log.imported(Kind::node, 3);
  log.error("first");
  log.error("Error: second");
  EXPECT_EQ(log.text(),
            "Status: Import aborted\n"
            "\n"
            "Topologies: 0 parsed, 0 imported\n"
            "\n"
            "Institutions: 0 parsed, 0 imported\n"
            "\n"
            "Nodes: 3 parsed, 0 imported\n"
            "\n"
            "Links: 0 parsed, 0 imported\n"
            "\n"
            "ERRORS:\n"
            "Error: first\n"
            "Error: second\n");
  EXPECT_EQ(engine::aborted_import_text("no room"),
            "Status: Import aborted\n\nERRORS:\nError: no room\n");
}

}  // namespace
}  // namespace netml::test
