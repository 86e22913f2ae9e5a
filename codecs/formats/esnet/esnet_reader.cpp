#include "codecs/formats/esnet/esnet_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "codecs/formats/esnet/esnet_map.hpp"
#include "engine/base/sha256.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kDashboard = "dashboard.";
constexpr std::string_view kMapText = "mapjson";  // how the name of such a member begins
constexpr std::string_view kErrorMark = "Error: ";

// Of a layer, beside what the file has.
constexpr FoundRule kLayerKey{.target = Target::key, .name = "key", .called = "key"};
constexpr FoundRule kLayerName{.target = Target::name, .name = "name", .called = "name"};
constexpr FoundRule kLayerIdentifier{
    .target = Target::identifier, .name = "identifier", .called = "identifier"};

// A map that a dashboard holds as text.
struct Layer {
  JsonValue text;
  JsonValue name = {};     // absent where it has none, or shares it with other maps
  std::string_view panel;  // the number of the panel; empty outside of any
  std::string key;         // other than that of all other layers
  JsonTree tree;           // of the text
};

bool is_filled(JsonValue value) {
  return value.kind() >= JsonKind::array && !value.is_empty();
}

// "mapjson", and what older versions of the panel have: "mapjsonL1".
bool is_map_text(const JsonMember& member) {
  return member.name.starts_with(kMapText) && member.value.is_string();
}

std::string_view last_name(std::string_view path) {
  return path.substr(path.rfind('.') + 1);  // all where there is none
}

class Reader {
 public:
  Reader(const JsonTree& tree, const DraftOptions& options, const ReadLimits& limits)
      : tree_(tree), options_(options), limits_(limits), errors_(limits.errors) {}

  ReadResult read();

 private:
  // An object or a list of a dashboard that is searched for maps.
  struct Open {
    decltype(JsonValue().members().begin()) member, members_end;
    decltype(JsonValue().items().begin()) item, items_end;
    std::string_view panel;
    bool lists_panels = false;
  };

  void read_dashboard();
  void find_layers();
  Open enter(JsonValue container, std::string_view panel, bool lists_panels);
  void gather_layers(JsonValue object, std::string_view panel);
  bool gather_layer(JsonValue text, std::string_view label, std::string_view panel);
  void read_fields(JsonValue dashboard);
  std::string field_of_dashboard(JsonValue leaf, std::string_view path, bool wrapped);
  void name_layers();
  void read_layer(const Layer& layer, std::string_view network);
  std::string pointer(TextPosition at) const;
  void tell();

  const JsonTree& tree_;
  const DraftOptions& options_;
  const ReadLimits& limits_;
  ErrorList errors_;
  EsnetDraft into_;
  std::deque<Layer> layers_;                     // whose trees do not move
  std::unordered_set<std::uint32_t> of_layers_;  // columns of their texts and names
};

ReadResult Reader::read() {
  into_.draft.name_places([this](TextPosition at) { return pointer(at); });
  errors_.name_places([this](TextPosition at) { return pointer(at); });
  const JsonValue root = tree_.root();
  into_.draft.open(Kind::topology, root.position());
  if (is_esnet_map(root))
    EsnetMap(into_, root, {}, {}).read();
  else
    read_dashboard();
  into_.draft.close();
  tell();
  return std::move(into_.draft).take(options_, std::move(errors_));
}

// The pointer to the text that holds the value, then that in the text.
std::string Reader::pointer(TextPosition at) const {
  const auto begins_before = [&](const Layer& layer) {
    return layer.tree.root().position().column <= at.column;
  };
  const auto behind = std::ranges::partition_point(layers_, begins_before);
  if (behind == layers_.begin()) return tree_.pointer(at);
  const Layer& layer = *std::prev(behind);
  return fmt::format("{}#{}", tree_.pointer(layer.text.position()), layer.tree.pointer(at));
}

void Reader::tell() {
  const auto note = [&](Kind kind, std::string text) {
    into_.draft.notes().add({true, kind, std::move(text)});
  };
  const auto& [at_zero, in_pixels, elsewhere] =
      std::tie(into_.at_zero, into_.in_pixels, into_.elsewhere);
  if (at_zero.count() > 0)
    note(Kind::node, fmt::format("0,0 stands for an unknown place at {}: {}",
                                 counted(at_zero.count(), "node"), at_zero.text()));
  if (in_pixels.count() > 0)
    note(Kind::node, fmt::format("positions that cannot be degrees are properties at {}: {}",
                                 counted(in_pixels.count(), "node"), in_pixels.text()));
  if (elsewhere.count() > 0)
    note(Kind::link, fmt::format("{} drawn to other nodes than named: {}",
                                 counted(elsewhere.count(), "edge"), elsewhere.text()));
}

// ---- dashboards ----

void Reader::read_dashboard() {
  find_layers();
  if (layers_.empty() && errors_.empty())
    errors_.report("missing-member",
                   "the file has neither nodes nor edges, nor a panel with a map of them",
                   tree_.root().position());
  const JsonValue wrapped = tree_.root()["dashboard"];
  const JsonValue dashboard = wrapped.is_object() ? wrapped : tree_.root();
  read_fields(dashboard);
  name_layers();
  std::string_view network = options_.topology_name;
  for (const std::string_view name : {"title", "uid"})
    if (network.empty() && dashboard[name].is_string()) network = dashboard[name].text();
  if (network.empty()) network = options_.file_name;
  for (const Layer& layer : layers_) read_layer(layer, network);
}

