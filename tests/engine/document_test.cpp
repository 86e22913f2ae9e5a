// What a document says besides its elements: remarks and errors with their places.
#include "engine/graph/document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace netml::engine {
namespace {

TEST(DocumentNotes, KeepTheFirstOfEitherSortAndCountTheOthers) {
  DocumentNotes notes;
  for (std::size_t i = 0; i < DocumentNotes::kKeptMax + 3; ++i)
    notes.add({false, Kind::link, "early"});
  notes.add({true, Kind::node, "late"});
  EXPECT_EQ(notes.size(), DocumentNotes::kKeptMax + 1);
  EXPECT_EQ(notes[DocumentNotes::kKeptMax].text, "late");
  EXPECT_EQ(notes.left_out(false), 3U);
  EXPECT_EQ(notes.left_out(true), 0U);

  DocumentNotes all;
  all.add_left_out(notes);
  EXPECT_EQ(all.left_out(false), 3U);
}

TEST(InputError, NamesItsPlaceInATextOrASheet) {
  InputError error{"c", "Error: x"};
  EXPECT_EQ(error.text(), "Error: x");
  error.line = 3;
  error.column = 28;
  EXPECT_EQ(error.text(), "line 3, column 28: Error: x");
  error.sheet = "Nodes";
  error.id = "urn:n";
  EXPECT_EQ(error.text(), "sheet Nodes, cell AB3: Error: x (urn:n)");
  error.column = 0;
  EXPECT_EQ(error.place(), "sheet Nodes, row 3");
  error.line = 0;
  EXPECT_EQ(error.place(), "sheet Nodes");
}

TEST(ColumnLetters, CountLikeSpreadsheets) {
  EXPECT_EQ(column_letters(1), "A");
  EXPECT_EQ(column_letters(26), "Z");
  EXPECT_EQ(column_letters(27), "AA");
  EXPECT_EQ(column_letters(702), "ZZ");
  EXPECT_EQ(column_letters(703), "AAA");
  EXPECT_EQ(column_letters(16'384), "XFD");
}

}  // namespace
}  // namespace netml::engine
