#include "codecs/formats/draft/json_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace netml::codecs {

namespace {

bool is_container(JsonValue value) {
  return (value.is_object() || value.is_array()) && !value.is_empty();
}

bool says_nothing(JsonValue leaf) {
  return leaf.kind() == JsonKind::null || leaf.is_empty();
}

bool is_list_of_leaves(JsonValue value) {
  const auto items = value.items();
  return value.is_array() && std::none_of(items.begin(), items.end(), is_container);
}

}  // namespace

std::uint64_t count_leaves(JsonValue value) {
  std::uint64_t count = 0;
  for (JsonLeaves leaves(value); leaves.next();) ++count;
  return count;
}

void JsonFields::set(std::string_view owner, JsonValue object,
                     std::initializer_list<std::string_view> except) {
  for (const auto& [name, value] : object.members())
    if (std::ranges::find(except, name) == except.end()) set(owner, name, value);
}

void JsonFields::set(std::string_view owner, std::string_view name, JsonValue value) {
  if (!is_container(value)) return set_leaf(rules_.find(owner, name), value);
  struct Step {
    std::string path;   // "tags[]"
    std::string plain;  // what it is called: "tags"
    JsonValue value;
  };
  std::vector<Step> open{{std::string(name), std::string(name), value}};
  while (!open.empty()) {
    const Step step = std::move(open.back());
    open.pop_back();
    const std::size_t others = open.size();
    const auto rule_of = [&](std::string_view path) -> const FoundRule& {
      return rules_.find(owner, path, rules_.called(step.plain));
    };
    if (!is_container(step.value)) {
      set_leaf(rule_of(step.path), step.value);
    } else if (is_list_of_leaves(step.value)) {
      const FoundRule& rule = rule_of(step.path + "[]");
      for (const JsonValue item : step.value.items()) set_leaf(rule, item);
    } else if (!has_rows(owner, step.path, step.value)) {
      const FoundRule& rule = rule_of(step.path);
      if (rule.target == Target::nothing)
        lose(owner, step.path, step.value, rule.lost_because);
      else
        set_together(rule, step.value);
    } else if (step.value.is_object()) {
      for (const auto& member : step.value.members())
        open.push_back({fmt::format("{}.{}", step.path, member.name),
                        fmt::format("{}.{}", step.plain, member.name), member.value});
    } else {
      for (const JsonValue item : step.value.items())
        open.push_back({step.path + "[]", step.plain, item});
    }
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(others), open.end());
  }
}

bool JsonFields::has_rows(std::string_view owner, std::string_view name, JsonValue value) {
  if (!rules_.find(owner, name).parts_have_rows) return false;
  for (JsonLeaves leaves(value); leaves.next();) {
    const bool in_list = leaves.path().starts_with('[');
    const std::string path = fmt::format("{}{}{}", name, in_list ? "" : ".", leaves.path());
    if (rules_.find(owner, path).own_row) return true;
  }
  return false;
}

void JsonFields::keep(std::string_view owner, std::string_view name, JsonValue value) {
  const FoundRule& rule = rules_.property(owner, name);
  is_container(value) ? set_together(rule, value) : set_leaf(rule, value);
}

void JsonFields::set_leaf(const FoundRule& rule, JsonValue leaf) {
  if (says_nothing(leaf) && rule.target != Target::nothing) return draft_.losses().carry();
  const std::string_view text = leaf.is_object() ? "{}" : leaf.is_array() ? "[]" : leaf.text();
  draft_.set({rule, leaf.position()}, text);
}

void JsonFields::set_together(std::string_view owner, std::string_view name, JsonValue value) {
  const FoundRule& rule = rules_.find(owner, name);
  if (rule.target == Target::nothing) return lose(owner, name, value, rule.lost_because);
  set_together(rule, value);
}

void JsonFields::set_together(const FoundRule& rule, JsonValue value) {
  draft_.set_together(rule, value.json(), count_leaves(value));
}

void JsonFields::lose(std::string_view owner, std::string_view name, JsonValue value,
                      std::string_view reason) {
  for (JsonLeaves leaves(value); leaves.next();) {
    const std::string_view path = leaves.path();
    const bool alone = name.empty() || path.empty() || path.starts_with('[');
    draft_.lose(owner, fmt::format("{}{}{}", name, alone ? "" : ".", path),
                leaves.leaf().position(), reason);
  }
}

void JsonFields::carry(JsonValue value) {
  draft_.losses().carry(count_leaves(value));
}

}  // namespace netml::codecs
