#include "codecs/formats/draft/map_draft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <tuple>
#include <utility>

#include "codecs/document/numbers.hpp"
#include "codecs/document/xml_text.hpp"
#include "codecs/formats/draft/draft_document.hpp"

namespace netml::codecs {

namespace {

constexpr double kLatitudeMax = 90;
constexpr double kLongitudeMax = 180;

bool is_within(std::string_view text, double least, double most) {
  const auto number = parse_number(text);
  return number && *number >= least && *number <= most;  // not for NaN
}

// Whether a value can be what the table says.
bool fits(Target target, std::string_view value) {
  switch (target) {
    case Target::version:
    case Target::start:
    case Target::end:
      return parse_instant(value).has_value();
    case Target::latitude:
      return is_within(value, -kLatitudeMax, kLatitudeMax);
    case Target::longitude:
      return is_within(value, -kLongitudeMax, kLongitudeMax);
    case Target::altitude:
      return is_within(value, kAltitudeMin, kAltitudeMax);
    case Target::identifier:
    case Target::name:
    case Target::owner:
    case Target::topology:
    case Target::parent:
      return !value.empty();
    default:
      return true;
  }
}

// What an element may have several of.
bool repeats(Target target) {
  return target == Target::property || target == Target::owner || target == Target::topology ||
         target == Target::link_end;
}

// How long it may be, in characters; 0: as long as it likes.
std::size_t characters_max(Target target) {
  switch (target) {
    case Target::name:
      return engine::kNameCharactersMax;
    case Target::short_name:
      return engine::kShortNameCharactersMax;
    case Target::unlocode:
      return engine::kUnlocodeCharactersMax;
    case Target::address:
      return engine::kAddressCharactersMax;
    case Target::property:
      return engine::kPropertyValueCharactersMax;
    default:
      return 0;
  }
}

bool is_cut(Target target, std::string_view value) {
  const std::size_t most = characters_max(target);
  return most != 0 && value.size() > most && engine::character_count(value) > most;
}

}  // namespace

std::string_view MapDraft::copy(std::string_view text) {
  if (text.empty()) return {};
  char* const bytes = static_cast<char*>(texts_.allocate(text.size(), 1));
  std::memcpy(bytes, text.data(), text.size());
  return {bytes, text.size()};
}

std::string_view MapDraft::keep(std::string_view text) {
  return is_xml_text(text) ? copy(text) : copy(as_xml_text(text));
}

void MapDraft::open(Kind kind, TextPosition at) {
  if (open_.size() == depth_) open_.emplace_back();
  OpenElement& element = open_[depth_++];
  element.kind = kind;
  element.at = at;
  element.values.clear();
  if (kind != Kind::topology) return;
  // Others may be closed before it, but the root is the one that was opened first.
  element.place = elements_[index_of(kind)].size();
  elements_[index_of(kind)].emplace_back();
}

DraftElement MapDraft::leave() {
  NETML_ASSERT(depth_ > 0);
  const OpenElement& element = open_[--depth_];
  const std::size_t count = element.values.size();
  auto* const values =
      static_cast<DraftValue*>(texts_.allocate(count * sizeof(DraftValue), alignof(DraftValue)));
  std::uninitialized_copy_n(element.values.begin(), count, values);
  return {element.at, {values, count}};
}

void MapDraft::close() {
  const DraftElement closed = leave();
  const OpenElement& element = open_[depth_];
  auto& elements = elements_[index_of(element.kind)];
  if (element.kind == Kind::topology)
    elements[element.place] = closed;
  else
    elements.push_back(closed);
}

void MapDraft::set_aside() {
  const DraftElement element = leave();
  NETML_ASSERT(open_[depth_].kind != Kind::topology);
  aside_.push_back({open_[depth_].kind, element});
}

void MapDraft::resume(std::size_t number) {
  const auto& [kind, element] = aside_[number];
  open(kind, element.at);
  open_[depth_ - 1].values.assign(element.values.begin(), element.values.end());
}

bool MapDraft::has(std::string_view name) const {
  const auto& values = open_[depth_ - 1].values;
  return std::ranges::find(values, name, &DraftValue::name) != values.end();
}

// Where two fields say one thing, the one that the table has first is it.
Target MapDraft::put(const FoundRule& rule, std::string_view value, std::uint32_t fields) {
  std::vector<DraftValue>& values = open_[depth_ - 1].values;
  const bool fitting = rule.target != Target::long_property && fits(rule.target, value);
  const Target target = fitting ? rule.target : Target::property;
  values.push_back({value, &rule, target, fields});
  DraftValue& added = values.back();
  if (repeats(target)) return target;
  const auto other = std::ranges::find(values, target, &DraftValue::target);
  if (&*other == &added) return target;
  (rule.rank < other->rule->rank ? *other : added).target = Target::property;
  return added.target;
}

void MapDraft::set(const DraftField& field, std::string_view value) {
  const FoundRule& rule = field.rule;
  if (rule.target == Target::nothing) return lose(rule.field, {}, field.at, rule.lost_because);
  if (rule.target == Target::structure) return losses_.carry();
  const bool fit = is_xml_text(value);
  const std::uint32_t fields = fit ? 1 : 0;  // else it is lost, whatever is kept of it
  const std::string_view kept = lent_ && fit ? value : keep(value);
  if (!fit) lose(rule.field, {}, field.at, "control characters in it are replaced");
  if (rule.target == Target::long_property) return put_pieces(rule, kept, fields);
  const std::size_t before = open_[depth_ - 1].values.size();
  const Target target = put(rule, kept, fields);
  if (!fit) return;
  if (!is_cut(target, value)) return losses_.carry();
  open_[depth_ - 1].values[before].fields = 0;  // it is lost already
  lose(rule.field, {}, field.at, fmt::format("it is cut to {} characters", characters_max(target)));
}

void MapDraft::set_together(const FoundRule& rule, std::string_view value, std::uint64_t fields) {
  put_pieces(rule, keep(value), fields);
}

// In order: values of one name are kept in the order in which they come.
void MapDraft::put_pieces(const FoundRule& rule, std::string_view value, std::uint64_t fields) {
  std::vector<DraftValue>& values = open_[depth_ - 1].values;
  losses_.carry(fields);
  auto in_piece = static_cast<std::uint32_t>(fields);
  do {
    const std::size_t size = engine::prefix_size(value, engine::kPropertyValueCharactersMax);
    values.push_back({value.substr(0, size), &rule, Target::property, in_piece});
    value.remove_prefix(size);
    in_piece = 0;
  } while (!value.empty());
}

void MapDraft::add(const FoundRule& rule, std::string_view value) {
  if (rule.target != Target::nothing) std::ignore = put(rule, keep(value), 0);
}

void MapDraft::lose(std::string_view owner, std::string_view name, TextPosition at,
                    std::string_view reason) {
  engine::Loss loss{.field = fmt::format("{}{}", owner, name), .reason = std::string(reason)};
  // A walk through the file, for those that are listed.
  const bool in_json = names_ && at.line == 0 && at.column != 0;
  if (in_json && losses_.kept().size() < engine::LossList::kKeptMax)
    loss.pointer = names_(at);
  else if (!in_json)
    std::tie(loss.line, loss.column, loss.sheet) = std::tie(at.line, at.column, sheet_);
  losses_.lose(std::move(loss));
}

void MapDraft::give_up(std::string_view reason) {
  NETML_ASSERT(depth_ > 0 && open_kind() != Kind::topology);
  const OpenElement& element = open_[--depth_];
  lose(DraftElement{element.at, element.values}, reason);
}

void MapDraft::lose(const DraftElement& element, std::string_view reason) {
  for (const DraftValue& value : element.values) {
    losses_.uncarry(value.fields);
    for (std::uint32_t i = 0; i < value.fields; ++i)
      lose(value.rule->field, {}, element.at, reason);
  }
}

std::string_view DraftElement::value(Target target) const {
  const auto found = std::ranges::find(values, target, &DraftValue::target);
  return found == values.end() ? std::string_view() : found->value;
}

ReadResult MapDraft::take(const DraftOptions& options, ErrorList errors) && {
  NETML_ASSERT(depth_ == 0);
  errors.name_places(names_);
  return DraftDocument(*this, options, errors).make();
}

}  // namespace netml::codecs
