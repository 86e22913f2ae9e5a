#include "codecs/formats/sdx/sdx_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "codecs/formats/sdx/sdx_checks.hpp"
#include "codecs/formats/sdx/sdx_private.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kExtension = "netml";
constexpr std::string_view kIsPrivate = "it is private";

bool is_leaf(JsonValue value) {
  return (!value.is_object() && !value.is_array()) || value.is_empty();
}

bool is_list_of_leaves(JsonValue value) {
  const auto items = value.items();
  return value.is_array() && std::all_of(items.begin(), items.end(), is_leaf);
}

bool is_made(JsonValue port) {
  return port["id"].text().starts_with(kMadeForSdx);
}

std::string as_known(std::string_view name, std::string_view value) {
  return fmt::format("{}\x1f{}", name, value);
}

}  // namespace

ReadResult SdxDraft::make(const DraftOptions& options, ErrorList errors) && {
  const auto name = [this](TextPosition at) { return tree_.pointer(at); };
  errors.name_places(name);
  if (!root_["nodes"].is_array()) {
    errors.report("missing-element", "a topology of AtlanticWave-SDX lacks its list of nodes",
                  root_.position());
    return tl::unexpected(std::move(errors).take());
  }
  draft_.name_places(name);
  draft_.lose_links_without_ends();
  add_topology();
  add_nodes();
  add_links();
  add_others();
  note_doubtful_places(root_, draft_.notes());
  note_unknown_regions(root_, draft_.notes());
  return std::move(draft_).take(options, std::move(errors));
}

// ---- elements ----

void SdxDraft::add_topology() {
  draft_.open(Kind::topology, root_.position());
  set_object("topology.", root_, {"nodes", "links"});
  draft_.close();
  at_root_ = false;
  for (const auto& [name, value] : root_.members()) {
    if (name != "nodes" && name != "links") continue;
    const bool is_read =
        value.is_array() && !value.is_empty() &&
        value.position().column == list(name).position().column;  // the first of that name
    if (private_names(root_).contains(name))
      lose("", name, value, kIsPrivate);
    else if (is_leaf(value))
      fields_.carry(value);
    else if (!is_read)
      lose("", name, value, "only the first list of that name is read");
  }
}

JsonValue SdxDraft::list(std::string_view name) const {
  return private_names(root_).contains(name) ? JsonValue() : root_[name];
}

void SdxDraft::add_nodes() {
  std::uint32_t number = 0;
  for (const JsonValue node : list("nodes").items()) {
    const std::uint32_t here = number++;
    if (!node.is_object()) {
      lose("", "node", node, "it is no object");
      continue;
    }
    const bool has_id = !private_names(node).contains("id") && !node["id"].text().empty();
    draft_.open(Kind::node, node.position());
    set_object("node.", node, {});
    add_half_links(here);
    if (!has_id) {
      draft_.give_up("a node without its identifier cannot be found again");
      continue;
    }
    draft_.add(rules_.find("node.", "key"), node["id"].text());
    draft_.close();
  }
}

// The links that they are made of are kept, too, as they are.
void SdxDraft::add_half_links(std::uint32_t node) {
  for (const engine::HalfLink& half : halves_.halves(node)) {
    const auto same = known_.halves.find(half.port());
    const bool is_known = same != known_.halves.end();
    const engine::HalfLink more = is_known ? half.without(same->second) : half;
    if (is_known && more.members().empty()) continue;
    for (const std::string& text : more.texts())
      draft_.add(rules_.find("", engine::kHalfLinkProperty), text);
  }
  if (halves_.half_links(node).empty()) return;
  std::string all = "[";
  std::uint64_t fields = 0;
  for (const std::uint32_t number : halves_.half_links(node)) {
    const VisibleJson json = visible_json(
        halves_.links()[number].link,
        [&](std::string_view path, JsonValue value) { lose("link.", path, value, kIsPrivate); },
        [](JsonValue) { return false; });
    if (all.size() > 1) all += ',';
    all += json.text;
    fields += json.leaves;
  }
  set_long(rules_.find("node.", "links"), all + ']', fields);
}

void SdxDraft::add_links() {
  std::vector<std::string_view> ids;
  for (const JsonValue node : list("nodes").items()) ids.push_back(node["id"].text());
  for (const SdxLink& link : halves_.links()) {
    if (link.is == SdxLinkIs::half_link) continue;
    if (!link.link.is_object()) {
      lose("", "link", link.link, "it is no object");
      continue;
    }
    draft_.open(Kind::link, link.link.position());
    set_object("link.", link.link, {});
    if (link.is == SdxLinkIs::lost) {
      draft_.give_up(link.lost_because);
      continue;
    }
    for (const std::uint32_t node : link.nodes) draft_.add(rules_.find("link.", "end"), ids[node]);
    draft_.close();
  }
}

// Institutions, and topologies inside the first one, which the format does not have.
void SdxDraft::add_others() {
  const auto add = [&](JsonValue items, Kind kind, std::string_view owner) {
    for (const JsonValue item : items.items()) {
      if (!item.is_object()) {
        lose(owner, "", item, "it is no object");
        continue;
      }
      draft_.open(kind, item.position());
      set_object(owner, item, {});
      draft_.close();
    }
  };
  for (const auto& [name, value] : root_.members()) {
    if (name != kExtension) continue;
    for (const JsonMember& member : value.members()) {
      if (member.name == "topologies") add(member.value, Kind::topology, "topology.");
      if (member.name == "institutions") add(member.value, Kind::institution, "institution.");
    }
  }
}

// ---- fields ----

