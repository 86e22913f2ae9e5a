#include "codecs/formats/graphml/graphml_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "codecs/document/read_limits.hpp"
#include "codecs/document/xml_text.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

// Older files name the namespace in other ways, or none.
bool is_graphml(std::string_view space) {
  return space.empty() || space.starts_with(kGraphmlNamespace);
}

// Tells a validator where the schema is.
bool is_counted(const XmlAttribute& attribute) {
  return attribute.name.space != kXsiNamespace;
}

}  // namespace

// By Kind; then the network itself.
const GraphmlContent::OwnerTexts GraphmlContent::kOwners[] = {
    {"topology@", "topology.", "topology/"},
    {"institution@", "institution.", "institution/"},
    {"node@", "node.", "node/"},
    {"edge@", "edge.", "edge/"},
    {"graph@", "graph.", "graph/"}};

std::size_t GraphmlContent::owner_number() const {
  const bool network = draft_.open_kind() == Kind::topology && nodes_are_ != Kind::topology;
  return network ? kKindCount : static_cast<std::size_t>(draft_.open_kind());
}

const FoundRule& GraphmlContent::rule_of(Key& key) {
  const FoundRule*& rule = key.rules[owner_number()];
  if (rule == nullptr) rule = &rules_.find(owner().value, key.name);
  return *rule;
}

ReadResult GraphmlContent::finish(const DraftOptions& options) {
  stream_.finish();
  if (errors_.empty() && graphs_ == 0)
    errors_.report("missing-element", "graphml lacks required child graph", stream_.position());
  if (!errors_.empty()) return tl::unexpected(std::move(errors_).take());
  return std::move(draft_).take(options, std::move(errors_));
}

void GraphmlContent::fault(std::string_view code, std::string_view message) {
  errors_.report_last(code, message, stream_.position());
}

// ---- elements ----

void GraphmlContent::start_element(const XmlName& name, std::span<const XmlAttribute> attributes) {
  if (open_.empty()) return begin_graphml(name);
  Frame& parent = open_.back();
  parent.has_children = true;
  Frame frame = child_of(parent, name, attributes);
  frame.at = stream_.position();
  frame.text_begin = text_.size();
  begin(frame, name, attributes);
  open_.push_back(frame);
  if (errors_.closed()) stream_.stop();
}

void GraphmlContent::begin_graphml(const XmlName& name) {
  if (name.local != "graphml" || !is_graphml(name.space)) {
    fault("wrong-root", fmt::format("the root element must be graphml in namespace {}, not {}",
                                    kGraphmlNamespace, excerpt(name.local)));
    return stream_.stop();
  }
  draft_.open(Kind::topology, stream_.position());
  open_.push_back({.what = What::graphml, .opened = true, .at = stream_.position()});
}

GraphmlContent::Frame GraphmlContent::child_of(const Frame& parent, const XmlName& name,
                                               std::span<const XmlAttribute> attributes) {
  if (parent.what == What::lost) return {.lost_because = parent.lost_because};
  if (parent.what == What::data || parent.what == What::extension) return {.what = What::extension};
  if (!is_graphml(name.space)) return {.lost_because = "it is no element of GraphML"};
  if (parent.what == What::key && name.local == "default")
    return {.what = What::key_default, .key = parent.key};
  if (parent.what == What::key || parent.what == What::key_default)
    return {.lost_because = "it only describes a key"};
  if (name.local == "port") return {.lost_because = "links join nodes, not ports"};
  if (name.local == "hyperedge") return {.lost_because = "a link joins two nodes"};
  if (parent.what == What::graph && !parent.is_root &&
      (name.local == "data" || name.local == "desc"))
    return {.lost_because = "only the first graph has fields of its own"};
  if (name.local == "data") return {.what = What::data};
  if (name.local == "desc") return {.what = What::desc};
  if (name.local == "graph" && (parent.what == What::graphml || parent.what == What::node))
    return {.what = What::graph};
  if (name.local == "key" && parent.what == What::graphml) return {.what = What::key};
  if (parent.what == What::graph) return child_of_graph(name, attributes);
  return {.lost_because = "it is no element of GraphML"};
}

