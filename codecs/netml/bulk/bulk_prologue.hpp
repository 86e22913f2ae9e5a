// The beginning of a file as the bulk path of reading knows it: a byte order mark, an XML
// declaration, comments, instructions and the start tag of the root, which alone may declare
// namespaces.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "codecs/document/read_limits.hpp"
#include "codecs/netml/bulk/text_decoder.hpp"
#include "codecs/netml/strict/netml_grammar.hpp"

namespace netml::codecs {

// How a file spells the names of elements, by Element: "grenml:Node". Empty if it cannot.
class ElementNames {
 public:
  std::string_view operator[](Element element) const {
    return names_[static_cast<std::size_t>(element)];
  }
  void set_prefix(std::string_view space, std::string_view prefix);

 private:
  std::array<std::string, kElementCount> names_;
};

struct BulkPrologue {
  ElementNames names;
  std::optional<std::string> id;  // of the root topology
  std::optional<std::string> version;
  bool empty_root = false;
  TextEncoding encoding = TextEncoding::utf8;  // of the file
  std::size_t bytes = 0;                       // in UTF-8, up to the end of the root's start tag
};

enum class PrologueState { complete, incomplete, refused };

// Reads the prologue from the beginning of a file, its bytes as they are. Incomplete: more of the
// file might help.
PrologueState read_prologue(std::string_view file, const ReadLimits& limits,
                            BulkPrologue& prologue);

}  // namespace netml::codecs
