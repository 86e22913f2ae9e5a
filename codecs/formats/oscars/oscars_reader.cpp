#include "codecs/formats/oscars/oscars_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "codecs/document/id_key.hpp"
#include "codecs/document/json_tree.hpp"
#include "codecs/document/numbers.hpp"
#include "codecs/formats/draft/json_fields.hpp"
#include "codecs/formats/draft/name_list.hpp"
#include "codecs/formats/oscars/oscars_fields.hpp"
#include "engine/base/wording.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kDevices = "devices";
constexpr std::string_view kAdjacencies = "adjcies";
constexpr std::string_view kPositions = "positions";
constexpr std::string_view kUrn = "urn";

// What is not said in so many words.
constexpr FoundRule kKey{.target = Target::key, .name = "key", .called = "key"};
constexpr FoundRule kName{.target = Target::name, .name = "urn", .called = "urn"};

std::string_view text_of(JsonValue value) {
  return value.is_string() ? value.text() : std::string_view();
}

bool is_filled_object(JsonValue value) {
  return value.is_object() && !value.is_empty();
}

bool is_same(JsonValue one, JsonValue other) {
  return one.position().column == other.position().column;
}

bool is_zero(JsonValue value) {
  const auto number = parse_number(value.text());
  return number && *number == 0;
}

bool is_adjacency(JsonValue value) {
  return value["a"].is_object() && value["z"].is_object();
}

// A link in one direction, from a port of one device to a port of another.
struct Adjacency {
  JsonValue value;
  JsonValue back = {};  // the one in the other direction; absent where there is none
  std::array<std::string_view, 2> devices = {};
  std::array<std::string_view, 2> ports = {};

  explicit Adjacency(JsonValue adjacency) : value(adjacency) {
    const std::array sides{value["a"], value["z"]};
    for (std::size_t i = 0; i < sides.size(); ++i) {
      devices[i] = text_of(sides[i]["device"]);
      ports[i] = text_of(sides[i]["port"]);
    }
  }

  bool has_ports() const { return !ports[0].empty() && !ports[1].empty(); }
  // Of two in both directions, which one is read first, whatever their order in the file.
  bool comes_first() const {
    return std::tie(devices[0], ports[0]) <= std::tie(devices[1], ports[1]);
  }
  std::string end(std::size_t i) const { return fmt::format("{}\x1f{}", devices[i], ports[i]); }
};

class Reader {
 public:
  Reader(const JsonTree& tree, const DraftOptions& options, const ReadLimits& limits)
      : tree_(tree), options_(options), errors_(limits.errors) {}

  ReadResult read();

 private:
  using Names = boost::unordered_flat_set<IdKey, IdKeyHash>;

  void gather(JsonValue root);
  void gather_item(JsonValue item);
  void gather_device(JsonValue device);
  void gather_list(std::string_view name, JsonValue list);
  void join_directions();

  void gather_position(const JsonMember& position);
  void read_device(JsonValue device);
  void read_position(JsonValue position);
  void read_positions();
  void open_named(std::string_view name, TextPosition at);
  void name_ends();
  void read_adjacency(const Adjacency& adjacency);
  void read_back(const Adjacency& adjacency);
  void read_back(std::string_view path, JsonValue value, JsonValue there);
  std::string why_lost(const Adjacency& adjacency) const;
  void tell();

  const JsonTree& tree_;
  const DraftOptions& options_;
  ErrorList errors_;
  MapDraft draft_;
  FieldRules rules_{kOscarsFields};
  JsonFields fields_{draft_, rules_};
  bool lists_devices_ = false;
  std::vector<JsonValue> devices_;
  std::vector<Adjacency> adjacencies_;
  std::vector<JsonMember> positions_;
  boost::unordered_flat_map<IdKey, JsonValue, IdKeyHash> position_of_;
  Names names_;  // of all devices
  NameList at_zero_;
  NameList named_;
};

ReadResult Reader::read() {
  draft_.name_places([this](TextPosition at) { return tree_.pointer(at); });
  errors_.name_places([this](TextPosition at) { return tree_.pointer(at); });
  const JsonValue root = tree_.root();
  draft_.open(Kind::topology, root.position());
  gather(root);
  if (errors_.empty()) {
    join_directions();
    for (const JsonValue device : devices_) read_device(device);
    read_positions();
    if (!lists_devices_) name_ends();
    for (const Adjacency& adjacency : adjacencies_) read_adjacency(adjacency);
    tell();
  }
  draft_.close();
  return std::move(draft_).take(options_, std::move(errors_));
}

