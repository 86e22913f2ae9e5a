#include "codecs/xlsx/xlsx_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "codecs/xlsx/detail/xlsx_layout.hpp"
#include "codecs/xlsx/detail/xlsx_sheet_writer.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"
#include "engine/base/sha256.hpp"
#include "engine/export/export_order.hpp"

namespace netml::codecs {

namespace {

using engine::Attributes;
using engine::ExportedElement;
using engine::Graph;

constexpr std::size_t kCellCharactersMax = 32'767;

// What the layout has no place for.
enum class Loss : std::uint8_t {
  sub_topology,
  topology_id,
  topology_property,
  version,
  lifetime,
  unlocode,
  short_name,
  property,
  further_value,
  tag,
  unknown_position,
  copy,
  blank,
  link,
};
constexpr std::size_t kLossCount = 14;

// In the order of Loss, in the singular and in the plural.
constexpr std::array<std::pair<std::string_view, std::string_view>, kLossCount> kLossTexts{{
    {"sub-topology", "sub-topologies"},
    {"identifier of the topology", "identifiers of topologies"},
    {"property of the topology", "properties of the topology"},
    {"version", "versions"},
    {"lifetime", "lifetimes"},
    {"UN/LOCODE", "UN/LOCODEs"},
    {"short name of an institution", "short names of institutions"},
    {"property without a column", "properties without a column"},
    {"further or empty value of a property", "further or empty values of properties"},
    {"tag that a list cannot hold", "tags that a list cannot hold"},
    {"unknown position, written as 0, 0", "unknown positions, written as 0, 0"},
    {"mark of a copy", "marks of copies"},
    {"text with blanks at its ends", "texts with blanks at their ends"},
    {engine::kOmittedLink, engine::kOmittedLinks},
}};

constexpr std::array<std::string_view, 4> kSheetNames{"Directions", "Institutions", "Nodes",
                                                      "Links"};

// The layout's columns of the current version and, for institutions, one more, and the texts that
// came later: last, so that programs which go by position find the others where they expect them.
std::vector<Field> columns_of(Kind kind) {
  std::vector<Field> columns = template_fields(kind, TemplateVersion::v1_0);
  if (kind == Kind::institution) columns.push_back(Field::internal_id);
  engine::for_each_further_text([&](const auto& further) {
    if (further.applies_to(kind)) columns.push_back(column_field(further.field));
  });
  return columns;
}

class WorkbookWriter {
 public:
  WorkbookWriter(const Graph& graph, RecordId topology)
      : graph_(graph), topology_(topology), contents_(engine::topology_contents(graph, topology)) {}

  Result<XlsxExport> write() {
    NETML_TRY_VOID(check_size());
    // The owner comes first: the first institution owns the topology.
    const std::string_view owner = graph_.attributes(contents_.owner).id();
    std::vector<ExportedElement> institutions;
    for (const ExportedElement& element : contents_.institutions)
      if (attributes_of(element).id() == owner)
        institutions.insert(institutions.begin(), element);
      else if (element.record)  // every topology has the global one without being named
        institutions.push_back(element);
    note_topology();
    write_workbook_parts(archive_, kSheetNames);
    NETML_TRY_VOID(write_sheet(Kind::institution, institutions));
    NETML_TRY_VOID(write_sheet(Kind::node, contents_.nodes));
    NETML_TRY_VOID(write_sheet(Kind::link, contents_.links));
    write_directions();
    return XlsxExport{std::move(archive_).finish(), loss_lines(), lost_fields()};
  }

 private:
  const Attributes& attributes_of(const ExportedElement& element) const {
    return element.record ? graph_.attributes(element.record) : *global_institution_;
  }

  Status check_size() const {
    constexpr std::size_t kHeadRows = 8;
    for (const auto* elements : {&contents_.institutions, &contents_.nodes, &contents_.links})
      if (elements->size() + kHeadRows > kRowsMax)
        return fail(Errc::too_large, fmt::format("a sheet has {} rows, the topology {} elements of "
                                                 "one kind",
                                                 kRowsMax, elements->size()));
    return {};
  }

  void note_topology() {
    const Attributes& attributes = graph_.attributes(topology_);
    if (attributes.id() != generated_id(Kind::topology, attributes.name())) lose(Loss::topology_id);
    if (attributes.version()) lose(Loss::version);
    lose(Loss::topology_property, attributes.property_count());
    lose(Loss::link, contents_.omitted_links.size());
    if (const auto tree = engine::export_tree(graph_, topology_))
      lose(Loss::sub_topology, tree->steps.size() - 1, 0);
  }