GraphmlContent::Frame GraphmlContent::child_of_graph(const XmlName& name,
                                                     std::span<const XmlAttribute> attributes) {
  if (name.local == "node") return {.what = What::node};
  if (name.local != "edge") return {.lost_because = "it is no element of GraphML"};
  if (value_of(attributes, "source") == value_of(attributes, "target") &&
      !value_of(attributes, "source").empty())
    return {.lost_because = "a link joins two different nodes"};
  if (nodes_are_ != Kind::node) return {.lost_because = "only nodes have links"};
  return {.what = What::edge};
}

void GraphmlContent::begin(Frame& frame, const XmlName& name,
                           std::span<const XmlAttribute> attributes) {
  switch (frame.what) {
    case What::key:
      return begin_key(frame, attributes);
    case What::graph:
      return begin_graph(frame, attributes);
    case What::node:
      return begin_element(frame, nodes_are_, attributes);
    case What::edge:
      return begin_element(frame, Kind::link, attributes);
    case What::data:
      return begin_data(frame, attributes);
    case What::extension:
      frame.name = draft_.keep(name.local);
      return set_attributes(frame, owner().extension, attributes);
    case What::lost:
      frame.name = draft_.keep(name.local);
      return lose_attributes(frame, attributes);
    case What::key_default:
      frame.name = "default";
      return lose_attributes(frame, attributes);
    case What::desc:
    case What::graphml:
      frame.name = "desc";
      return lose_attributes(frame, attributes);
  }
}

// The first graph is the network; one below is known by its id, and one in a node adds its nodes.
void GraphmlContent::begin_graph(Frame& frame, std::span<const XmlAttribute> attributes) {
  frame.name = "graph";
  const bool on_top = open_.size() == 1;
  frame.is_root = on_top && ++graphs_ == 1;
  if (frame.is_root) return set_attributes(frame, owner().attribute, attributes);
  const std::string_view id = value_of(attributes, "id");
  if (on_top && id == kInstitutionsGraph) nodes_are_ = Kind::institution;
  if (on_top && id == kTopologiesGraph) nodes_are_ = Kind::topology;
  if (nodes_are_ != Kind::node) return draft_.losses().carry(attributes.size());
  frame.lost_because = "its nodes stand beside those of the first graph";
  lose_attributes(frame, attributes);
}

void GraphmlContent::begin_element(Frame& frame, Kind kind,
                                   std::span<const XmlAttribute> attributes) {
  frame.name = kind == Kind::link ? "edge" : "node";
  frame.opened = true;
  draft_.open(kind, frame.at);
  set_attributes(frame, owner().attribute, attributes);
  const auto need = [&](std::string_view attribute) {
    if (value_of(attributes, attribute).empty())
      errors_.report("missing-attribute",
                     fmt::format("{} lacks required attribute {}", frame.name, attribute),
                     frame.at);
  };
  if (kind != Kind::link) return need("id");
  need("source");
  need("target");
}

// Its attributes say what values mean: they are no fields.
void GraphmlContent::begin_key(Frame& frame, std::span<const XmlAttribute> attributes) {
  frame.name = "key";
  const std::string_view id = value_of(attributes, "id");
  std::string_view name = value_of(attributes, "attr.name");
  if (name.empty()) name = value_of(attributes, "yfiles.type");
  if (id.empty()) errors_.report("missing-attribute", "key lacks required attribute id", frame.at);
  Key& key = keys_[std::string(id)];
  key.name = draft_.keep(name.empty() ? id : name);
  key.domain = draft_.keep(value_of(attributes, "for"));
  key.rules = {};
  frame.key = &key;
}

// A value of a key that nothing declares is called by the key's id.
void GraphmlContent::begin_data(Frame& frame, std::span<const XmlAttribute> attributes) {
  const std::string_view id = value_of(attributes, "key");
  if (id.empty())
    errors_.report("missing-attribute", "data lacks required attribute key", frame.at);
  field_ = id;
  Key& key = keys_[field_];
  if (key.name.empty()) key.name = draft_.keep(id);
  frame.key = &key;
  frame.name = "data";
  frame.lost_because = "it is no field of GraphML";
  lose_attributes(frame, attributes);
}

