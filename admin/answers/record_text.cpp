#include "admin/answers/record_text.hpp"

namespace netml::admin::web {

std::string time_text(Instant instant) {
  std::string text = format_instant(instant);
  text.resize(text.find('+'));
  return text + 'Z';
}

std::string day_text(Instant instant) {
  const std::string text = time_text(instant);
  return text.substr(0, text.find('T'));
}

boost::json::value time_or_null(const std::optional<Instant>& time) {
  return time ? boost::json::value(time_text(*time)) : boost::json::value();
}

}  // namespace netml::admin::web
