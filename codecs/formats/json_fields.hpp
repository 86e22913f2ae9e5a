// The members of a JSON object that somebody wrote, read one after another. What is wrong is an
// error that names the member by its path: "who.kind".
//
// Thread: its owner; the document must outlive it.
#pragma once

#include <boost/json.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.hpp"

namespace netml::codecs {

inline tl::unexpected<Error> wrong_json(std::string_view field, std::string message) {
  return fail(Errc::invalid_input, field, std::move(message));
}

// What a text stands for, without a byte-order mark. `what` is it: "the policy".
Result<boost::json::value> parse_json_object(std::string_view text, std::string_view what);

class JsonFields {
 public:
  using Names = std::span<const std::string_view>;

  // `path` is what stands before a name in messages: "", "who."; `what` has the members: "a
  // policy".
  JsonFields(const boost::json::object& object, std::string path, std::string_view what)
      : object_(object), path_(std::move(path)), what_(what) {}

  // Members that nobody reads are wrong: what is not read would seem to be done.
  Status only(Names known) const;
  // Null is the same as nothing.
  const boost::json::value* find(std::string_view name) const;
  Result<std::string> text(std::string_view name, std::string otherwise) const;
  Result<std::string> needed_text(std::string_view name) const;
  // One text, or a list of them; empty: it is not there.
  Result<std::vector<std::string>> texts(std::string_view name) const;
  Result<bool> flag(std::string_view name, bool otherwise) const;
  // One of the words, by its place.
  Result<std::size_t> word(std::string_view name, Names words, std::string_view found) const;
  Result<JsonFields> object(std::string_view name) const;
  std::string path_of(std::string_view name) const { return path_ + std::string(name); }

 private:
  const boost::json::object& object_;
  const std::string path_;
  const std::string_view what_;
};

}  // namespace netml::codecs
