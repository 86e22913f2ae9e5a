// Properties stand twice: as members where the format, or the file they come from, would have them,
// so that its programs find them, and in `netml`, in their order, so that nothing is lost. The
// reader takes the second for what it is and the first for a repetition.
#include "codecs/formats/sdx/sdx_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "codecs/document/json_tree.hpp"
#include "codecs/formats/draft/map_fields.hpp"
#include "codecs/formats/draft/map_outline.hpp"
#include "codecs/formats/sdx/sdx_fields.hpp"
#include "codecs/formats/sdx/sdx_private.hpp"
#include "engine/base/json_string.hpp"
#include "engine/half_links/half_link.hpp"

namespace netml::codecs {

namespace {

using engine::Graph;

constexpr std::string_view kPorts = "ports";
constexpr std::string_view kLinks = "links";
constexpr std::string_view kLocation = "location.";

struct Value {
  Target target = Target::property;
  std::string name;
  std::string value;
};

// What properties have no member of their own for: they are something else there.
bool is_taken(std::string_view name) {
  constexpr std::array<std::string_view, 18> kTaken{
      "id",    "name",  "short_name", "timestamp", "owner",     "domain_service",
      "ports", "links", "location",   "netml",     "nodes",     "private",
      "key",   "end",   "half_link",  "latitude",  "longitude", "address"};
  return std::ranges::find(kTaken, name) != kTaken.end();
}

bool is_plain(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto is_plain_letter = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, is_plain_letter) &&
         !is_taken(name);
}

// A number as JSON spells it, short enough for any parser.
bool is_json_number(std::string_view text) {
  constexpr std::size_t kDigitsMax = 15;
  if (text.size() > kDigitsMax) return false;
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, dot);
  const std::string_view rest = text.substr(std::min(dot + 1, text.size()));
  const auto digits = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!digits(whole) || (whole.size() > 1 && whole.front() == '0')) return false;
  return dot == text.size() || digits(rest);
}

class Writer {
 public:
  Writer(const Graph& graph, const MapOutline& outline, engine::LossList& losses)
      : graph_(graph), outline_(outline), losses_(losses) {}

  std::string write() {
    make_ports();
    write_root();
    out_ += ",\n\"nodes\":[";
    list(outline_.nodes.size(), [&](std::size_t i) { write_node(i); });
    out_ += "],\n\"links\":[";
    list(outline_.links.size(), [&](std::size_t i) { write_link(i); });
    for (const std::string& half : half_links_) {
      if (!outline_.links.empty() || &half != &half_links_.front()) out_ += ",\n";
      out_ += half;
    }
    out_ += "],\n\"netml\":{";
    out_ += root_extension_;
    out_ += ",\"institutions\":[";
    list(outline_.institutions.size(), [&](std::size_t i) {
      take_fields(outline_.institutions[i]);
      write_element();
      write_extension();
    });
    out_ += "],\"topologies\":[";
    list(outline_.topologies.size() - 1, [&](std::size_t i) {
      take_fields(outline_.topologies[i + 1]);
      write_element();
      write_extension();
    });
    out_ += "]}}\n";
    return std::move(out_);
  }

 private:
  // ---- JSON ----

  template <class WriteOne>
  void list(std::size_t count, WriteOne&& write_one) {
    for (std::size_t i = 0; i < count; ++i) {
      out_ += i == 0 ? "\n{" : ",\n{";
      write_one(i);
      out_ += '}';
    }
  }
  void name(std::string_view text) {
    if (!out_.ends_with('{')) out_ += ',';
    append_json_string(out_, text);
    out_ += ':';
  }
  void scalar(std::string_view text) {
    if (is_json_number(text))
      out_ += text;
    else
      append_json_string(out_, text);
  }
  void member(std::string_view called, std::string_view value) {
    name(called);
    append_json_string(out_, value);
  }

  // ---- ports ----

  struct End {
    std::string port;
    bool made = false;
  };

  // The pieces of a property of that name, put together.
  std::string whole_property(RecordId record, std::string_view called) const {
    std::string all;
    graph_.attributes(record).for_each_property([&](const engine::Property& property) {
      if (property.name == called) all += property.value;
    });
    return all;
  }

  // A list of objects, as the reader keeps it.
  static std::vector<std::string> objects_in(const std::string& text) {
    std::vector<std::string> objects;
    if (!text.starts_with('[')) return objects;
    const auto tree = JsonTree::parse(text, ReadLimits());
    if (!tree) return objects;
    bool hides = false;  // what the reader would not read back
    const VisibleJson json = visible_json(
        tree->root(), [&](std::string_view, JsonValue) { hides = true; },
        [](JsonValue) { return false; });
    if (hides || json.text != text) return objects;
    for (const JsonValue item : tree->root().items()) {
      if (!item.is_object() || item.is_empty()) return {};
      objects.push_back(item.json());
    }
    return objects;
  }