// ---- what the file has ----

void Reader::gather(JsonValue root) {
  const bool known = root.is_array() ? !root.is_empty()
                                     : root[kDevices].is_array() || root[kAdjacencies].is_array() ||
                                           root[kPositions].is_object();
  if (!known)
    errors_.report("missing-member", "the file has neither devices, adjcies nor positions",
                   root.position());
  for (const JsonValue item : root.items()) gather_item(item);
  for (const auto& [name, value] : root.members()) {
    const bool is_list = value.is_array() && (name == kDevices || name == kAdjacencies);
    lists_devices_ = lists_devices_ || (is_list && name == kDevices);
    if (is_list && !value.is_empty())
      gather_list(name, value);
    else if (name == kPositions && value.is_object() && !value.is_empty())
      for (const JsonMember& position : value.members()) gather_position(position);
    else
      fields_.set("map.", name, value);
  }
}

// Of a file that is a list, in the older form.
void Reader::gather_item(JsonValue item) {
  if (is_adjacency(item)) {
    adjacencies_.emplace_back(item);
  } else if (!item[kUrn].is_absent()) {
    lists_devices_ = true;
    gather_device(item);
  } else {
    errors_.report("missing-member", "neither a device (urn) nor an adjacency (a, z)",
                   item.position());
  }
}

void Reader::gather_list(std::string_view name, JsonValue list) {
  for (const JsonValue item : list.items()) {
    if (name == kDevices)
      gather_device(item);
    else
      adjacencies_.emplace_back(item);
  }
}

void Reader::gather_device(JsonValue device) {
  const std::string_view urn = text_of(device[kUrn]);
  if (urn.empty()) {
    errors_.report("missing-member", "a device lacks its urn", device.position());
    return;
  }
  devices_.push_back(device);
  names_.insert(IdKey(urn));
}

// Two adjacencies are one link where each names the device and the port of the other on both
// sides. They stand where the first of them does.
void Reader::join_directions() {
  boost::unordered_flat_map<std::string, std::vector<std::size_t>> waiting;
  std::vector<bool> joined(adjacencies_.size());
  for (std::size_t i = 0; i < adjacencies_.size(); ++i) {
    const Adjacency& adjacency = adjacencies_[i];
    if (!adjacency.has_ports()) continue;
    auto& others = waiting[fmt::format("{}\x1f{}", adjacency.end(1), adjacency.end(0))];
    if (others.empty() || adjacency.end(0) == adjacency.end(1)) {
      waiting[fmt::format("{}\x1f{}", adjacency.end(0), adjacency.end(1))].push_back(i);
      continue;
    }
    Adjacency& other = adjacencies_[others.back()];
    others.pop_back();
    const JsonValue back = adjacency.value;
    if (other.comes_first()) {
      other.back = back;
    } else {
      const JsonValue first = other.value;
      other = Adjacency(back);
      other.back = first;
    }
    joined[i] = true;
  }
  std::size_t i = 0;
  std::erase_if(adjacencies_, [&](const Adjacency&) { return joined[i++]; });
}

// ---- devices ----

void Reader::read_device(JsonValue device) {
  const std::string_view urn = text_of(device[kUrn]);
  const JsonValue latitude = device["latitude"];
  const JsonValue longitude = device["longitude"];
  const bool at_zero = is_zero(latitude) && is_zero(longitude);
  draft_.open(Kind::node, device.position());
  draft_.add(kKey, urn);
  for (const auto& [name, value] : device.members()) {
    if (at_zero && (is_same(value, latitude) || is_same(value, longitude)))
      fields_.carry(value);
    else
      fields_.set("device.", name, value);
  }
  if (at_zero) at_zero_.add(urn);
  const auto position = position_of_.find(IdKey(urn));
  if (position != position_of_.end()) read_position(position->second);
  draft_.close();
}

void Reader::read_position(JsonValue position) {
  if (is_filled_object(position))
    fields_.set("position.", position);
  else
    fields_.set("position.", "position", position);
}

