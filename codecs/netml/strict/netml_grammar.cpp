#include "codecs/netml/strict/netml_grammar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace netml::codecs {

namespace {

constexpr ChildRule kFirstTopology[] = {
    {Element::name, 1, 1},         {Element::owner, 1, 1},
    {Element::property, kMany, 0}, {Element::institution, kMany, 0},
    {Element::link, kMany, 0},     {Element::node, kMany, 0},
    {Element::topology, kMany, 0}, {Element::nml_topology, kMany, 0},
};
constexpr ChildRule kFirstInstitution[] = {
    {Element::name, 1, 1},
    {Element::short_name, 1, 0},
    {Element::location, 1, 0},
    {Element::property, kMany, 0},
};
constexpr ChildRule kFirstLink[] = {
    {Element::name, 1, 1},     {Element::short_name, 1, 0},   {Element::owner, kMany, 0},
    {Element::lifetime, 1, 0}, {Element::property, kMany, 0}, {Element::node_reference, 2, 2},
};
// The schema demands a Location; without one a node is accepted with a warning
// (docs/requirements/exchange-format.md, section 9).
constexpr ChildRule kFirstNode[] = {
    {Element::name, 1, 1},     {Element::short_name, 1, 0}, {Element::owner, kMany, 0},
    {Element::lifetime, 1, 0}, {Element::location, 1, 0},   {Element::property, kMany, 0},
};
// With the texts of that kind that came later, before its properties.
template <Kind kKind>
constexpr std::size_t further_count() {
  std::size_t count = 0;
  engine::for_each_further_text([&](const auto& text) { count += text.applies_to(kKind); });
  return count;
}
template <Kind kKind, std::size_t kCount>
constexpr auto with_further(const ChildRule (&first)[kCount]) {
  std::array<ChildRule, kCount + further_count<kKind>()> rules{};
  std::size_t next = 0;
  for (const ChildRule& rule : first) {
    if (rule.element == Element::property)
      engine::for_each_further_text([&](const auto& text) {
        if (text.applies_to(kKind)) rules[next++] = {element_of(text.field), 1, 0};
      });
    rules[next++] = rule;
  }
  return rules;
}
constexpr auto kTopology = with_further<Kind::topology>(kFirstTopology);
constexpr auto kInstitution = with_further<Kind::institution>(kFirstInstitution);
constexpr auto kLink = with_further<Kind::link>(kFirstLink);
constexpr auto kNode = with_further<Kind::node>(kFirstNode);
constexpr ChildRule kLifetime[] = {{Element::start, 1, 0}, {Element::end, 1, 0}};
constexpr ChildRule kLocation[] = {
    {Element::longitude, 1, 1}, {Element::latitude, 1, 1}, {Element::altitude, 1, 0},
    {Element::unlocode, 1, 0},  {Element::address, 1, 0},
};
constexpr ChildRule kNmlTopology[] = {{Element::nml_topology, kMany, 0}};

// In the order of Element.
constexpr ElementRule kFirstRules[] = {
    {Element::topology, "Topology", kNetmlNamespace, kTopology},
    {Element::institution, "Institution", kNetmlNamespace, kInstitution},
    {Element::link, "Link", kNetmlNamespace, kLink},
    {Element::node, "Node", kNetmlNamespace, kNode},
    {Element::name, "name", kNetmlNamespace, {}, &kText<engine::Field::name>},
    {Element::short_name, "short-name", kNetmlNamespace, {}, &kText<engine::Field::short_name>},
    {Element::owner, "owner", kNetmlNamespace},
    {Element::lifetime, "Lifetime", kNetmlNamespace, kLifetime},
    {Element::start, "start", kNmlNamespace},
    {Element::end, "end", kNmlNamespace},
    {Element::location, "Location", kNetmlNamespace, kLocation},
    {Element::longitude, "long", kNetmlNamespace},
    {Element::latitude, "lat", kNetmlNamespace},
    {Element::altitude, "alt", kNetmlNamespace},
    {Element::unlocode, "unlocode", kNetmlNamespace, {}, &kText<engine::Field::unlocode>},
    {Element::address, "address", kNetmlNamespace, {}, &kText<engine::Field::address>},
    {Element::property, "Property", kNetmlNamespace},
    {Element::node_reference, "node", kNetmlNamespace},
    {Element::nml_topology, "Topology", kNmlNamespace, kNmlTopology},
};
static_assert(std::size(kFirstRules) == kFirstElements);

constexpr auto kFurtherNames = [] {
  std::array<engine::SpelledName, engine::kFurtherTextCount> names{};
  std::size_t next = 0;
  engine::for_each_further_text(
      [&](const auto& text) { names[next++] = engine::with_hyphens(text.name); });
  return names;
}();

constexpr auto kRules = [] {
  std::array<ElementRule, kElementCount> rules{};
  std::ranges::copy(kFirstRules, rules.begin());
  engine::for_each_further_text([&, next = std::size_t{0}](const auto& further) mutable {
    const Element element = element_of(further.field);
    rules[static_cast<std::size_t>(element)] = {
        element, kFurtherNames[next++].view(), kNetmlNamespace, {}, &further};
  });
  return rules;
}();
static_assert([] {
  for (std::size_t i = 0; i < kRules.size(); ++i)
    if (kRules[i].element != static_cast<Element>(i) || kRules[i].children.size() > kChildRulesMax)
      return false;
  return true;
}());

}  // namespace

const ElementRule& rule_of(Element element) {
  return kRules[static_cast<std::size_t>(element)];
}

std::optional<std::size_t> find_child(const ElementRule& parent, std::size_t from,
                                      const XmlName& name) {
  const std::size_t count = parent.children.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = from + i < count ? from + i : from + i - count;
    const ElementRule& rule = rule_of(parent.children[place].element);
    if (rule.name == name.local && rule.space == name.space) return place;
  }
  return std::nullopt;
}

std::uint8_t OpenElement::count(Element child) const {
  for (std::size_t i = 0; i < rule->children.size(); ++i)
    if (rule->children[i].element == child) return counts[i];
  return 0;
}

std::string display_name(const XmlName& name) {
  std::string local = excerpt(name.local);
  if (name.space == kNetmlNamespace) return local;
  if (name.space == kNmlNamespace) return fmt::format("nml:{}", local);
  if (name.space.empty()) return fmt::format("{} without namespace", local);
  return fmt::format("{} in namespace {}", local, excerpt(name.space));
}

std::string display_name(const ElementRule& rule) {
  return display_name({rule.space, rule.name});
}

std::string expectation(const OpenElement& parent) {
  if (parent.rule->is_text()) return "expected text only";
  const auto children = parent.rule->children;
  std::size_t next = parent.place;
  while (next < children.size() && parent.counts[next] == children[next].max) ++next;
  std::string list;
  for (const ChildRule& child : children.subspan(next)) {
    if (!list.empty()) list += ", ";
    list += display_name(rule_of(child.element));
  }
  return list.empty() ? "expected no further element" : fmt::format("expected one of {}", list);
}

}  // namespace netml::codecs
