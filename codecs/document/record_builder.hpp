// Gathers what a file says about one record until its Attributes can be made. The texts lie one
// after the other in one buffer that is used again for the next record. Too long texts are cut here
// (docs/requirements/exchange-format.md, section 8), and every cut is a note.
//
// Thread: its owner.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

// A text that a record says of itself, such as its name.
using TextAttribute = engine::Attribute<std::string_view>;
template <engine::Field kField>
inline constexpr const TextAttribute& kText =
    std::get<static_cast<std::size_t>(kField)>(engine::kAttributes);

class RecordBuilder {
 public:
  explicit RecordBuilder(engine::DocumentNotes& notes) : notes_(notes) {}

  void start(Kind kind, std::string_view id, TextPosition at);
  Kind kind() const { return kind_; }
  std::string_view id() const { return view(id_); }
  TextPosition position() const { return position_; }

  // ---- the text of one child: begun, appended to, then taken by one of the set functions or
  // dropped ----
  void begin_text() { text_begin_ = buffer_.size(); }
  void append_text(std::string_view piece) { buffer_.append(piece); }
  std::string_view text() const { return std::string_view(buffer_).substr(text_begin_); }
  void drop_text() { buffer_.resize(text_begin_); }

  void set_text(const TextAttribute& attribute);
  void begin_property(std::string_view name);  // its value is the text that follows
  void set_property_value();
  // The same for texts that are there as a whole.
  void add_text(const TextAttribute& attribute, std::string_view text);
  void add_property(std::string_view name, std::string_view value);

  // Numbers and times are kept as they are.
  std::optional<Instant> version;
  std::optional<Instant> start_time;
  std::optional<Instant> end_time;
  std::optional<engine::Micro> longitude;
  std::optional<engine::Micro> latitude;
  std::optional<engine::Micro> altitude;

  // What the record takes so far.
  std::size_t bytes() const { return buffer_.size() + properties_.size() * sizeof(PropertyRanges); }
  // A remark for the import log: "Node urn:x: <text>".
  void note(bool warning, std::string_view text);
  engine::AttributesPtr make();

 private:
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  struct PropertyRanges {
    Range name;
    Range value;
  };

  std::string_view view(Range range) const {
    return std::string_view(buffer_).substr(range.begin, range.end - range.begin);
  }

  engine::DocumentNotes& notes_;
  Kind kind_ = Kind::topology;
  TextPosition position_;
  std::string buffer_;
  std::size_t text_begin_ = 0;
  Range id_;
  std::vector<std::pair<std::string_view engine::AttributeFields::*, Range>> texts_;
  Range property_name_;
  std::vector<PropertyRanges> properties_;
  std::vector<engine::Property> property_views_;
};

}  // namespace netml::codecs
