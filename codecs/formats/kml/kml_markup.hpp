// The pieces that a KML file is written with: values, styles, geometries.
//
// Thread: its owner.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "codecs/document/text_buffer.hpp"
#include "codecs/document/xml_text.hpp"
#include "codecs/formats/kml/kml_styles.hpp"
#include "engine/graph/record.hpp"

namespace netml::codecs {

// Readers pass over blanks around the text of an element: a text that has some stands elsewhere.
bool is_plain(std::string_view text);

class KmlMarkup {
 public:
  void add(std::string_view markup) { out_.append(markup); }
  std::string take() { return std::string(out_.view()); }

  // <name>text</name>; nothing where the text is empty or not plain.
  void text_element(std::string_view name, std::string_view text);
  void time(std::string_view name, const std::optional<Instant>& value);
  // A value in ExtendedData.
  void data(std::string_view name, std::string_view value);
  // The same, under another name where the table has something else for this one.
  void property(std::string_view name, std::string_view value);

  // All that elements refer to.
  void styles();
  void style_url(std::string_view kind, std::span<const MapColour> colours,
                 const engine::Attributes& attributes);

  void point(const engine::Coordinates& place, const std::optional<engine::Micro>& altitude);
  // Straight between two places, in two lines where it crosses 180 degrees.
  void line(const engine::Coordinates& from, const engine::Coordinates& to);
  // Coordinates as a file gave them.
  void course(std::string_view coordinates);

 private:
  void escaped(std::string_view text);
  void style(std::string_view kind, const MapColour& colour, std::string_view element,
             std::string_view size);
  void coordinates(const engine::Coordinates& place);
  void line_string(const engine::Coordinates& from, const engine::Coordinates& to);

  TextBuffer out_;
  InstantText instants_;
};

}  // namespace netml::codecs