  static std::vector<std::string> ids_in(const std::string& text) {
    std::vector<std::string> ids;
    const auto tree = JsonTree::parse(text, ReadLimits());
    if (!tree) return ids;
    for (const JsonValue item : tree->root().items()) ids.emplace_back(item["id"].text());
    return ids;
  }

  // A link keeps those that its file named, if they are ports of its nodes; others get made ones.
  void make_ports() {
    ports_.resize(outline_.nodes.size());
    for (std::size_t i = 0; i < outline_.nodes.size(); ++i) {
      node_of_.emplace(graph_.attributes(outline_.nodes[i].record).id(), i);
      const std::string text = whole_property(outline_.nodes[i].record, kPorts);
      ports_[i] = objects_in(text);
      if (ports_[i].empty()) continue;
      for (std::string& id : ids_in(text))
        if (!id.empty()) node_of_port_.emplace(std::move(id), i);
    }
    for (const OutlinedLink& link : outline_.links) {
      std::vector<std::string> named;
      graph_.attributes(link.record).for_each_property([&](const engine::Property& property) {
        if (property.name == kPorts) named.emplace_back(property.value);
      });
      const std::string text = whole_property(link.record, kPorts);
      if (text.starts_with('[')) named = ids_in(text);
      auto& ends = ends_.emplace_back();
      for (std::size_t end = 0; end < 2; ++end) {
        const std::size_t node = link.ends[end];
        const bool is_known = named.size() == 2 && is_port_of(node, named[end]);
        ends[end] = is_known ? End{named[end]} : make_port(node);
      }
    }
  }

  bool is_port_of(std::size_t node, const std::string& port) const {
    const auto found = node_of_port_.find(port);
    return found != node_of_port_.end() && found->second == node;
  }

  // Whether a link that a node keeps is half a link in this file, too, and a half of that node.
  bool is_half_of(std::size_t node, const std::string& link) const {
    const auto tree = JsonTree::parse(link, ReadLimits());
    if (!tree) return false;
    std::size_t known = 0;
    bool is_of_node = false;
    for (const JsonValue port : tree->root()["ports"].items()) {
      const std::string id(port.is_string() ? port.text() : port["id"].text());
      const auto by_id = node_of_port_.find(id);
      const auto by_node = node_of_.find(std::string(port["node"].text()));
      if (by_id == node_of_port_.end() && by_node == node_of_.end()) continue;
      ++known;
      is_of_node |= (by_id != node_of_port_.end() ? by_id->second : by_node->second) == node;
    }
    return known == 1 && is_of_node;
  }

  End make_port(std::size_t node) {
    End end{fmt::format("{}port:{}", kMadeForSdx, ++made_), true};
    const std::string_view id = graph_.attributes(outline_.nodes[node].record).id();
    ports_[node].push_back(
        fmt::format("{{\"id\":{},\"node\":{}}}", json_string(end.port), json_string(id)));
    return end;
  }

  // ---- fields ----

  template <class Element>
  void take_fields(const Element& element) {
    values_.clear();
    for_each_field(graph_, outline_, element, instants_,
                   [&](Target target, std::string_view called, std::string_view value) {
                     losses_.carry();
                     values_.push_back({target, std::string(called), std::string(value)});
                   });
  }
  const Value* value_of(Target target) const {
    const auto found = std::ranges::find(values_, target, &Value::target);
    return found == values_.end() ? nullptr : &*found;
  }
  void text_of(Target target, std::string_view called) {
    if (const Value* value = value_of(target)) member(called, value->value);
  }
  void number_of(Target target, std::string_view called) {
    const Value* const value = value_of(target);
    if (value == nullptr) return;
    name(called);
    out_ += value->value;
  }

  // What every element has, but its properties and what goes into `netml`.
  void write_element() {
    text_of(Target::identifier, "id");
    text_of(Target::name, "name");
    text_of(Target::short_name, "short_name");
    const bool has_region =
        std::ranges::any_of(values_, [](const Value& value) { return is_in_location(value); });
    if (value_of(Target::latitude) == nullptr && value_of(Target::address) == nullptr &&
        !has_region)
      return;
    name("location");
    out_ += '{';
    text_of(Target::address, "address");
    number_of(Target::latitude, "latitude");
    number_of(Target::longitude, "longitude");
    write_plain_properties(kLocation);
    out_ += '}';
  }

  static bool is_in_location(const Value& value) {
    return value.target == Target::property && value.name.starts_with(kLocation) &&
           is_plain(std::string_view(value.name).substr(kLocation.size()));
  }

