// The map in columns of fixed width (docs/api.md, section "Map").
#include <array>
#include <cmath>
#include <limits>

#include "admin/analysis/detail/binary_section.hpp"
#include "admin/analysis/detail/map_tables.hpp"
#include "admin/analysis/map_answers.hpp"
#include "admin/answers/json_text.hpp"
#include "admin/answers/record_text.hpp"
#include "engine/quality/quantities.hpp"

namespace netml::admin::web {

namespace {

using engine::Attributes;

constexpr std::int32_t kNoDegrees = std::numeric_limits<std::int32_t>::min();
// What columns take of each record, about: it is reserved, so that they are not copied as they
// grow.
constexpr std::size_t kDrawingBytes = 24;
constexpr std::size_t kTextBytes = 64;

// As JavaScript counts: what is beyond the first 65,536 characters of Unicode takes two units.
std::uint64_t utf16_units(std::string_view text) {
  std::uint64_t units = 0;
  for (const char byte : text) {
    const auto value = static_cast<unsigned char>(byte);
    units += ((value & 0xC0U) != 0x80U ? 1U : 0U) + (value >= 0xF0U ? 1U : 0U);
  }
  return units;
}

// Lists of which most are the same as others, each of them noted once.
class DistinctLists {
 public:
  std::uint64_t place(const std::vector<std::uint64_t>& list) {
    if (!lists_.empty() && lists_[last_] == list) return last_;
    std::string key(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(list[0]));
    const auto [found, fresh] = places_.emplace(std::move(key), lists_.size());
    if (fresh) lists_.push_back(list);
    last_ = found->second;
    return last_;
  }
  const std::vector<std::vector<std::uint64_t>>& all() const { return lists_; }

 private:
  boost::unordered_flat_map<std::string, std::uint64_t> places_;
  std::vector<std::vector<std::uint64_t>> lists_;
  std::uint64_t last_ = 0;
};

// A column of lists.
class ListColumn {
 public:
  explicit ListColumn(std::size_t rows) { places_.reserve(rows); }

  // To be filled with what is in the list of the next record, before next().
  std::vector<std::uint64_t>& list() { return list_; }
  void next() {
    places_.push_back(distinct_.place(list_));
    list_.clear();
  }

  void write(std::string_view name, detail::BinarySection& section) const {
    section.begin_column(name);
    section.put(places_);
    section.header() += ",\"distinct\":";
    {
      detail::JsonList all(section.header());
      for (const std::vector<std::uint64_t>& one : distinct_.all()) {
        detail::JsonList items(all.next());
        for (const std::uint64_t item : one) append_number(items.next(), item);
      }
    }
    section.end_column();
  }

 private:
  DistinctLists distinct_;
  std::vector<std::uint64_t> places_;
  std::vector<std::uint64_t> list_;
};

void write_numbers(std::string_view name, std::span<const std::uint64_t> numbers,
                   detail::BinarySection& section) {
  section.begin_column(name);
  section.put(numbers);
  section.end_column();
}

void write_degrees(std::string_view name, std::span<const std::int32_t> degrees,
                   detail::BinarySection& section) {
  section.begin_column(name);
  section.put_signed(degrees);
  section.end_column();
}

void begin_table(const char* name, std::size_t rows, detail::BinarySection& section) {
  std::string& header = section.header();
  header += header == "{" ? "\"" : ",\"";
  header += name;
  header += "\":{\"rows\":";
  append_number(header, rows);
}

// The columns that nodes and links have. All of a record is read at once: finding it takes longer
// than what it says.
class CommonColumns {
 public:
  CommonColumns(const engine::Graph& graph, detail::MapTables& tables, std::size_t rows)
      : graph_(graph), tables_(tables), tags_(rows), topologies_(rows), owners_(rows) {
    numbers_.reserve(rows);
  }

  void add(RecordId id, const Attributes& attributes, const engine::Relations& relations) {
    numbers_.push_back(graph_.number(id).value);
    for_each_tag(attributes,
                 [&](std::string_view tag) { tags_.list().push_back(tables_.tag_place(tag)); });
    tags_.next();
    add_references(topologies_, relations.topologies());
    add_references(owners_, relations.owners());
  }

  void write(detail::BinarySection& section) const {
    write_numbers("number", numbers_, section);
    tags_.write("tags", section);
    topologies_.write("topologies", section);
    owners_.write("owners", section);
  }