// ---- fields ----

void GraphmlContent::set_attributes(const Frame& frame, std::string_view owner,
                                    std::span<const XmlAttribute> attributes) {
  for (const XmlAttribute& attribute : attributes) {
    if (!is_counted(attribute)) continue;
    const auto& [name, value] = attribute;
    const bool undirected = (name.local == "edgedefault" && value == "undirected") ||
                            (name.local == "directed" && value == "false");
    if (undirected && frame.what != What::extension) {
      draft_.losses().carry();
      continue;
    }
    field_.clear();
    if (frame.what == What::extension) (field_ += frame.name) += '@';
    field_ += name.local;
    draft_.set({rules_.find(owner, field_), frame.at}, value);
  }
}

// All but what refers to a declaration.
void GraphmlContent::lose_attributes(const Frame& frame, std::span<const XmlAttribute> attributes) {
  for (const XmlAttribute& attribute : attributes) {
    const bool refers = attribute.name.local == "key" && frame.name == "data";
    if (!is_counted(attribute) || refers) continue;
    draft_.lose(frame.name, fmt::format("@{}", attribute.name.local), frame.at, frame.lost_because);
  }
}

void GraphmlContent::text(std::string_view piece) {
  const Frame& frame = open_.back();
  // Only whether there is any counts.
  if (frame.what == What::lost)
    piece = is_xml_blank(piece) || text_.size() > frame.text_begin ? "" : "x";
  const bool structural = frame.what == What::graphml || frame.what == What::graph ||
                          frame.what == What::node || frame.what == What::edge ||
                          frame.what == What::key;
  if (structural && is_xml_blank(piece)) return;
  text_ += piece;
  if (text_.size() - frame.text_begin <= limits_.text_bytes) return;
  fault("too-large", beyond_limit("the text of an element is too long", limit_names::kXmlTextBytes,
                                  limits_.text_bytes));
  stream_.stop();
}

void GraphmlContent::end_text(const Frame& frame, std::string_view text) {
  const bool is_value = !frame.has_children;
  switch (frame.what) {
    case What::data:
      if (is_value) return draft_.set({rule_of(*frame.key), frame.at}, text);
      if (!is_xml_blank(text))
        draft_.lose(owner().value, frame.key->name, frame.at, "it stands beside elements");
      return;
    case What::key_default:
      if (!is_value) break;
      frame.key->default_value = text;
      if (!std::exchange(frame.key->has_default, true)) defaults_.push_back(frame.key);
      return draft_.losses().carry();
    case What::desc:
      if (is_xml_blank(text)) return;
      return draft_.set({rules_.find(owner().value, frame.name), frame.at}, text);
    case What::extension:
      if (is_xml_blank(text)) return;
      return draft_.set({rules_.find(owner().extension, frame.name), frame.at},
                        without_xml_blanks(text));
    case What::lost:
      if (frame.name == "data" && is_value)
        return draft_.lose("", frame.name, frame.at, frame.lost_because);
      break;
    default:
      break;
  }
  if (!is_xml_blank(text))
    draft_.lose("", frame.name, frame.at,
                frame.what == What::lost ? frame.lost_because : "it stands beside elements");
}

// What the keys say of an element that has no value of theirs.
void GraphmlContent::set_defaults() {
  const std::string_view prefix = owner().value;
  for (Key* key : defaults_) {
    const bool meant =
        key->domain == "all" || key->domain.empty() || prefix == fmt::format("{}.", key->domain);
    if (meant && !draft_.has(key->name)) draft_.add(rule_of(*key), key->default_value);
  }
}

void GraphmlContent::end_element() {
  const Frame frame = open_.back();
  end_text(frame, std::string_view(text_).substr(frame.text_begin));
  text_.resize(frame.text_begin);
  if (frame.opened) {
    set_defaults();
    draft_.close();
  }
  open_.pop_back();
  if (frame.what == What::graph && open_.size() == 1) nodes_are_ = Kind::node;
}

}  // namespace netml::codecs