  // Those that begin so, as members called by the rest of their names: one value alone, or a list.
  // JSON that was kept in pieces is no value.
  void write_plain_properties(std::string_view prefix) {
    std::vector<std::string_view> names;
    boost::unordered_flat_map<std::string_view, std::vector<std::string_view>> values;
    for (const Value& value : values_) {
      if (value.target != Target::property || !value.name.starts_with(prefix)) continue;
      const std::string_view called = std::string_view(value.name).substr(prefix.size());
      if (!is_plain(called)) continue;
      auto& all = values[called];
      if (all.empty()) names.push_back(called);
      all.push_back(value.value);
    }
    for (const std::string_view called : names) {
      const auto& all = values[called];
      if (all.front().starts_with('[') || all.front().starts_with('{')) continue;
      name(called);
      if (all.size() == 1) {
        scalar(all.front());
        continue;
      }
      out_ += '[';
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) out_ += ',';
        scalar(all[i]);
      }
      out_ += ']';
    }
  }

  // The members of `netml`, without its braces.
  void write_extension_members(bool with_time) {
    if (with_time) text_of(Target::version, "version");
    text_of(Target::start, "lifetime_start");
    text_of(Target::end, "lifetime_end");
    number_of(Target::altitude, "altitude");
    text_of(Target::unlocode, "unlocode");
    text_of(Target::parent, "parent");
    write_list(Target::owner, "owners");
    write_list(Target::topology, "topologies");
    name("properties");
    out_ += '[';
    const char* separator = "";
    for (const Value& value : values_) {
      if (value.target != Target::property) continue;
      out_ += std::exchange(separator, ",");
      out_ += '[';
      append_json_string(out_, value.name);
      out_ += ',';
      append_json_string(out_, value.value);
      out_ += ']';
    }
    out_ += ']';
  }

  void write_list(Target target, std::string_view called) {
    const char* separator = "";
    for (const Value& value : values_) {
      if (value.target != target) continue;
      if (*separator == '\0') {
        name(called);
        out_ += '[';
      }
      out_ += std::exchange(separator, ",");
      append_json_string(out_, value.value);
    }
    if (*separator != '\0') out_ += ']';
  }

  void write_extension() {
    name("netml");
    out_ += '{';
    write_extension_members(true);
    out_ += '}';
  }

  // ---- elements ----

  bool has_property(std::string_view called) const {
    return std::ranges::any_of(values_, [&](const Value& value) {
      return value.target == Target::property && value.name == called;
    });
  }

  // What the format demands and the map does not have is made, and said so.
  void write_root() {
    take_fields(outline_.topologies.front());
    out_ += '{';
    write_element();
    text_of(Target::version, "timestamp");
    write_plain_properties("");
    std::string made;
    const auto make = [&](std::string_view called, std::string_view value) {
      name(called);
      out_ += value;
      (made += made.empty() ? "" : ",") += json_string(called);
    };
    if (value_of(Target::version) == nullptr && !has_property("timestamp"))
      make("timestamp", "\"1970-01-01T00:00:00Z\"");
    if (!has_property("version")) make("version", "1");
    if (!has_property("model_version")) make("model_version", "\"2.0.0\"");
    std::string text = std::exchange(out_, std::string(1, '{'));
    write_extension_members(false);
    root_extension_ = std::exchange(out_, std::move(text)).substr(1);
    if (!made.empty()) root_extension_ += fmt::format(",\"made\":[{}]", made);
  }

  void write_node(std::size_t i) {
    take_fields(outline_.nodes[i]);
    write_element();
    write_plain_properties("");
    name(kPorts);
    out_ += '[';
    for (std::size_t port = 0; port < ports_[i].size(); ++port) {
      if (port > 0) out_ += ',';
      out_ += ports_[i][port];
    }
    out_ += ']';
    write_extension();
    for (std::string& half : objects_in(whole_property(outline_.nodes[i].record, kLinks)))
      if (is_half_of(i, half)) half_links_.push_back(std::move(half));
  }

  void write_link(std::size_t i) {
    take_fields(outline_.links[i]);
    losses_.carry(2);
    write_element();
    write_plain_properties("");
    name(kPorts);
    out_ += '[';
    append_json_string(out_, ends_[i][0].port);
    out_ += ',';
    append_json_string(out_, ends_[i][1].port);
    out_ += ']';
    write_extension();
  }

  const Graph& graph_;
  const MapOutline& outline_;
  engine::LossList& losses_;
  std::string out_;
  InstantText instants_;
  std::vector<std::vector<std::string>> ports_;  // by node, as JSON
  std::vector<std::array<End, 2>> ends_;         // by link
  std::vector<std::string> half_links_;          // as JSON
  boost::unordered_flat_map<std::string, std::size_t> node_of_port_;
  boost::unordered_flat_map<std::string, std::size_t> node_of_;  // by identifier
  std::string root_extension_;
  std::size_t made_ = 0;
  std::vector<Value> values_;  // of the element that is written
};

}  // namespace

Result<WrittenMap> write_sdx(const Graph& graph, RecordId topology) {
  return written_by<Writer>(graph, topology);
}

}  // namespace netml::codecs
