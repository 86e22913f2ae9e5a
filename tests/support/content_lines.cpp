#include "tests/support/content_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace netml::test {

namespace {

template <class Value, class Number>
std::string optional_text(const std::optional<Value>& value, Number number) {
  return value ? std::to_string(number(*value)) : "-";
}

// The identifier of a record and those of its topologies.
std::string named(const engine::Graph& graph, RecordId id) {
  std::vector<std::string> topologies;
  for (const RecordId topology : graph.relations(id).topologies())
    topologies.emplace_back(graph.attributes(topology).id());
  return fmt::format("{}@{}", graph.attributes(id).id(), list_text(std::move(topologies)));
}

std::string line(const engine::Graph& graph, RecordId id) {
  const engine::Relations& relations = graph.relations(id);
  std::vector<std::string> owners;
  for (const RecordId owner : relations.owners()) owners.push_back(named(graph, owner));
  std::string ends;
  for (const RecordId end : relations.ends()) ends += ' ' + named(graph, end);
  const std::string origin = graph.contains(relations.origin())
                                 ? std::string(graph.attributes(relations.origin()).id())
                                 : "";
  return fmt::format("{} {} {} owners{} ends({}) origin({})", kind_name(graph.kind(id)),
                     named(graph, id), attributes_text(graph.attributes(id)),
                     list_text(std::move(owners)), ends, origin);
}

}  // namespace

std::string list_text(std::vector<std::string> entries) {
  std::ranges::sort(entries);
  return fmt::format("[{}]", fmt::join(entries, " "));
}

std::string attributes_text(const engine::Attributes& attributes) {
  const auto seconds = [](Instant instant) { return instant.seconds; };
  const auto micro = [](engine::Micro number) { return number.value; };
  const auto coordinates = attributes.coordinates();
  std::vector<engine::Property> properties = attributes.properties();
  std::ranges::stable_sort(properties, {}, &engine::Property::name);  // as the format groups them
  std::string property_text;
  for (const engine::Property& property : properties)
    property_text += fmt::format(" {}={}", property.name, property.value);
  return fmt::format("\"{}\" \"{}\"{} version {} life {}..{} place {}/{}/{} {} {} properties({})",
                     attributes.name(), attributes.short_name(),
                     attributes.kind() == Kind::topology && attributes.main() ? " main" : "",
                     optional_text(attributes.version(), seconds),
                     optional_text(attributes.start(), seconds),
                     optional_text(attributes.end(), seconds),
                     coordinates ? std::to_string(coordinates->latitude.value) : "-",
                     coordinates ? std::to_string(coordinates->longitude.value) : "-",
                     optional_text(attributes.altitude(), micro), attributes.unlocode(),
                     attributes.address(), property_text);
}

std::string difference(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  std::string text;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string_view left = i < a.size() ? a[i] : std::string_view();
    const std::string_view right = i < b.size() ? b[i] : std::string_view();
    if (left != right) text += fmt::format("- {}\n+ {}\n", left, right);
  }
  return text;
}

std::vector<std::string> content_lines(const engine::Graph& graph) {
  std::vector<RecordId> records;
  graph.for_each_record([&](RecordId id) { records.push_back(id); });
  std::ranges::sort(records, {}, [&](RecordId id) {
    return std::tuple(graph.kind(id), graph.attributes(id).id(), graph.number(id));
  });
  std::vector<std::string> lines;
  for (const RecordId id : records) lines.push_back(line(graph, id));
  return lines;
}

}  // namespace netml::test
