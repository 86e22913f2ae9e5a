#include "codecs/formats/gml/gml_content.hpp"

#include <fmt/format.h>

#include <utility>

#include "codecs/formats/gml/gml_texts.hpp"
#include "engine/base/texts.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

// Names of values in lists that are nested deeper are of no use, and would be longer than the file.
constexpr std::size_t kPathBytesMax = 256;

// Lists that draw their element have rows of their own: "node.graphics.".
std::string_view drawing(std::string_view owner, std::string_view key) {
  if (equals_ignoring_case(key, "graphics")) {
    if (owner == "graph.") return "graph.graphics.";
    if (owner == "node.") return "node.graphics.";
    if (owner == "edge.") return "edge.graphics.";
  }
  if (equals_ignoring_case(key, "labelgraphics")) {
    if (owner == "node.") return "node.labelgraphics.";
    if (owner == "edge.") return "edge.labelgraphics.";
  }
  return {};
}

}  // namespace

GmlContent::GmlContent(const ReadLimits& limits)
    : limits_(limits), errors_(limits.errors), tokens_(limits_, *this) {
  constexpr TextPosition kBegin{1, 1};
  draft_.open(Kind::topology, kBegin);
  open_.push_back({What::file, "file.", kBegin});
}

ReadResult GmlContent::finish(const DraftOptions& options) {
  tokens_.finish();
  if (errors_.empty() && has_key_)
    fault("not-well-formed", fmt::format("{} lacks its value", excerpt(key_)), key_at_);
  if (errors_.empty() && open_.size() > 1)
    fault("not-well-formed", "the file ends inside this list", open_.back().at);
  if (errors_.empty() && graphs_ == 0)
    errors_.report("missing-element", "the file lacks required list graph", {1, 1});
  if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
  draft_.close();
  return std::move(draft_).take(options, std::move(errors_));
}

void GmlContent::fault(std::string_view code, std::string_view message, TextPosition at) {
  errors_.report_last(code, message, at);
  tokens_.stop();
}

// A key, then its value, and so on.
void GmlContent::token(const GmlToken& token) {
  if (std::exchange(has_key_, false)) {
    if (token.kind == GmlKind::open) return open_list();
    if (token.kind != GmlKind::close) return value(token.text);
    return fault("not-well-formed", fmt::format("{} lacks its value", excerpt(key_)), key_at_);
  }
  if (token.kind == GmlKind::close) return close_list(token.at);
  const bool is_key = token.kind == GmlKind::word && is_gml_key(token.text);
  if (!is_key)
    return fault("not-well-formed",
                 fmt::format("a key must stand here, not {}",
                             token.kind == GmlKind::open ? "[" : excerpt(token.text)),
                 token.at);
  if (token.text.size() > limits_.name_bytes)
    return fault("too-large",
                 beyond_limit("a key is too long", limit_names::kXmlNameBytes, limits_.name_bytes),
                 token.at);
  key_ = token.text;
  key_at_ = token.at;
  has_key_ = true;
}

// ---- lists ----

void GmlContent::open_list() {
  if (open_.size() > limits_.depth)
    return fault("too-deep",
                 beyond_limit("lists are nested too deeply", limit_names::kXmlDepth, limits_.depth),
                 key_at_);
  if (++lists_ > limits_.elements)
    return fault(
        "too-large",
        beyond_limit("there are too many lists", limit_names::kXmlElements, limits_.elements),
        key_at_);
  const std::size_t path_size = path_.size();
  Frame frame = list_in(open_.back());
  frame.at = key_at_;
  frame.path_size = path_size;
  open_.push_back(frame);
  if (path_.size() > kPathBytesMax)
    fault("too-large",
          fmt::format("the keys of lists in each other are longer than {} bytes", kPathBytesMax),
          key_at_);
}

GmlContent::Frame GmlContent::list_in(const Frame& parent) {
  const auto is = [this](std::string_view key) { return equals_ignoring_case(key_, key); };
  if (parent.what == What::file) {
    if (is("graph")) return begin_graph();
    if (is("institution")) return begin_element(Kind::institution, "institution.");
    if (is("topology")) return begin_element(Kind::topology, "topology.");
  }
  if (parent.owner == "graph." && path_.empty() && parent.what != What::property) {
    if (is("node")) return begin_element(Kind::node, "node.");
    if (is("edge")) return begin_element(Kind::link, "edge.");
  }
  const bool in_element = parent.what == What::graph || parent.what == What::element;
  if (in_element && is("property")) {
    name_ = value_ = {};
    return {What::property, parent.owner};
  }
  if (const std::string_view owner = drawing(parent.owner, key_); in_element && !owner.empty())
    return {What::values, owner};
  (path_ += key_) += '.';
  return {parent.what == What::lost ? What::lost : What::values, parent.owner};
}

