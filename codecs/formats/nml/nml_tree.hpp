// An XML document as one flat list of its elements, in the order of the text: ports of NML
// are described in one place and used in another, so a reader must look ahead.
//
// Ownership: the tree owns its texts. Memory: the texts, and 88 bytes for each element. Errors: in
// the list that it is given. Thread: one at a time.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_set.hpp>

#include "codecs/document/error_list.hpp"
#include "codecs/document/random_access.hpp"
#include "codecs/document/read_limits.hpp"
#include "codecs/document/xml_stream.hpp"

namespace netml::codecs {

struct NmlAttribute {
  std::string_view name;  // without its namespace
  std::string_view value;
};

struct NmlElement {
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::string_view space = {};
  std::string_view name = {};
  std::string_view text = {};  // its own, of all its pieces; blank ones of leaves only
  TextPosition at = {};
  std::uint32_t parent = kNone;
  std::uint32_t end = 0;  // behind the last element in it
  std::uint32_t attributes_begin = 0;
  std::uint32_t attributes_end = 0;
};

class NmlTree final : public XmlEvents {
 public:
  NmlTree(const ReadLimits& limits, ErrorList& errors)
      : limits_(limits), errors_(errors), stream_(limits, *this) {}

  void read(RandomAccessFile& file);

  std::size_t size() const { return elements_.size(); }
  const NmlElement& operator[](std::uint32_t i) const { return elements_[i]; }
  // Those that are counted: none that tells a validator where a schema is.
  std::span<const NmlAttribute> attributes(const NmlElement& element) const {
    return std::span(attributes_)
        .subspan(element.attributes_begin, element.attributes_end - element.attributes_begin);
  }
  std::string_view attribute(const NmlElement& element, std::string_view name) const;

  void start_element(const XmlName& name, std::span<const XmlAttribute> attributes) override;
  void end_element() override;
  void text(std::string_view piece) override;
  void fault(std::string_view code, std::string_view message) override;

 private:
  std::string_view keep(std::string_view text);
  std::string_view keep_once(std::string_view name);

  const ReadLimits limits_;
  ErrorList& errors_;
  XmlStream stream_;
  std::pmr::monotonic_buffer_resource texts_;
  boost::unordered_flat_set<std::string_view> names_;
  std::vector<NmlElement> elements_;
  std::vector<NmlAttribute> attributes_;
  struct Open {
    std::uint32_t element;
    std::size_t text_begin;
  };
  std::vector<Open> open_;
  std::string text_;  // of all open elements, one after the other
};

}  // namespace netml::codecs
