// Lists as pages show them: searched, filtered, sorted and cut here (docs/api.md, "Conventions").
//
// Thread: any (pure functions).
#pragma once

#include <algorithm>
#include <boost/json/value.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "admin/api/site/calls/calls.hpp"
#include "engine/catalog/table.hpp"

namespace netml::admin::web {

inline constexpr std::size_t kListLimit = 100;
inline constexpr std::size_t kListLimitMax = 1000;

struct ListRequest {
  std::string search;  // in lower case; empty = all
  std::string sort;    // a field; empty = the order of the list
  bool descending = false;
  std::size_t first = 0;
  std::size_t limit = kListLimit;
};
// Errc::invalid_input.
Result<ListRequest> read_list_request(const Call& call);

// Where the page after this one begins; null when there is none.
boost::json::value next_cursor(const ListRequest& request, std::size_t total);

// An item while it is made: of all fields, or of those that somebody looks at.
class ItemFields {
 public:
  ItemFields() = default;  // all
  // `wanted` must outlive this.
  explicit ItemFields(const std::vector<std::string_view>& wanted) : wanted_(&wanted) {}

  // make() gives the value; called when the field is wanted.
  template <class Make>
  void add(std::string_view name, Make&& make) {
    if (wanted_ == nullptr || std::ranges::find(*wanted_, name) != wanted_->end())
      object_.emplace(name, make());
  }
  boost::json::object take() { return std::move(object_); }

 private:
  const std::vector<std::string_view>* wanted_ = nullptr;
  boost::json::object object_;
};

// What a list is of. Numbers count down from `last`, the first item's, to 1; some may be nobody's.
struct ListItems {
  std::uint64_t last = 0;
  std::size_t count = 0;
  std::function<bool(std::uint64_t number)> has;
  std::function<boost::json::object(std::uint64_t number, ItemFields fields)> describe;
  bool by_number = false;  // a field "number" is that: pages ask for the order that it is in
};

// The page that is asked for. Searched are the fields named; sorted and filtered can be by any
// field of the first item that holds a text, a number or a truth: `?role=admin`. Whole items are
// made of the first and of those on the page only. Where nothing is searched, filtered or sorted,
// no others are looked at; else all are, by the fields in question.
Result<net::Response> list_answer(const Call& call, const ListItems& listed,
                                  std::span<const std::string_view> searched);
// The same of a table that stays small.
Result<net::Response> list_answer(const Call& call, const std::vector<boost::json::object>& items,
                                  std::span<const std::string_view> searched);

// A table, the newest first. describe(number, entry), or describe(number, entry, ItemFields) where
// making a whole item costs something, gives the item. The table must outlive the call.
template <class T, class Describe>
Result<net::Response> newest_first(const Call& call, const engine::Table<T>& table,
                                   std::span<const std::string_view> searched,
                                   const Describe& describe) {
  const auto has = [&](std::uint64_t number) { return table.find(number) != nullptr; };
  const auto item = [&](std::uint64_t number, const ItemFields& fields) -> boost::json::object {
    const auto entry = table.find(number);
    if constexpr (std::is_invocable_v<Describe, std::uint64_t, const T&, ItemFields>)
      return describe(number, *entry, fields);
    else
      return describe(number, *entry);
  };
  return list_answer(call, {table.next_number() - 1, table.count(), has, item, true}, searched);
}

}  // namespace netml::admin::web
