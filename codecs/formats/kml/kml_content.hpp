// What the elements of a KML file are: XML events in, features out.
//
// Each attribute and each text that stands in the file becomes a value of a feature or is listed as
// lost; docs/formats/README.md says what counts.
//
// Thread: its owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/error_list.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/document/xml_stream.hpp"
#include "codecs/formats/kml/kml_features.hpp"

namespace netml::codecs {

class KmlContent final : public XmlEvents {
 public:
  explicit KmlContent(const ReadLimits& limits)
      : limits_(limits), errors_(limits.errors), stream_(limits, *this) {}

  void feed(std::span<const std::byte> bytes) { stream_.feed(bytes); }
  bool stopped() const { return stream_.stopped(); }
  ReadResult finish(const DraftOptions& options);
  // Of the file as a whole, before or instead of its text.
  void refuse(std::string_view code, std::string_view message);

  void start_element(const XmlName& name, std::span<const XmlAttribute> attributes) override;
  void end_element() override;
  void text(std::string_view piece) override;
  void fault(std::string_view code, std::string_view message) override;

 private:
  enum class What : std::uint8_t {
    kml,
    folder,  // or document
    placemark,
    value,     // an element of a feature, or in one
    extended,  // ExtendedData
    data,
    data_value,
    schema_data,
    simple_data,
    schema,  // what it declares counts for nothing
    geometries,
    point,
    line,
    coordinates,
    altitude_mode,
    own_style,  // that every file of ours has
    lost,       // with all that is in it
  };
  struct Frame {
    What what = What::lost;
    bool has_children = false;
    TextPosition at = {};
    std::size_t text_begin = 0;
    KmlFeatures::Field* field = nullptr;
    std::string_view name = {};
    std::string_view lost_because = {};
  };

  void begin_kml(const XmlName& name, std::span<const XmlAttribute> attributes);
  Frame child_of(const Frame& parent, const XmlName& name,
                 std::span<const XmlAttribute> attributes);
  Frame child_of_feature(const Frame& parent, const XmlName& name,
                         std::span<const XmlAttribute> attributes);
  Frame child_of_extended(const Frame& parent, const XmlName& name,
                          std::span<const XmlAttribute> attributes);
  Frame child_of_geometry(const Frame& parent, const XmlName& name);
  Frame unknown_geometry(std::string_view reason);
  // An element of a feature or in one, with what it is called.
  Frame value_called(char sort, std::string_view name);
  void begin(const Frame& frame, std::span<const XmlAttribute> attributes);
  void set_attributes(const Frame& frame, std::span<const XmlAttribute> attributes);
  void lose_attributes(const Frame& frame, std::span<const XmlAttribute> attributes);
  void end_text(const Frame& frame, std::string_view text);

  const ReadLimits limits_;
  ErrorList errors_;
  XmlStream stream_;
  KmlFeatures features_;
  std::vector<Frame> open_;
  std::string text_;    // of all open elements, one after the other
  std::string called_;  // its memory is used again
};

}  // namespace netml::codecs