void Reader::find_layers() {
  std::vector<Open> open{enter(tree_.root(), {}, false)};
  while (!open.empty()) {
    Open& top = open.back();
    if (top.member != top.members_end) {
      const auto [name, value] = *top.member++;
      if (is_filled(value)) open.push_back(enter(value, top.panel, name == "panels"));
    } else if (top.item != top.items_end) {
      const JsonValue value = *top.item++;
      const std::string_view panel = top.lists_panels ? value["id"].text() : top.panel;
      if (is_filled(value)) open.push_back(enter(value, panel, false));
    } else {
      open.pop_back();
    }
  }
}

Reader::Open Reader::enter(JsonValue container, std::string_view panel, bool lists_panels) {
  gather_layers(container, panel);
  const auto members = container.members();
  const auto items = container.items();
  return {members.begin(), members.end(), items.begin(), items.end(), panel, lists_panels};
}

// The name of an object is that of the map in it, if there is one.
void Reader::gather_layers(JsonValue object, std::string_view panel) {
  const auto members = object.members();
  const auto texts = std::count_if(members.begin(), members.end(), is_map_text);
  if (texts == 0) return;
  JsonValue name = texts == 1 ? object["name"] : JsonValue();
  if (!name.is_string() || name.text().empty()) name = {};
  for (const JsonMember& member : members) {
    if (!is_map_text(member)) continue;
    const std::string_view label = name.is_absent() ? member.name : name.text();
    if (!gather_layer(member.value, label, panel) || name.is_absent()) continue;
    layers_.back().name = name;
    of_layers_.insert(name.position().column);
  }
}

// False where it is no map: it is a field of the dashboard then.
bool Reader::gather_layer(JsonValue text, std::string_view label, std::string_view panel) {
  auto tree = JsonTree::parse(text.text(), limits_);
  if (!tree) {
    if (tree.error().code == "not-well-formed") return false;
    const std::string_view message = tree.error().message;
    errors_.report(tree.error().code, message.substr(kErrorMark.size()), text.position());
    return false;
  }
  if (!is_esnet_map(tree->root())) return false;
  tree->place_behind(layers_.empty() ? tree_ : layers_.back().tree);
  layers_.push_back(
      {.text = text, .panel = panel, .key = std::string(label), .tree = std::move(*tree)});
  of_layers_.insert(text.position().column);
  return true;
}

// All but the maps.
void Reader::read_fields(JsonValue dashboard) {
  const bool wrapped = dashboard.position().column != tree_.root().position().column;
  const std::string_view reason = into_.rules.find(kDashboard, "*").lost_because;
  for (JsonLeaves leaves(tree_.root()); leaves.next();) {
    const JsonValue leaf = leaves.leaf();
    if (of_layers_.contains(leaf.position().column)) continue;
    const std::string_view path = leaves.path();
    const bool is_map = last_name(path).starts_with(kMapText) && leaf.is_string();
    if (is_map && leaf.text().empty())
      into_.draft.losses().carry();
    else if (is_map)
      into_.draft.lose(kDashboard, path, leaf.position(), "it is no map as JSON");
    else if (const auto name = field_of_dashboard(leaf, path, wrapped); !name.empty())
      into_.fields.set(kDashboard, name, leaf);
    else
      into_.draft.lose(kDashboard, path, leaf.position(), reason);
  }
}

// As the table calls it; empty where it has no row.
std::string Reader::field_of_dashboard(JsonValue leaf, std::string_view path, bool wrapped) {
  constexpr std::size_t kNameMax = 32;
  if (wrapped && !path.starts_with(kDashboard)) return {};
  if (wrapped) path.remove_prefix(kDashboard.size());
  if (path.size() > kNameMax) return {};
  const std::string name = fmt::format("{}{}", path, leaf.is_array() ? "[]" : "");
  return into_.rules.find(kDashboard, name).own_row ? name : std::string();
}

// Those of one name are distinguished by their panels, those of one panel by their order.
void Reader::name_layers() {
  const auto distinguish = [&](const auto& part) {
    std::unordered_map<std::string, std::uint32_t> counts;
    for (const Layer& layer : layers_) ++counts[layer.key];
    std::unordered_map<std::string, std::uint32_t> numbers;
    for (Layer& layer : layers_)
      if (counts.at(layer.key) > 1)
        layer.key += fmt::format(" {}", part(layer, ++numbers[layer.key]));
  };
  distinguish([](const Layer& layer, std::uint32_t) { return std::string(layer.panel); });
  distinguish([](const Layer&, std::uint32_t number) { return fmt::format("{}", number); });
}

// A map that was written by us names itself; else it is called as its layer is.
void Reader::read_layer(const Layer& layer, std::string_view network) {
  const JsonValue map = layer.tree.root();
  const JsonValue given = map[esnet_names::kMeta]["identifier"];
  std::string identifier(given.is_string() ? given.text() : std::string_view());
  into_.draft.open(Kind::topology, layer.text.position());
  into_.draft.add(kLayerKey, layer.key);
  if (identifier.empty()) {
    identifier = generated_id(Kind::topology, generated_id(Kind::topology, network), layer.key);
    into_.draft.add(kLayerIdentifier, identifier);
  }
  if (layer.name.is_absent())
    into_.draft.add(kLayerName, layer.key);
  else
    into_.fields.set("layer.", "name", layer.name);
  EsnetMap(into_, map, layer.key, identifier).read();
  into_.draft.close();
}

}  // namespace

ReadResult read_esnet(RandomAccessFile& file, const DraftOptions& options,
                      const ReadLimits& limits) {
  NETML_TRY(const JsonTree tree, JsonTree::read(file, limits));
  return Reader(tree, options, limits).read();
}

}  // namespace netml::codecs
