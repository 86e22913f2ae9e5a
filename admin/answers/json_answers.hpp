// Answers in JSON, and the parts that all APIs share (docs/api.md).
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "engine/catalog/catalog.hpp"
#include "engine/graph/document.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

// "topologies" and its kin: the collection of a kind, as paths and counts name it.
const char* collection_name(Kind kind);
// {"topologies": ..., "institutions": ...}: what of(kind) gives for each.
template <class Of>
boost::json::object each_kind_json(const Of& of) {
  boost::json::object object;
  for (const Kind kind : kKinds) object[collection_name(kind)] = of(kind);
  return object;
}
// What stands in `error`: `code` and `message`, and the errors of a file if there are any.
boost::json::object error_json(const Error& error, const engine::InputErrors& errors);

net::Response json_answer(int status, const boost::json::value& value);
// A table: describe(number, entry) gives the object for each entry.
template <class T, class Describe>
net::Response table_answer(const engine::Table<T>& table, Describe&& describe) {
  boost::json::array entries;
  table.for_each(
      [&](std::uint64_t number, const T& entry) { entries.push_back(describe(number, entry)); });
  return json_answer(200, entries);
}
net::Response no_content();
// {"error": {"code", "message"}} with the status of the error's code.
net::Response error_answer(const Error& error);

}  // namespace netml::admin
