#include "codecs/formats/nml/nml_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "codecs/document/xml_text.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {}  // namespace

void NmlTree::read(RandomAccessFile& file) {
  const auto take = [this](std::span<const std::byte> piece) {
    stream_.feed(piece);
    return !stream_.stopped();
  };
  if (const Status read = read_in_pieces(file, take); !read)
    return errors_.report_last("unreadable", read.error().message, {});
  stream_.finish();
}

std::string_view NmlTree::attribute(const NmlElement& element, std::string_view name) const {
  const auto all = attributes(element);
  const auto found = std::ranges::find(all, name, &NmlAttribute::name);
  return found == all.end() ? std::string_view() : found->value;
}

std::string_view NmlTree::keep(std::string_view text) {
  if (text.empty()) return {};
  char* const copy = static_cast<char*>(texts_.allocate(text.size(), 1));
  std::memcpy(copy, text.data(), text.size());
  return {copy, text.size()};
}

std::string_view NmlTree::keep_once(std::string_view name) {
  const auto found = names_.find(name);
  return found != names_.end() ? *found : *names_.insert(keep(name)).first;
}

void NmlTree::start_element(const XmlName& name, std::span<const XmlAttribute> attributes) {
  NmlElement element{.space = keep_once(name.space),
                     .name = keep_once(name.local),
                     .at = stream_.position(),
                     .parent = open_.empty() ? NmlElement::kNone : open_.back().element};
  element.attributes_begin = static_cast<std::uint32_t>(attributes_.size());
  for (const XmlAttribute& attribute : attributes)
    if (attribute.name.space != kXsiNamespace)
      attributes_.push_back({keep_once(attribute.name.local), keep(attribute.value)});
  element.attributes_end = static_cast<std::uint32_t>(attributes_.size());
  open_.push_back({static_cast<std::uint32_t>(elements_.size()), text_.size()});
  elements_.push_back(element);
}

void NmlTree::end_element() {
  const Open open = open_.back();
  open_.pop_back();
  NmlElement& element = elements_[open.element];
  element.end = static_cast<std::uint32_t>(elements_.size());
  const std::string_view text = std::string_view(text_).substr(open.text_begin);
  const bool is_leaf = element.end == open.element + 1;
  if (is_leaf || !is_xml_blank(text)) element.text = keep(text);
  text_.resize(open.text_begin);
}

void NmlTree::text(std::string_view piece) {
  text_ += piece;
  if (text_.size() - open_.back().text_begin <= limits_.text_bytes) return;
  fault("too-large", beyond_limit("the text of an element is too long", limit_names::kXmlTextBytes,
                                  limits_.text_bytes));
  stream_.stop();
}

void NmlTree::fault(std::string_view code, std::string_view message) {
  errors_.report_last(code, message, stream_.position());
}

}  // namespace netml::codecs