  Status write_sheet(Kind kind, std::span<const ExportedElement> elements) {
    constexpr std::uint32_t kFrozenRows = 3;
    const std::size_t number = kind == Kind::institution ? 2 : kind == Kind::node ? 3 : 4;
    const std::vector<Field> columns = columns_of(kind);
    SheetWriter sheet(archive_, sheet_part(number), kFrozenRows);
    std::uint32_t row = write_head(sheet, kind, columns);
    for (const ExportedElement& element : elements) {
      sheet.begin_row(row++);
      NETML_TRY_VOID(write_record(sheet, columns, element));
      sheet.end_row();
    }
    sheet.finish();
    return {};
  }

  // The rows above the data; the answer is the first row below them.
  std::uint32_t write_head(SheetWriter& sheet, Kind kind, std::span<const Field> columns) {
    std::vector<std::string_view> titles;
    std::vector<std::string_view> marks;
    std::vector<std::string_view> hints;
    for (const Field field : columns) {
      const Column& column = about(field);
      titles.push_back(column.title);
      marks.push_back(is_in(column.required, kind) ? "Required" : "Optional");
      hints.push_back(column.hint);
    }
    sheet.row(1, {fmt::format("{}s", kind_name(kind))}, CellStyle::heading);
    sheet.row(2, {"One row for each; columns may stand in any order and are known by row 3."});
    sheet.row(3, titles, CellStyle::heading);
    sheet.row(4, marks);
    sheet.row(5, hints);
    const std::uint32_t first = template_layout(kind, TemplateVersion::v1_0).first_row;
    if (kind == Kind::institution) sheet.row(first - 1, {kOwnerNote});
    return first;
  }

  Status write_record(SheetWriter& sheet, std::span<const Field> columns,
                      const ExportedElement& element) {
    const Attributes& attributes = attributes_of(element);
    note_losses(columns, attributes, element.copy);
    for (std::uint32_t i = 0; i < columns.size(); ++i)
      NETML_TRY_VOID(write_field(sheet, i + 1, columns[i], attributes, element.record));
    return {};
  }

  Status write_field(SheetWriter& sheet, std::uint32_t column, Field field,
                     const Attributes& attributes, RecordId record) {
    const auto text = [&](std::string_view value) {
      if (trim(value) != value) lose(Loss::blank);
      sheet.text(column, value);
    };
    if (const TextAttribute* of_record = about(field).text; of_record != nullptr) {
      text(attributes.fields().*of_record->member);
      return {};
    }
    if (!about(field).property.empty()) {
      write_property(sheet, column, field, attributes);
      return {};
    }
    const auto coordinates = attributes.coordinates();
    const bool has_place = coordinates || attributes.kind() == Kind::node;
    switch (field) {
      case Field::internal_id: {
        NETML_TRY(const std::string_view id, identifier(attributes.id(), false));
        sheet.text(column, id);
        break;
      }
      case Field::latitude:
        if (has_place) sheet.number(column, coordinates.value_or(engine::Coordinates{}).latitude);
        break;
      case Field::longitude:
        if (has_place) sheet.number(column, coordinates.value_or(engine::Coordinates{}).longitude);
        break;
      case Field::altitude:
        if (const auto altitude = attributes.altitude()) sheet.number(column, *altitude);
        break;
      default:
        return write_references(sheet, column, field, record);
    }
    return {};
  }

  // A column holds the first value; the column of tags all of them.
  void write_property(SheetWriter& sheet, std::uint32_t column, Field field,
                      const Attributes& attributes) {
    if (field == Field::tag) return sheet.text(column, tags(attributes));
    std::optional<std::string_view> first;
    attributes.for_each_property([&](const engine::Property& property) {
      if (property.name != about(field).property) return;
      if (first || property.value.empty()) return lose(Loss::further_value);
      first = property.value;
    });
    if (first && trim(*first) != *first) lose(Loss::blank);
    sheet.text(column, first.value_or(""));
  }

  Status write_references(SheetWriter& sheet, std::uint32_t column, Field field, RecordId record) {
    if (field == Field::first_end || field == Field::second_end) {
      const RecordId end = engine::exported_ends(graph_, record)[field == Field::first_end ? 0 : 1];
      NETML_TRY(const std::string_view id, identifier(graph_.attributes(end).id(), false));
      sheet.text(column, id);
      return {};
    }
    // The owner of the topology owns everything without being named.
    std::vector<std::string_view> owners = engine::exported_owners(graph_, record, contents_.owner);
    std::erase(owners, graph_.attributes(contents_.owner).id());
    if (owners.empty()) return {};
    std::string list;
    const bool first_only = field == Field::owner;
    for (std::size_t i = first_only ? 0 : 1; i < (first_only ? 1 : owners.size()); ++i) {
      NETML_TRY(const std::string_view id, identifier(owners[i], !first_only));
      list += list.empty() ? "" : ";";
      list += id;
    }
    if (engine::character_count(list) > kCellCharactersMax)
      return fail(Errc::too_large, fmt::format("the owners of {} do not fit into one cell",
                                               graph_.attributes(record).id()));
    sheet.text(column, list);
    return {};
  }

