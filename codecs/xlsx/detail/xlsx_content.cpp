#include "codecs/xlsx/detail/xlsx_content.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "codecs/document/numbers.hpp"
#include "engine/base/sha256.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

using engine::AttributesPtr;

namespace {

// What programs write for an owner that is not there.
constexpr std::string_view kNoOwner = "None";

std::string cut(std::string_view text, std::size_t characters) {
  return engine::cut_text(text, characters).value_or(std::string(text));
}

}  // namespace

// ---- names ----

std::uint32_t SheetIndex::add(AttributesPtr attributes, std::uint32_t row) {
  const std::string_view id = attributes->id();
  const std::string_view name = attributes->name();
  records_.push_back(std::move(attributes));
  if (!name.empty() && !names_.try_emplace(IdKey(name), Named{id}).second)
    names_.at(IdKey(name)).several = true;
  const auto [entry, added] = rows_.try_emplace(IdKey(id), row);
  return added ? 0 : entry->second;
}

SheetIndex::Found SheetIndex::find(std::string_view reference) const {
  if (const auto found = rows_.find(IdKey(reference)); found != rows_.end())
    return {Match::one, found->first.text};
  // Names are kept cut, so they are looked for cut.
  const auto found = names_.find(IdKey(cut(reference, engine::kNameCharactersMax)));
  if (found == names_.end()) return {};
  return {found->second.several ? Match::several : Match::one, found->second.id};
}

// ---- records ----

void SheetContent::start_record(Kind kind, RowValues& values) {
  const std::string_view record_name = values.text(Field::name);
  const std::string_view label = values.text(Field::label);
  const std::string_view given = values.text(Field::internal_id);
  const std::string id =
      given.empty() ? generated_id(kind, record_name, label) : std::string(given);
  record_.start(kind, cut(id, engine::kIdCharactersMax), {values.row(), 0});
  if (engine::character_count(id) > engine::kIdCharactersMax)
    report("id-too-long",
           fmt::format("the id of {} is longer than {} characters", kind_name(kind),
                       engine::kIdCharactersMax),
           values, Field::internal_id);
  if (values.missing(Field::name))
    report("name-missing", fmt::format("{} has no name", kind_name(kind)), values, Field::name);
  record_.add_text(*about(Field::name).text, record_name);
  record_.add_text(*about(Field::label).text, label);
}

void SheetContent::set_properties(RowValues& values) {
  engine::for_each_further_text(
      [&](const auto& text) { record_.add_text(text, values.text(column_field(text.field))); });
  for (const Column& column : columns()) {
    if (column.property.empty()) continue;
    if (column.field == Field::tag)
      for (const std::string_view tag : values.list(Field::tag))
        record_.add_property(column.property, tag);
    else if (!values.text(column.field).empty())
      record_.add_property(column.property, values.text(column.field));
  }
}

AttributesPtr SheetContent::end_record(RowValues& values) {
  AttributesPtr attributes = record_.make();
  if (const auto other = index_of(record_.kind()).add(attributes, values.row()); other != 0)
    report("duplicate-id",
           fmt::format("{} id {} is used in row {} and in row {}", kind_name(record_.kind()),
                       excerpt(record_.id()), other, values.row()),
           values, values.column(Field::internal_id) != 0 ? Field::internal_id : Field::name);
  return attributes;
}

void SheetContent::add(Kind kind, RowValues& values) {
  start_record(kind, values);
  if (kind != Kind::link) set_place(values);
  set_properties(values);
  if (kind != Kind::institution) set_owners(values);
  if (kind == Kind::link) set_ends(values);
  AttributesPtr attributes = end_record(values);
  if (kind == Kind::institution)
    institutions_.push_back(std::move(attributes));
  else
    document_.add(std::move(attributes), record_.position());
}

void SheetContent::end_institutions() {
  if (institutions_.empty() && !is_left_out(Kind::institution))
    errors_.report("owner-missing", "there is no institution, so the topology has no owner");
  document_.open_topology();
  if (!institutions_.empty()) document_.set_primary_owner(institutions_.front()->id(), {});
  record_.start(Kind::topology, generated_id(Kind::topology, topology_name_), {});
  record_.add_text(kText<engine::Field::name>, topology_name_);
  document_.close_header(record_.make(), {});
  for (AttributesPtr& institution : institutions_) document_.add(std::move(institution), {});
  institutions_.clear();
}

// ---- places ----

