#include "admin/answers/record_text.hpp"

namespace netml::admin::web {

std::string time_text(Instant instant) {
  std::string text = format_instant(instant);
  text.resize(text.find('+'));
  return text + 'Z';
}

boost::json::value time_or_null(const std::optional<Instant>& time) {
  return time ? boost::json::value(time_text(*time)) : boost::json::value();
}

std::string_view first_property(const engine::Attributes& attributes, std::string_view name) {
  std::optional<std::string_view> found;
  attributes.for_each_property([&](const engine::Property& property) {
    if (!found && property.name == name) found = property.value;
  });
  return found.value_or(std::string_view());
}

}  // namespace netml::admin::web
