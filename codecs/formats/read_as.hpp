// How a file is to be read, in one text, which travels with its import and stays in its record: the
// name of a format with parameters, as media types have them (RFC 9110, section 5.6.6):
//
//   csv;update;map="Node A=link end"
//   netbox;mapping="nodes=location"
//
// Without a name the format is that which the file's own name stands for.
//
// Failure: Errc::invalid_input, with the field. Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

#include "codecs/formats/tables/heading_map.hpp"
#include "engine/base/result.hpp"

namespace netml::codecs {

struct ReadAs {
  std::string format = {};   // its name; empty: none was given
  HeadingMap headings = {};  // of tables
  std::string mapping = {};  // that the format knows (file_format.hpp); empty: the usual one
  bool is_update = false;    // of tables: values of elements that a topology has

  std::string text() const;
};

Result<ReadAs> parse_read_as(std::string_view text);

// What a request says piece by piece, in one text.
struct ReadAsPieces {
  std::string format = {};
  std::string headings = {};  // HEADING=FIELD, one a line
  std::string mapping = {};
  bool is_update = false;
};
Result<std::string> read_as_text(ReadAsPieces pieces);

// The two parts: the name, and the parameters as they are, each behind its semicolon.
std::string_view format_name_in(std::string_view read_as);
std::string_view parameters_in(std::string_view read_as);

}  // namespace netml::codecs