std::optional<engine::Micro> SheetContent::degrees(RowValues& values, Field field, double limit) {
  const std::optional<double> value = values.number(field);
  if (!value) return std::nullopt;
  if (std::abs(*value) <= limit) return round_to_micro(*value);
  const std::string what = lower_ascii(about(field).title);
  report(what + "-range",
         fmt::format("{} {} is outside -{}..{}", what, excerpt(values.text(field)), limit, limit),
         values, field);
  return std::nullopt;
}

void SheetContent::set_altitude(RowValues& values) {
  const std::optional<double> value = values.number(Field::altitude);
  if (!value) return;
  if (std::isnan(*value))
    return report("altitude-invalid", "altitude is not a number", values, Field::altitude);
  const double kept = std::clamp(*value, kAltitudeMin, kAltitudeMax);
  if (kept != *value)
    record_.note(false, fmt::format("altitude {} capped to {}",
                                    excerpt(values.text(Field::altitude)), kept));
  record_.altitude = round_to_micro(kept);
}

// Nodes have a place; institutions may have one, but not half of it.
void SheetContent::set_place(RowValues& values) {
  constexpr double kLatitudeMax = 90;
  constexpr double kLongitudeMax = 180;
  const bool needed = record_.kind() == Kind::node || !values.missing(Field::latitude) ||
                      !values.missing(Field::longitude);
  for (const Field field : {Field::latitude, Field::longitude})
    if (needed && values.missing(field))
      report("missing-element",
             fmt::format("{} {} lacks a {}", kind_name(record_.kind()), excerpt(record_.id()),
                         lower_ascii(about(field).title)),
             values, field);
  record_.latitude = degrees(values, Field::latitude, kLatitudeMax);
  record_.longitude = degrees(values, Field::longitude, kLongitudeMax);
  set_altitude(values);
  record_.add_text(*about(Field::address).text, values.text(Field::address));
}

// ---- references ----

void SheetContent::set_owner(std::string_view reference, RowValues& values, Field field) {
  if (is_left_out(Kind::institution)) return;
  const SheetIndex& institutions = index_of(Kind::institution);
  if (reference == kNoOwner && !institutions.has_id(reference))
    return record_.note(true, fmt::format("\"{}\" in the column {} (row {}) is read as no owner",
                                          kNoOwner, about(field).title, values.row()));
  const SheetIndex::Found found = institutions.find(reference);
  if (found.match == SheetIndex::Match::one) return document_.add_owner(found.id, {});
  if (reference == engine::kGlobalInstitutionId) return document_.add_owner(reference, {});
  report_unresolved(Kind::institution, found, reference, values, field);
}

void SheetContent::report_unresolved(Kind wanted, const SheetIndex::Found& found,
                                     std::string_view reference, RowValues& values, Field field) {
  const bool none = found.match == SheetIndex::Match::none;
  const std::string_view what = wanted == Kind::institution ? "owner" : "node";
  report(none ? fmt::format("{}-unknown", what) : "ambiguous-name",
         fmt::format("{} {} of {} {} is {}s", what, excerpt(reference), kind_name(record_.kind()),
                     excerpt(record_.id()),
                     none ? fmt::format("not listed on the sheet {}", kind_name(wanted))
                          : "the name of several " + lower_ascii(kind_name(wanted))),
         values, field);
}

void SheetContent::set_owners(RowValues& values) {
  const std::string_view owner = values.text(Field::owner);
  if (!owner.empty()) set_owner(owner, values, Field::owner);
  for (const std::string_view other : values.list(Field::co_owners))
    set_owner(other, values, Field::co_owners);
}

void SheetContent::set_ends(RowValues& values) {
  std::string_view first;
  for (const Field field : {Field::first_end, Field::second_end}) {
    const std::string_view reference = values.text(field);
    if (reference.empty()) {
      if (!values.missing(field)) continue;
      report("link-ends",
             fmt::format("link {} must join two different nodes, one is missing",
                         excerpt(record_.id())),
             values, field);
      continue;
    }
    if (is_left_out(Kind::node)) continue;
    const SheetIndex::Found found = index_of(Kind::node).find(reference);
    if (found.match == SheetIndex::Match::one) {
      if (found.id == first)
        report("link-ends",
               fmt::format("link {} must join two different nodes, found {} twice",
                           excerpt(record_.id()), excerpt(reference)),
               values, field);
      first = found.id;
      document_.add_end(found.id, {});
      continue;
    }
    report_unresolved(Kind::node, found, reference, values, field);
  }
}

engine::Document SheetContent::take() && {
  document_.close_body();
  document_.close_topology();
  NETML_ASSERT(builder_errors_.empty());
  return std::move(document_).take();
}

}  // namespace netml::codecs