  void write_directions() {
    constexpr std::uint32_t kFirstLossRow = 6;
    SheetWriter sheet(archive_, sheet_part(1), 0);
    const auto row = [&sheet](std::uint32_t number, std::string_view a, std::string_view b = {}) {
      sheet.begin_row(number);
      sheet.text(1, a, number == 1 ? CellStyle::heading : CellStyle::plain);
      sheet.text(2, b);
      sheet.end_row();
    };
    row(1, "Network map", "Version");
    row(2, "Fill in the sheets Institutions, Nodes and Links.", kXlsxVersions.back());
    row(3, "Topology", graph_.attributes(topology_).name());
    const std::vector<std::string> losses = loss_lines();
    if (!losses.empty()) row(kFirstLossRow - 1, "Left out, as this layout cannot hold it:");
    for (std::uint32_t i = 0; i < losses.size(); ++i) row(kFirstLossRow + i, losses[i]);
    sheet.finish();
  }

  void note_losses(std::span<const Field> columns, const Attributes& attributes, bool copy) {
    const Kind kind = attributes.kind();
    if (copy) lose(Loss::copy);
    if (attributes.version()) lose(Loss::version);
    const auto lifetime =
        std::uint64_t{attributes.start().has_value()} + std::uint64_t{attributes.end().has_value()};
    if (lifetime > 0) lose(Loss::lifetime, 1, lifetime);
    if (!attributes.unlocode().empty()) lose(Loss::unlocode);
    if (kind == Kind::institution && !attributes.short_name().empty()) lose(Loss::short_name);
    if (kind == Kind::node && !attributes.coordinates()) lose(Loss::unknown_position);
    attributes.for_each_property([&](const engine::Property& property) {
      const bool held = std::ranges::any_of(
          columns, [&](Field field) { return about(field).property == property.name; });
      if (!held) lose(Loss::property);
    });
  }

  std::string tags(const Attributes& attributes) {
    std::string list;
    std::size_t characters = 0;
    attributes.for_each_property([&](const engine::Property& property) {
      if (property.name != about(Field::tag).property) return;
      const std::string_view tag = property.value;
      characters += engine::character_count(tag) + 1;
      if (tag.empty() || trim(tag) != tag || tag.find(';') != tag.npos ||
          characters > kCellCharactersMax)
        return lose(Loss::tag);
      list += list.empty() ? "" : ";";
      list += tag;
    });
    return list;
  }

  // References must survive reading, or the file would say something else.
  Result<std::string_view> identifier(std::string_view id, bool in_list) const {
    if (trim(id) != id || (in_list && id.find(';') != id.npos))
      return fail(Errc::conflict,
                  fmt::format("the identifier \"{}\" cannot stand in a spreadsheet: it has blanks "
                              "at its ends or a semicolon in a list",
                              id));
    return id;
  }

  void lose(Loss loss, std::uint64_t count = 1) { lose(loss, count, count); }
  void lose(Loss loss, std::uint64_t count, std::uint64_t fields) {
    losses_[static_cast<std::size_t>(loss)] += count;
    fields_[static_cast<std::size_t>(loss)] += fields;
  }

  std::vector<std::string> loss_lines() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < kLossCount; ++i)
      if (const std::uint64_t count = losses_[i]; count > 0)
        lines.push_back(
            fmt::format("{} {}", count, count == 1 ? kLossTexts[i].first : kLossTexts[i].second));
    return lines;
  }

  std::vector<XlsxLoss> lost_fields() const {
    std::vector<XlsxLoss> lost;
    for (std::size_t i = 0; i < kLossCount; ++i)
      if (fields_[i] > 0)
        lost.push_back({kLossTexts[i].first, fields_[i],
                        i == static_cast<std::size_t>(Loss::unknown_position) ||
                            i == static_cast<std::size_t>(Loss::link)});
    return lost;
  }

  const Graph& graph_;
  const RecordId topology_;
  engine::TopologyContents contents_;
  const engine::AttributesPtr global_institution_ = engine::global_institution();
  ZipWriter archive_;
  std::array<std::uint64_t, kLossCount> losses_{};
  std::array<std::uint64_t, kLossCount> fields_{};
};

}  // namespace

Result<XlsxExport> write_xlsx(const Graph& graph, RecordId topology) {
  return WorkbookWriter(graph, topology).write();
}

}  // namespace netml::codecs
