// What the site reads from records: properties by name, times and numbers as texts.
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/time.hpp"
#include "engine/graph/properties.hpp"

namespace netml::admin::web {

using engine::first_property;
using engine::kTag;

// "2024-03-01T12:00:00Z"
std::string time_text(Instant instant);
// "2024-03-01": where it is that day in UTC.
std::string day_text(Instant instant);
boost::json::value time_or_null(const std::optional<Instant>& time);

// visit(value) for each property called "tag".
template <class Visit>
void for_each_tag(const engine::Attributes& attributes, Visit&& visit) {
  attributes.for_each_property([&](const engine::Property& property) {
    if (property.name == kTag) visit(property.value);
  });
}

// Those that anybody may see: names with "!-" in front are the node's own.
template <class Visit>
void for_each_shown_property(const engine::Attributes& attributes, Visit&& visit) {
  attributes.for_each_property([&](const engine::Property& property) {
    if (!property.name.starts_with(engine::kReservedPrefix)) visit(property);
  });
}

}  // namespace netml::admin::web