void Reader::gather_position(const JsonMember& position) {
  if (position_of_.try_emplace(IdKey(position.name), position.value).second)
    positions_.push_back(position);
  else
    fields_.lose("position.", {}, position.value, "the device has a position already");
}

// Those of devices that the file does not describe.
void Reader::read_positions() {
  for (const auto& [name, position] : positions_) {
    if (names_.contains(IdKey(name))) continue;
    if (lists_devices_) {
      fields_.lose("position.", {}, position, "no device of the file has that name");
      continue;
    }
    open_named(name, position.position());
    read_position(position);
    draft_.close();
  }
}

// A device that is known by its name alone.
void Reader::open_named(std::string_view name, TextPosition at) {
  draft_.open(Kind::node, at);
  draft_.add(kKey, name);
  draft_.add(kName, name);
  names_.insert(IdKey(name));
  named_.add(name);
}

void Reader::name_ends() {
  for (const Adjacency& adjacency : adjacencies_)
    for (const std::string_view device : adjacency.devices)
      if (!device.empty() && !names_.contains(IdKey(device))) {
        open_named(device, adjacency.value.position());
        draft_.close();
      }
}

// ---- links ----

// Empty where it is none.
std::string Reader::why_lost(const Adjacency& adjacency) const {
  constexpr std::array kSides{"a", "z"};
  const auto& devices = adjacency.devices;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    if (devices[i].empty()) return "it does not say which two devices it joins";
    if (!names_.contains(IdKey(devices[i])))
      return fmt::format("{}.device {} is no device of the file", kSides[i], excerpt(devices[i]));
  }
  if (devices[0] == devices[1]) return "a link joins two different nodes";
  return {};
}

void Reader::read_adjacency(const Adjacency& adjacency) {
  const auto& [value, back, devices, ports] = adjacency;
  if (const std::string problem = why_lost(adjacency); !problem.empty()) {
    for (const JsonValue lost : {value, back})
      if (is_filled_object(lost) || lost.is_absent())
        fields_.lose("adjcy.", {}, lost, problem);
      else
        fields_.lose("map.", "adjcies[]", lost, problem);
    return;
  }
  draft_.open(Kind::link, value.position());
  if (adjacency.has_ports())
    draft_.add(kKey,
               fmt::format("{} {}", std::min(ports[0], ports[1]), std::max(ports[0], ports[1])));
  fields_.set("adjcy.", value);
  if (!back.is_absent()) read_back(adjacency);
  draft_.close();
}

// Of the other direction only what it says otherwise is kept.
void Reader::read_back(const Adjacency& adjacency) {
  for (const auto& [name, value] : adjacency.back.members()) {
    const JsonValue there = adjacency.value[name == "a" ? "z" : name == "z" ? "a" : name];
    if (!is_filled_object(value)) {
      read_back(name, value, there);
      continue;
    }
    boost::unordered_flat_map<IdKey, JsonValue, IdKeyHash> parts;
    for (const JsonMember& part : there.members()) parts.try_emplace(IdKey(part.name), part.value);
    for (const JsonMember& part : value.members()) {
      const auto same = parts.find(IdKey(part.name));
      read_back(fmt::format("{}.{}", name, part.name), part.value,
                same == parts.end() ? JsonValue() : same->second);
    }
  }
}

void Reader::read_back(std::string_view path, JsonValue value, JsonValue there) {
  if (value.json() == there.json())
    fields_.carry(value);
  else
    fields_.set("adjcy.", fmt::format("back.{}", path), value);
}

void Reader::tell() {
  if (at_zero_.count() > 0)
    draft_.notes().add({true, Kind::node,
                        fmt::format("0,0 stands for an unknown place at {}: {}",
                                    counted(at_zero_.count(), "device"), at_zero_.text())});
  if (named_.count() > 0)
    draft_.notes().add({true, Kind::node,
                        fmt::format("the file does not list its devices: {} only named: {}",
                                    counted(named_.count(), "node"), named_.text())});
}

}  // namespace

ReadResult read_oscars(RandomAccessFile& file, const DraftOptions& options,
                       const ReadLimits& limits) {
  NETML_TRY(const JsonTree tree, JsonTree::read(file, limits));
  return Reader(tree, options, limits).read();
}

}  // namespace netml::codecs