 private:
  void add_references(ListColumn& column, std::span<const RecordId> references) {
    for (const RecordId other : references) column.list().push_back(tables_.places().place(other));
    column.next();
  }

  const engine::Graph& graph_;
  detail::MapTables& tables_;
  std::vector<std::uint64_t> numbers_;
  ListColumn tags_;
  ListColumn topologies_;
  ListColumn owners_;
};

void write_nodes(const engine::Graph& graph, detail::MapTables& tables,
                 detail::BinarySection& section) {
  const std::vector<RecordId>& nodes = tables.places().of(Kind::node);
  CommonColumns common(graph, tables, nodes.size());
  std::vector<std::int32_t> latitudes;
  std::vector<std::int32_t> longitudes;
  latitudes.reserve(nodes.size());
  longitudes.reserve(nodes.size());
  for (const RecordId id : nodes) {
    const Attributes& attributes = graph.attributes(id);
    common.add(id, attributes, graph.relations(id));
    const auto coordinates = attributes.coordinates();
    const auto degrees = [&](engine::Micro engine::Coordinates::* which) {
      return coordinates ? static_cast<std::int32_t>(((*coordinates).*which).value) : kNoDegrees;
    };
    latitudes.push_back(degrees(&engine::Coordinates::latitude));
    longitudes.push_back(degrees(&engine::Coordinates::longitude));
  }
  begin_table("nodes", nodes.size(), section);
  write_degrees("latitude", latitudes, section);
  write_degrees("longitude", longitudes, section);
  common.write(section);
  section.header() += '}';
}

void write_links(const engine::Graph& graph, detail::MapTables& tables,
                 detail::BinarySection& section) {
  const std::vector<RecordId>& links = tables.places().of(Kind::link);
  CommonColumns common(graph, tables, links.size());
  std::array<std::vector<std::uint64_t>, 2> ends;
  for (std::vector<std::uint64_t>& end : ends) end.reserve(links.size());
  ListColumn capacities(links.size());
  for (const RecordId id : links) {
    const Attributes& attributes = graph.attributes(id);
    const engine::Relations& relations = graph.relations(id);
    common.add(id, attributes, relations);
    for (const std::size_t which : {std::size_t{0}, std::size_t{1}})
      ends[which].push_back(tables.places().place(relations.ends()[which]));
    if (const auto bits = engine::capacity_of(attributes))
      capacities.list().push_back(static_cast<std::uint64_t>(std::llround(*bits)));
    capacities.next();
  }
  begin_table("links", links.size(), section);
  common.write(section);
  write_numbers("a", ends[0], section);
  write_numbers("b", ends[1], section);
  capacities.write("capacity", section);
  section.header() += '}';
}

void write_texts(std::string_view name, const engine::Graph& graph,
                 const std::vector<RecordId>& records, std::string_view (Attributes::*text)() const,
                 detail::BinarySection& section) {
  std::vector<std::uint64_t> lengths;
  lengths.reserve(records.size());
  std::string all;
  for (const RecordId id : records) {
    const Attributes& attributes = graph.attributes(id);
    const std::string_view one = (attributes.*text)();
    lengths.push_back(utf16_units(one));
    all += one;
  }
  section.begin_column(name);
  section.put(lengths);
  section.put_text(all);
  section.end_column();
}

}  // namespace

std::vector<GzipText> map_drawing(const engine::State& state) {
  detail::BinarySection section(kDrawingBytes * state.graph.size());
  section.header() = "{";
  detail::MapTables tables(state, section.header());
  tables.write_version();
  write_nodes(state.graph, tables, section);
  write_links(state.graph, tables, section);
  tables.write_small_tables();
  return std::move(section).finish("NMAP");
}

std::vector<GzipText> map_texts(const engine::State& state) {
  detail::BinarySection section(kTextBytes * state.graph.size());
  section.header() = "{";
  const detail::Places places(state.graph);
  for (const Kind kind : {Kind::node, Kind::link}) {
    const std::vector<RecordId>& records = places.of(kind);
    begin_table(kind == Kind::node ? "nodes" : "links", records.size(), section);
    write_texts("name", state.graph, records, &Attributes::name, section);
    write_texts("id", state.graph, records, &Attributes::id, section);
    section.header() += '}';
  }
  return std::move(section).finish("NTXT");
}

}  // namespace netml::admin::web
