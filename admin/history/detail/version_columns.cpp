#include "admin/history/detail/history_columns.hpp"

#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace netml::admin::tables {

namespace {

template <std::size_t I>
const auto& attribute_of(const VersionValues& version) {
  return version.fields.*std::get<I>(engine::kAttributes).member;
}

template <std::size_t I>
void put_attribute(const VersionValues& version, ParquetValues& values) {
  put(values, attribute_of<I>(version));
}
template <std::size_t I>
void put_truth(const VersionValues& version, ParquetValues& values) {
  if (std::get<I>(engine::kAttributes).applies_to(version.fields.kind))
    values.add(attribute_of<I>(version));
  else
    values.add_none();
}
template <std::size_t I, engine::Micro engine::Coordinates::* Part>
void put_coordinate(const VersionValues& version, ParquetValues& values) {
  const auto& coordinates = attribute_of<I>(version);
  put(values, coordinates ? std::optional((*coordinates).*Part) : std::nullopt);
}

template <std::size_t I>
void add_attribute(Columns<VersionValues>& columns) {
  constexpr auto kAttribute = std::get<I>(engine::kAttributes);
  using Value = typename decltype(kAttribute)::Value;
  constexpr auto kShape =
      kAttribute.field == engine::Field::id ? ParquetShape::required : ParquetShape::optional;
  if constexpr (std::is_same_v<Value, std::string_view>) {
    columns.push_back({{kAttribute.name, ParquetType::text, kShape}, put_attribute<I>});
  } else if constexpr (std::is_same_v<Value, bool>) {
    columns.push_back({{kAttribute.name, ParquetType::truth, kShape}, put_truth<I>});
  } else if constexpr (std::is_same_v<Value, std::optional<Instant>>) {
    columns.push_back({{kAttribute.name, ParquetType::time, kShape}, put_attribute<I>});
  } else if constexpr (std::is_same_v<Value, std::optional<engine::Micro>>) {
    columns.push_back({{kAttribute.name, ParquetType::number, kShape}, put_attribute<I>});
  } else {
    columns.push_back({{"latitude", ParquetType::number, kShape},
                       put_coordinate<I, &engine::Coordinates::latitude>});
    columns.push_back({{"longitude", ParquetType::number, kShape},
                       put_coordinate<I, &engine::Coordinates::longitude>});
  }
}

template <std::size_t... I>
void add_attributes(Columns<VersionValues>& columns, std::index_sequence<I...>) {
  (add_attribute<I>(columns), ...);
}

void put_properties(const VersionValues& version, ParquetValues& values) {
  values.begin_list();
  version.record.attributes->for_each_property(
      [&](const engine::Property& property) { values.add_pair(property.name, property.value); });
  values.end_list();
}
template <std::size_t End>
void put_end(const VersionValues& version, ParquetValues& values) {
  const auto ends = version.record.relations->ends();
  put(values, ends.empty() ? RecordId() : ends[End]);
}

void put_ids(ParquetValues& values, std::span<const RecordId> ids) {
  values.begin_list();
  for (const RecordId id : ids) put(values, id);
  values.end_list();
}

}  // namespace

Columns<VersionValues> version_columns() {
  using enum ParquetType;
  using enum ParquetShape;
  Columns<VersionValues> columns{
      {{"record", integer, required},
       [](const VersionValues& v, ParquetValues& to) { put(to, v.id); }},
      {{"kind", text, required},
       [](const VersionValues& v, ParquetValues& to) { put(to, kind_name(v.fields.kind)); }},
      {{"from_lsn", integer, required},
       [](const VersionValues& v, ParquetValues& to) { put(to, v.from.lsn); }},
      {{"from_time", time, required},
       [](const VersionValues& v, ParquetValues& to) { put(to, v.from.time); }},
      {{"to_lsn", integer, optional},
       [](const VersionValues& v, ParquetValues& to) {
         put(to, v.to ? std::optional(v.to->lsn) : std::nullopt);
       }},
      {{"to_time", time, optional}, [](const VersionValues& v, ParquetValues& to) {
         put(to, v.to ? std::optional(v.to->time) : std::nullopt);
       }}};
  add_attributes(columns,
                 std::make_index_sequence<std::tuple_size_v<decltype(engine::kAttributes)>>());
  const Columns<VersionValues> rest{
      {{"properties", text, pairs}, put_properties},
      {{"topologies", integer, list},
       [](const VersionValues& v, ParquetValues& to) {
         put_ids(to, v.record.relations->topologies());
       }},
      {{"owners", integer, list},
       [](const VersionValues& v, ParquetValues& to) {
         put_ids(to, v.record.relations->owners());
       }},
      {{"node_a", integer, optional}, put_end<0>},
      {{"node_b", integer, optional}, put_end<1>},
      {{"origin", integer, optional},
       [](const VersionValues& v, ParquetValues& to) { put(to, v.record.relations->origin()); }}};
  columns.insert(columns.end(), rest.begin(), rest.end());
  return columns;
}

Columns<EndRow> end_columns() {
  using enum ParquetType;
  using enum ParquetShape;
  return {{{"record", integer, required},
           [](const EndRow& end, ParquetValues& to) { put(to, end.id); }},
          {{"to_lsn", integer, required},
           [](const EndRow& end, ParquetValues& to) { put(to, end.to.lsn); }},
          {{"to_time", time, required},
           [](const EndRow& end, ParquetValues& to) { put(to, end.to.time); }}};
}

}  // namespace netml::admin::tables
