#include "admin/cli/client/json.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "engine/base/json_string.hpp"

namespace netml::admin::cli {

namespace json = boost::json;

Result<JsonValue> JsonValue::parse(std::string_view text) {
  json::error_code error;
  json::value value = json::parse(text, error);
  if (error) return fail(Errc::io_error, "the answer is not JSON: " + error.message());
  auto tree = std::make_shared<const json::value>(std::move(value));
  const json::value* root = tree.get();
  return JsonValue(std::move(tree), root);
}

bool JsonValue::is_null() const {
  return value_ == nullptr || value_->is_null();
}

std::string JsonValue::text() const {
  if (is_null()) return {};
  if (const json::string* text = value_->if_string()) return {text->data(), text->size()};
  if (const bool* flag = value_->if_bool()) return *flag ? "true" : "false";
  if (const std::int64_t* number = value_->if_int64()) return fmt::to_string(*number);
  if (const std::uint64_t* number = value_->if_uint64()) return fmt::to_string(*number);
  if (const double* number = value_->if_double()) return fmt::to_string(*number);
  return json::serialize(*value_);
}

std::uint64_t JsonValue::number() const {
  if (is_null()) return 0;
  if (const std::uint64_t* number = value_->if_uint64()) return *number;
  const std::int64_t* number = value_->if_int64();
  return number != nullptr && *number > 0 ? static_cast<std::uint64_t>(*number) : 0;
}

bool JsonValue::flag() const {
  return value_ != nullptr && value_->is_bool() && value_->get_bool();
}

std::vector<JsonValue> JsonValue::items() const {
  std::vector<JsonValue> items;
  if (value_ == nullptr || !value_->is_array()) return items;
  for (const json::value& item : value_->get_array()) items.push_back(JsonValue(tree_, &item));
  return items;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  std::vector<std::pair<std::string, JsonValue>> members;
  if (value_ == nullptr || !value_->is_object()) return members;
  for (const auto& member : value_->get_object())
    members.emplace_back(std::string(member.key()), JsonValue(tree_, &member.value()));
  return members;
}

JsonValue JsonValue::at(std::string_view name) const {
  const json::value* found = nullptr;
  if (value_ != nullptr && value_->is_object()) found = value_->get_object().if_contains(name);
  return {tree_, found};
}

std::string name_and_id(const JsonValue& record) {
  return record.text("name") + " (" + record.text("id") + ')';
}

std::string outcome_document(std::string_view result, int exit_code, std::string_view error) {
  json::object document;
  document["ok"] = exit_code == 0;
  document["error"] = nullptr;
  if (exit_code != 0) document["error"] = json::string_view(error.data(), error.size());
  document["exit_code"] = exit_code;
  json::error_code unreadable;
  json::value value = json::parse(json::string_view(result.data(), result.size()), unreadable);
  if (unreadable) value = nullptr;
  if (json::object* members = value.if_object())
    for (json::key_value_pair& member : *members)
      document.emplace(member.key(), std::move(member.value()));  // what is there already stays
  if (value.is_array()) document["items"] = std::move(value);
  return json::serialize(document) + '\n';
}

std::string json_object(
    std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  std::string text = "{";
  for (const auto& [name, value] : members) {
    if (text.size() > 1) text += ',';
    text += fmt::format("{}:{}", json_string(name), json_string(value));
  }
  return text + '}';
}

}  // namespace netml::admin::cli
