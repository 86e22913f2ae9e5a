#include "codecs/xlsx/detail/xlsx_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace netml::codecs {

namespace {

constexpr std::array<std::string_view, 4> kNamespaces{
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "http://purl.oclc.org/ooxml/spreadsheetml/main",
    "http://schemas.openxmlformats.org/package/2006/relationships",
    "http://schemas.openxmlformats.org/package/2006/content-types",
};

// In the order of Tag.
constexpr std::array<std::string_view, static_cast<std::size_t>(Tag::other)> kTags{
    "c",          "v",      "row",          "t",         "is",
    "f",          "r",      "rPh",          "sheetData", "si",
    "numFmts",    "numFmt", "cellXfs",      "xf",        "sheet",
    "workbookPr", "calcPr", "Relationship", "Override",  "Default"};

Tag tag_of(const XmlName& name) {
  if (std::ranges::find(kNamespaces, name.space) == kNamespaces.end()) return Tag::other;
  return static_cast<Tag>(std::ranges::find(kTags, name.local) - kTags.begin());
}

// Workbooks are flat; sheets have a million rows with many cells.
constexpr ReadLimits kPartLimits{.depth = 64, .elements = 200'000'000};

}  // namespace

void PartEvents::start_element(const XmlName& name, std::span<const XmlAttribute> attributes) {
  if (failed_) return;
  const Tag tag = tag_of(name);
  open_.push_back(tag);
  begin(tag, attributes);
}

void PartEvents::end_element() {
  if (failed_) return;
  const Tag tag = open_.back();
  end(tag);
  open_.pop_back();
}

void PartEvents::text(std::string_view piece) {
  if (!failed_) characters(piece);
}

void PartEvents::fault(std::string_view code, std::string_view message) {
  if (!failed_) failed_ = ZipFault{std::string(code), std::string(message)};
}

Tag PartEvents::parent() const {
  return open_.size() < 2 ? Tag::other : open_[open_.size() - 2];
}

bool PartEvents::within(Tag tag) const {
  return std::ranges::find(open_, tag) != open_.end();
}

std::string_view attribute(std::span<const XmlAttribute> attributes, std::string_view name) {
  for (const XmlAttribute& attribute : attributes)
    if (attribute.name.local == name && attribute.name.space.empty()) return attribute.value;
  return {};
}

std::string_view attribute_of_any(std::span<const XmlAttribute> attributes, std::string_view name) {
  for (const XmlAttribute& attribute : attributes)
    if (attribute.name.local == name && !attribute.name.space.empty()) return attribute.value;
  return attribute(attributes, name);
}

bool is_true(std::string_view value) {
  return value == "1" || value == "true";
}

ZipResult<void> read_part(ZipArchive& archive, std::string_view name, PartEvents& events) {
  XmlStream stream(kPartLimits, events, LimitsAre::fixed);
  auto expanded = archive.expand(name, [&](std::span<const std::byte> piece) {
    stream.feed(piece);
    return !events.failed();
  });
  if (!expanded) return expanded;
  if (!events.failed()) stream.finish();
  if (!events.failed()) return {};
  return zip_fault(events.failed()->code, fmt::format("{}: {}", name, events.failed()->message));
}

}  // namespace netml::codecs
