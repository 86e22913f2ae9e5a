#include "codecs/netml/bulk/bulk_prologue.hpp"

#include <algorithm>

#include "codecs/netml/bulk/markup_cursor.hpp"
#include "codecs/netml/bulk/plain_text.hpp"

namespace netml::codecs {

namespace {

constexpr std::size_t kPrologueBytesMax = 8 << 10;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr std::string_view kXmlnsNamespace = "http://www.w3.org/2000/xmlns/";

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

// One attribute of a start tag, its texts as they stand there.
struct RawAttribute {
  std::string_view name;
  std::string value;

  // "p" of "p:name"; empty for "name".
  std::string_view prefix() const {
    const std::size_t colon = name.find(':');
    return colon == std::string_view::npos ? std::string_view{} : name.substr(0, colon);
  }
  bool declares_namespace() const { return name == "xmlns" || prefix() == "xmlns"; }
  std::string_view declared_prefix() const {
    return name == "xmlns" ? std::string_view{} : name.substr(sizeof "xmlns:" - 1);
  }
};

// Attributes in the order of the text, each after a blank.
bool take_attributes(MarkupCursor& cursor, std::vector<RawAttribute>& attributes) {
  std::string decoded;
  while (true) {
    const bool blank = cursor.skip_blank();
    const std::string_view name = cursor.take_name();
    if (name.empty()) return true;
    std::string_view value;
    if (!blank || !cursor.take_value(value, decoded)) return false;
    attributes.push_back({name, std::string(value)});
  }
}

bool take_declaration(MarkupCursor& cursor) {
  if (!cursor.take("<?xml")) return true;  // a declaration may be missing
  std::vector<RawAttribute> parts;
  if (!take_attributes(cursor, parts) || !cursor.take("?>")) return false;
  auto part = parts.begin();
  if (part == parts.end() || part->name != "version" || part->value != "1.0") return false;
  if (++part != parts.end() && part->name == "encoding") {
    if (!equals_ignoring_case(part->value, "utf-8")) return false;
    ++part;
  }
  if (part != parts.end() && part->name == "standalone") {
    if (part->value != "yes" && part->value != "no") return false;
    ++part;
  }
  return part == parts.end();
}

bool repeats(const std::vector<RawAttribute>& attributes) {
  for (std::size_t i = 0; i < attributes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (attributes[i].name == attributes[j].name) return true;
  return false;
}

struct Namespace {
  std::string_view prefix;
  std::string_view uri;
};

// Each prefix with its namespace, as long as nothing about them is special.
bool gather_namespaces(const std::vector<RawAttribute>& attributes,
                       std::vector<Namespace>& namespaces) {
  for (const RawAttribute& attribute : attributes) {
    if (!attribute.declares_namespace()) continue;
    const std::string_view prefix = attribute.declared_prefix();
    const std::string_view uri = attribute.value;
    if (uri.empty() || uri == kXmlNamespace || uri == kXmlnsNamespace) return false;
    if (equals_ignoring_case(prefix.substr(0, 3), "xml")) return false;
    if (std::ranges::find(namespaces, uri, &Namespace::uri) != namespaces.end()) return false;
    namespaces.push_back({prefix, uri});
  }
  return true;
}

// The attributes that say something; false if there is one that has no business there.
bool gather_attributes(const std::vector<RawAttribute>& attributes,
                       const std::vector<Namespace>& namespaces, BulkPrologue& prologue) {
  for (const RawAttribute& attribute : attributes) {
    if (attribute.declares_namespace()) continue;
    if (attribute.name == "id") {
      prologue.id = attribute.value;
    } else if (attribute.name == "version") {
      prologue.version = attribute.value;
    } else {
      const std::string_view prefix = attribute.prefix();
      const auto found = std::ranges::find(namespaces, prefix, &Namespace::prefix);
      if (prefix.empty() || found == namespaces.end() || found->uri != kXsiNamespace) return false;
    }
  }
  return true;
}

bool within(const std::vector<RawAttribute>& attributes, const ReadLimits& limits) {
  return attributes.size() <= limits.attributes &&
         std::ranges::all_of(attributes, [&limits](const RawAttribute& attribute) {
           return attribute.name.size() <= limits.name_bytes &&
                  attribute.value.size() <= limits.text_bytes;
         });
}

bool take_root(MarkupCursor& cursor, const ReadLimits& limits, BulkPrologue& prologue) {
  if (!cursor.take("<")) return false;
  const std::string_view name = cursor.take_name();
  std::vector<RawAttribute> attributes;
  if (name.empty() || !take_attributes(cursor, attributes)) return false;
  std::vector<Namespace> namespaces;
  if (repeats(attributes) || !within(attributes, limits) ||
      !gather_namespaces(attributes, namespaces))
    return false;
  for (const Namespace& space : namespaces) prologue.names.set_prefix(space.uri, space.prefix);
  return gather_attributes(attributes, namespaces, prologue) &&
         name == prologue.names[Element::topology] && cursor.take_tag_end(prologue.empty_root);
}

// Whether the start tag of the root is there, as far as can be seen without reading it.
PrologueState root_tag_state(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return PrologueState::incomplete;
  if (text[first] != '<') return PrologueState::refused;
  std::size_t tag = first;
  while (tag + 1 < text.size() && text[tag + 1] == '?') {
    tag = text.find('<', tag + 1);
    if (tag == std::string_view::npos) return PrologueState::incomplete;
  }
  return text.find('>', tag) == std::string_view::npos ? PrologueState::incomplete
                                                       : PrologueState::complete;
}

}  // namespace

void ElementNames::set_prefix(std::string_view space, std::string_view prefix) {
  for (std::size_t i = 0; i < kElementCount; ++i) {
    const ElementRule& rule = rule_of(static_cast<Element>(i));
    if (rule.space != space) continue;
    names_[i] = prefix;
    if (!prefix.empty()) names_[i] += ':';
    names_[i] += rule.name;
  }
}

PrologueState read_prologue(std::string_view text, const ReadLimits& limits,
                            BulkPrologue& prologue) {
  text = text.substr(0, kPrologueBytesMax);
  const PrologueState extent = root_tag_state(text);
  if (extent == PrologueState::incomplete && text.size() < kPrologueBytesMax) return extent;
  if (extent != PrologueState::complete) return PrologueState::refused;
  const std::string beginning(text);
  MarkupCursor cursor(beginning);
  cursor.take(kByteOrderMark);
  if (!take_declaration(cursor)) return PrologueState::refused;
  cursor.skip_blank();
  if (!take_root(cursor, limits, prologue)) return PrologueState::refused;
  prologue.bytes = text.size() - cursor.rest().size();
  return is_plain_text(text.substr(0, prologue.bytes)) ? PrologueState::complete
                                                       : PrologueState::refused;
}

}  // namespace netml::codecs