// The first one is the network; further ones add their elements to it.
GmlContent::Frame GmlContent::begin_graph() {
  return {++graphs_ == 1 ? What::graph : What::lost, "graph."};
}

GmlContent::Frame GmlContent::begin_element(Kind kind, std::string_view owner) {
  draft_.open(kind, key_at_);
  identifier_.clear();
  full_name_.clear();
  sources_.clear();
  targets_.clear();
  has_id_ = false;
  return {What::element, owner};
}

void GmlContent::close_list(TextPosition at) {
  const Frame frame = open_.back();
  if (frame.what == What::file)
    return fault("not-well-formed", "no list is open that this ] could close", at);
  if (frame.what == What::element) end_element();
  if (frame.what == What::property) end_property(frame);
  path_.resize(frame.path_size);
  open_.pop_back();
  if (errors_.closed()) tokens_.stop();
}

void GmlContent::end_element() {
  const TextPosition at = open_.back().at;
  const auto need_one = [&](std::string_view key, const std::vector<std::string>& values) {
    if (values.size() != 1)
      errors_.report(values.empty() ? "missing-attribute" : "duplicate-attribute",
                     fmt::format("edge {} {}", values.empty() ? "lacks required" : "repeats", key),
                     at);
  };
  if (draft_.open_kind() == Kind::node && !has_id_)
    errors_.report("missing-attribute", "node lacks required id", at);
  if (draft_.open_kind() != Kind::link) return draft_.close();
  need_one("source", sources_);
  need_one("target", targets_);
  if (sources_ == targets_ && sources_.size() == 1)
    return draft_.give_up("a link joins two different nodes");
  draft_.close();
}

// ---- values ----

void GmlContent::value(std::string_view text) {
  const Frame& frame = open_.back();
  if (frame.what == What::property) {
    const bool is_name = equals_ignoring_case(key_, "name");
    Waiting& waiting = is_name ? name_ : value_;
    if ((is_name || equals_ignoring_case(key_, "value")) && !waiting.given) {
      waiting = {std::string(text), key_at_, true};
      return;
    }
  }
  if (frame.what == What::lost)
    return draft_.lose(frame.owner, (field_ = path_) += key_, key_at_,
                       "only the first graph has fields of its own");
  set(frame, (field_ = path_) += key_, key_at_, text);
}

void GmlContent::set(const Frame& frame, std::string_view name, TextPosition at,
                     std::string_view text) {
  const FoundRule& rule = rules_.find(frame.owner, name);
  const bool own = frame.what == What::graph || frame.what == What::element;
  if (own && is_known(rule, text)) return draft_.losses().carry();
  draft_.set({rule, at}, text);
}

// Notes what the end of the element needs. Whether the value says nothing that the map does not
// have: `directed 0`, and a label that the writer made because several nodes have one name.
bool GmlContent::is_known(const FoundRule& rule, std::string_view text) {
  if (rule.target == Target::identifier) identifier_ = text;
  if (rule.target == Target::key && !text.empty()) has_id_ = true;
  if (rule.target == Target::link_end) {
    const bool source = equals_ignoring_case(rule.name, "source");
    (source ? sources_ : targets_).emplace_back(text);
  }
  if (equals_ignoring_case(rule.name, "name")) full_name_ = text;
  if (equals_ignoring_case(rule.field, "graph.directed")) return text == "0";
  return equals_ignoring_case(rule.field, "node.label") && !identifier_.empty() &&
         text.starts_with(made_gml_label(full_name_, identifier_));
}

// Both say one thing together, what else is in the list stands for itself.
void GmlContent::end_property(const Frame& frame) {
  if (name_.given && value_.given)
    return draft_.set_together(property_called(name_.text), value_.text, 2);
  if (name_.given) set(frame, "property.name", name_.at, name_.text);
  if (value_.given) set(frame, "property.value", value_.at, value_.text);
}

const FoundRule& GmlContent::property_called(const std::string& name) {
  const auto [found, added] = properties_.try_emplace(name);
  FoundRule& rule = found->second;
  if (added) rule.field = rule.name = "property.value";
  rule.called = found->first;
  return rule;
}

}  // namespace netml::codecs
