// What somebody says of the headings of a table, beside table_fields.hpp: "Node A=link end". Where
// it names columns of a field, no other column is that field.
//
// Thread: any (immutable once made).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/formats/draft/field_rules.hpp"
#include "engine/base/result.hpp"

namespace netml::codecs {

class HeadingMap {
 public:
  static constexpr std::size_t kColumnsMax = 256;

  // Nothing is said.
  HeadingMap() = default;
  // HEADING=FIELD, one a line; blank lines do not count. The field is called as in the page of the
  // format, or by one of the known headings. Errc::invalid_input, in "map".
  static Result<HeadingMap> parse(std::string_view lines);

  bool empty() const { return columns_.empty(); }
  // As parse() takes it.
  std::string text() const;
  // What the heading is, as plain_heading() gives it; nothing where it is not spoken of.
  std::optional<Target> find(std::string_view plain) const;
  bool names(Target target) const;

  struct Column {
    std::string heading;  // as it was given
    std::string plain;
    std::string field;
    Target target = Target::property;
  };
  const std::vector<Column>& columns() const { return columns_; }

 private:
  std::vector<Column> columns_;  // few
};

}  // namespace netml::codecs
