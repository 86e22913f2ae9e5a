#include "codecs/netml/bulk/slice_parser.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace netml::codecs {

namespace {

constexpr std::string_view kAttributeNames[] = {"id", "version", "name"};

std::uint8_t place_in_topology(Element child) {
  const auto children = rule_of(Element::topology).children;
  const auto found = std::ranges::find(children, child, &ChildRule::element);
  return static_cast<std::uint8_t>(found - children.begin());
}

bool has_enough(const OpenElement& element) {
  const auto children = element.rule->children;
  for (std::size_t i = 0; i < children.size(); ++i)
    if (element.counts[i] < children[i].min) return false;
  return true;
}

// A topology of an earlier slice: its header is complete, its members may go on.
OpenElement outer_topology() {
  OpenElement topology{&rule_of(Element::topology), {}};
  topology.place = place_in_topology(Element::institution);
  for (std::size_t i = 0; i < topology.place; ++i)
    topology.counts[i] = topology.rule->children[i].min;
  return topology;
}

}  // namespace

SliceParser::SliceParser(const ReadLimits& limits, const BulkPrologue& prologue)
    : limits_(limits),
      prologue_(prologue),
      errors_(limits.errors),
      content_(limits, errors_, recording_) {}

bool SliceParser::parse(std::string_view text, bool first) {
  recording_.clear();
  elements_ = 0;
  open_.assign(1, outer_topology());
  if (!is_plain_text(text)) return false;
  cursor_ = MarkupCursor(text);
  if (first && !begin_root()) return false;
  return parse_elements() && errors_.empty() && !content_.in_record() &&
         open_.back().rule->element == Element::topology;
}

bool SliceParser::begin_root() {
  cursor_.skip(prologue_.bytes);
  ++elements_;
  attributes_.clear();
  if (prologue_.id) attributes_.push_back({{{}, "id"}, *prologue_.id});
  if (prologue_.version) attributes_.push_back({{{}, "version"}, *prologue_.version});
  open_.push_back({&rule_of(Element::topology), {}});
  content_.begin(open_.back(), attributes_);
  return !prologue_.empty_root;
}

bool SliceParser::parse_elements() {
  while (true) {
    cursor_.skip_blank();
    if (cursor_.at_end()) return true;
    if (cursor_.peek() != '<') return false;
    if (!parse_markup()) return false;
  }
}

bool SliceParser::parse_markup() {
  switch (cursor_.peek(1)) {
    case '/':
      return parse_end_tag();
    case '!':
    case '?':
      return cursor_.take_remark();
    default:
      return parse_start_tag();
  }
}

// ---- start tags ----

bool SliceParser::parse_start_tag() {
  Element child{};
  bool empty_element = false;
  if (!take_child_name(child) || !take_attributes() || !cursor_.take_tag_end(empty_element))
    return false;
  ++elements_;
  const OpenElement element{&rule_of(child), {}};
  content_.begin(element, attributes_);
  if (element.rule->is_text()) {
    if (!empty_element && !parse_text(element)) return false;
    content_.end(element);
  } else if (empty_element) {
    if (!has_enough(element)) return false;
    end_element(element);
  } else {
    open_.push_back(element);
  }
  return errors_.empty();
}

// The next element is a child of the innermost open one, in its order and number.
bool SliceParser::take_child_name(Element& child) {
  OpenElement& parent = open_.back();
  const auto children = parent.rule->children;
  std::size_t place = parent.place;
  while (place < children.size() && !cursor_.names(prologue_.names[children[place].element], 1))
    ++place;
  if (place == children.size()) return false;
  child = children[place].element;
  std::uint8_t& count = parent.counts[place];
  if (child == Element::nml_topology || count == children[place].max) return false;
  if (count + 1 < kMany) ++count;
  // A header ends with the first member: what it lacks can come no more.
  if (parent.rule->element == Element::topology &&
      place >= place_in_topology(Element::institution) && !has_enough(parent))
    return false;
  parent.place = static_cast<std::uint8_t>(place);
  cursor_.skip(1 + prologue_.names[child].size());
  return true;
}

bool SliceParser::take_attributes() {
  attributes_.clear();
  std::array<bool, std::size(kAttributeNames)> seen{};
  while (cursor_.skip_blank()) {
    const std::string_view name = cursor_.take_name();
    if (name.empty()) break;
    const auto* known = std::ranges::find(kAttributeNames, name);
    if (known == std::end(kAttributeNames)) return false;
    bool& repeated = seen[static_cast<std::size_t>(known - std::begin(kAttributeNames))];
    if (std::exchange(repeated, true)) return false;
    if (attributes_.size() == decoded_values_.size()) return false;
    XmlAttribute attribute{{{}, *known}, {}};
    if (!cursor_.take_value(attribute.value, decoded_values_[attributes_.size()])) return false;
    if (attribute.value.size() > limits_.text_bytes) return false;
    attributes_.push_back(attribute);
  }
  return true;
}

// ---- texts and end tags ----

bool SliceParser::parse_text(const OpenElement& element) {
  while (true) {
    std::string_view piece;
    if (!cursor_.take_text(piece)) return false;
    content_.append_text(piece, {});
    if (cursor_.peek() == '<') {
      if (cursor_.peek(1) == '/') return take_end_name(element.rule->element);
      if (!(cursor_.peek(2) == '[' ? parse_section() : cursor_.take_remark())) return false;
      continue;
    }
    piece = cursor_.take_reference();
    if (piece.empty()) return false;
    content_.append_text(piece, {});
  }
}

// Nothing in it stands for anything else but its line ends.
bool SliceParser::parse_section() {
  std::string_view section;
  if (!cursor_.take_section(section)) return false;
  for (std::size_t end = section.find('\r'); end != std::string_view::npos;
       end = section.find('\r')) {
    content_.append_text(section.substr(0, end), {});
    content_.append_text("\n", {});
    section.remove_prefix(section.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
  }
  content_.append_text(section, {});
  return true;
}

bool SliceParser::take_end_name(Element element) {
  if (cursor_.peek(1) != '/' || !cursor_.names(prologue_.names[element], 2)) return false;
  cursor_.skip(2 + prologue_.names[element].size());
  cursor_.skip_blank();
  return cursor_.take(">");
}

bool SliceParser::parse_end_tag() {
  const OpenElement element = open_.back();
  if (!take_end_name(element.rule->element) || !has_enough(element)) return false;
  if (open_.size() > 1) open_.pop_back();
  end_element(element);
  return errors_.empty();
}

void SliceParser::end_element(const OpenElement& element) {
  content_.end(element);
  // What lies around a topology lists sub-topologies already.
  if (element.rule->element == Element::topology)
    open_.back().place = place_in_topology(Element::topology);
}

}  // namespace netml::codecs