void SdxDraft::set_object(std::string_view owner, JsonValue object,
                          std::initializer_list<std::string_view> except) {
  known_ = {};
  for (const JsonMember& member : object.members())
    if (member.name == kExtension && member.value.is_object()) set_extension(owner, member.value);
  const auto hidden = private_names(object);
  boost::unordered_flat_set<std::string_view> made;
  for (const JsonValue name : object[kExtension]["made"].items()) made.insert(name.text());
  for (const auto& [name, value] : object.members()) {
    const bool is_extension = name == kExtension && value.is_object();
    if (is_extension || std::ranges::find(except, name) != except.end()) continue;
    if (hidden.contains(name)) {
      lose(owner, name, value, kIsPrivate);
      continue;
    }
    if (made.contains(name)) {
      fields_.carry(value);
      continue;
    }
    const bool is_flat = name == "location" || name == "domain_service";
    if (!is_flat || !value.is_object() || value.is_empty()) {
      set_member(owner, std::string(name), value);
      continue;
    }
    const auto hidden_inside = private_names(value);
    for (const JsonMember& inner : value.members()) {
      const std::string path = fmt::format("{}.{}", name, inner.name);
      if (hidden_inside.contains(inner.name))
        lose(owner, path, inner.value, kIsPrivate);
      else
        set_member(owner, path, inner.value);
    }
  }
}

void SdxDraft::set_member(std::string_view owner, const std::string& path, JsonValue value) {
  if (is_leaf(value)) return set_leaf(owner, path, value);
  if (!is_list_of_leaves(value)) return set_together(owner, path, value);
  for (const JsonValue item : value.items()) set_leaf(owner, path + "[]", item);
}

const FoundRule& SdxDraft::rule_of(std::string_view owner, std::string_view path) {
  constexpr std::string_view kList = "[]";
  const std::string_view plain = path.substr(0, path.size() - (path.ends_with(kList) ? 2 : 0));
  return rules_.find(owner, path, rules_.called(plain));
}

void SdxDraft::set_leaf(std::string_view owner, const std::string& path, JsonValue leaf) {
  const bool says_nothing = leaf.kind() == JsonKind::null || leaf.is_empty();
  const bool is_nameless = owner == "topology." && path == "id" && leaf.text().ends_with(':');
  const FoundRule& rule = is_nameless ? rules_.find("", path) : rule_of(owner, path);
  const bool is_address = rule.target == Target::address && leaf.text().empty();
  const bool is_known =
      rule.target == Target::property && known_.values.contains(as_known(rule.called, leaf.text()));
  const bool is_made_port = path == "ports[]" && (leaf.text().starts_with(kMadeForSdx) ||
                                                  known_.long_ones.contains("ports"));
  if (says_nothing || is_address || is_known || is_made_port) return draft_.losses().carry();
  draft_.set({rule, leaf.position()}, leaf.text());
}

// Without what is private inside, and without ports that the writer made.
void SdxDraft::set_together(std::string_view owner, const std::string& path, JsonValue value) {
  const VisibleJson json = visible_json(
      value,
      [&](std::string_view inner, JsonValue hidden) {
        lose(owner, fmt::format("{}{}{}", path, inner.starts_with('[') ? "" : ".", inner), hidden,
             kIsPrivate);
      },
      is_made);
  if (json.text == "[]" || json.text == "{}") return draft_.losses().carry(json.leaves);
  set_long(rule_of(owner, path), json.text, json.leaves);
}

void SdxDraft::set_long(const FoundRule& rule, std::string_view text, std::uint64_t fields) {
  const auto same = known_.long_ones.find(std::string(rule.called));
  if (same != known_.long_ones.end() && same->second == text) return draft_.losses().carry(fields);
  draft_.set_together(rule, text, fields);
}

void SdxDraft::set_extension(std::string_view owner, JsonValue extension) {
  for (const auto& [name, value] : extension.members()) {
    if (name == "properties" && value.is_array() && !value.is_empty())
      set_properties(owner, value);
    else if (name == "made")
      fields_.carry(value);
    else if (at_root_ && (name == "institutions" || name == "topologies") && value.is_array() &&
             !value.is_empty())
      continue;  // elements of their own
    else
      set_member(owner, fmt::format("{}.{}", kExtension, name), value);
  }
}

// Pairs of a name and a value, in the order of the map.
void SdxDraft::set_properties(std::string_view owner, JsonValue properties) {
  for (const JsonValue pair : properties.items()) {
    std::vector<JsonValue> parts;
    for (const JsonValue part : pair.items()) parts.push_back(part);
    if (parts.size() != 2 || !parts[0].is_string() || !parts[1].is_string()) {
      lose(owner, "netml.properties[]", pair, "a property is a name and a value");
      continue;
    }
    const std::string_view value = parts[1].text();
    const FoundRule& rule =
        rules_.find(owner, fmt::format("{}{}", kPropertyPrefix, parts[0].text()));
    draft_.losses().carry();
    draft_.set({rule, pair.position()}, value);
    const std::string name(parts[0].text());
    known_.values.insert(as_known(name, value));
    known_.long_ones[name] += value;
    if (name != engine::kHalfLinkProperty) continue;
    if (auto half = engine::parse_half_link(value)) {
      auto& all = known_.halves.try_emplace(half->port(), half->port()).first->second;
      all.add(*half);
      all.sort();
    }
  }
}

void SdxDraft::lose(std::string_view owner, std::string_view path, JsonValue value,
                    std::string_view reason) {
  fields_.lose(owner, path, value, reason);
}

}  // namespace netml::codecs
