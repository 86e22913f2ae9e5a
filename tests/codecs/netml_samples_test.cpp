// Reads the collection of real network maps in the folder that NETML_TEST_DATA names, if it does.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/codecs/netml_text.hpp"
#include "tests/support/file_content.hpp"

namespace netml::codecs {
namespace {

namespace fs = std::filesystem;

TEST(Samples, AreReadWithoutError) {
  const char* folder = std::getenv("NETML_TEST_DATA");
  if (folder == nullptr || !fs::is_directory(folder))
    GTEST_SKIP() << "NETML_TEST_DATA names no folder of sample files";
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    // Below formats/ are files of other formats.
    if (entry.path().extension() != ".xml" ||
        entry.path().string().find("/formats/") != std::string::npos)
      continue;
    SCOPED_TRACE(entry.path().string());
    EXPECT_FALSE(test::read_well(netml::test::file_content(entry.path())).topologies.empty());
    ++files;
  }
  EXPECT_GT(files, 0U);
}

}  // namespace
}  // namespace netml::codecs
