// Reads answers of the API without including the JSON library in every command, and writes
// the small objects that requests consist of.
//
// Reading is lenient: a field that is absent, or null, or of another type, reads as empty, so an
// older program understands a newer server. Thread: one at a time.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/result.hpp"

namespace netml::admin::cli {

// A value in a parsed text; keeps the whole text alive.
class JsonValue {
 public:
  static Result<JsonValue> parse(std::string_view text);

  bool is_null() const;
  std::string text() const;  // numbers and booleans are spelled out
  std::uint64_t number() const;
  bool flag() const;
  std::vector<JsonValue> items() const;
  std::vector<std::pair<std::string, JsonValue>> members() const;
  JsonValue at(std::string_view name) const;

  std::string text(std::string_view name) const { return at(name).text(); }
  std::uint64_t number(std::string_view name) const { return at(name).number(); }
  bool flag(std::string_view name) const { return at(name).flag(); }

 private:
  using Tree = std::shared_ptr<const boost::json::value>;
  JsonValue(Tree tree, const boost::json::value* value) : tree_(std::move(tree)), value_(value) {}

  Tree tree_;
  const boost::json::value* value_;  // in *tree_; null = absent
};

// "Oslo (urn:example:oslo)", of a record's `name` and `id`.
std::string name_and_id(const JsonValue& record);

// What a command ends with under --json: "ok", "error" (null, or what went wrong) and "exit_code",
// then the members of `result`, or "items" when that is a list. `result` may be empty.
std::string outcome_document(std::string_view result, int exit_code, std::string_view error);
// {"name":"value",...}
std::string json_object(
    std::initializer_list<std::pair<std::string_view, std::string_view>> members);

}  // namespace netml::admin::cli
