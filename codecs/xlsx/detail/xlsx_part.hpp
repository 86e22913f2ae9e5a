// One XML part of a workbook, element by element. Elements are known by tags; those of other
// namespaces than a workbook's are `other`, so that extensions of programs are passed over.
//
// Failure: as a ZipFault from read_part. Thread: its owner.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/xml_stream.hpp"
#include "codecs/document/zip_archive.hpp"

namespace netml::codecs {

// Those of sheets, the most frequent ones first, of shared strings, styles, the workbook and the
// package.
enum class Tag : std::uint8_t {
  c,
  v,
  row,
  t,
  is,
  f,
  r,
  phonetic,
  sheet_data,
  si,
  number_formats,
  number_format,
  cell_formats,
  xf,
  sheet,
  workbook_properties,
  calculation,
  relationship,
  content_type,
  default_content_type,
  other,
};

class PartEvents : public XmlEvents {
 public:
  void start_element(const XmlName& name, std::span<const XmlAttribute> attributes) final;
  void end_element() final;
  void text(std::string_view piece) final;
  void fault(std::string_view code, std::string_view message) final;

  const std::optional<ZipFault>& failed() const { return failed_; }

 protected:
  virtual void begin(Tag tag, std::span<const XmlAttribute> attributes) = 0;
  virtual void end(Tag) {}
  virtual void characters(std::string_view) {}

  // The tag of the element around the one that begins or ends.
  Tag parent() const;
  bool within(Tag tag) const;
  // Ends the reading of the part; nothing more is handed to it.
  void refuse(std::string_view code, std::string_view message) { fault(code, message); }

 private:
  std::vector<Tag> open_;
  std::optional<ZipFault> failed_;
};

// The value of an attribute without a namespace; empty when absent.
std::string_view attribute(std::span<const XmlAttribute> attributes, std::string_view name);
// The value of an attribute with that local name in any namespace.
std::string_view attribute_of_any(std::span<const XmlAttribute> attributes, std::string_view name);
// A truth value as XML Schema writes it.
bool is_true(std::string_view value);

ZipResult<void> read_part(ZipArchive& archive, std::string_view name, PartEvents& events);

}  // namespace netml::codecs
