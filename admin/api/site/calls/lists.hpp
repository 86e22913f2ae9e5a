// Lists as pages show them: searched, filtered, sorted and cut here (docs/api.md, "Conventions").
//
// Thread: any (pure functions).
#pragma once

#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "admin/api/site/calls/calls.hpp"

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

// The page of a small table. Searched are the fields named; sorted and filtered can be by any field
// that holds a text, a number or a truth: `?role=admin`.
Result<net::Response> list_answer(const Call& call, std::vector<boost::json::object> items,
                                  std::span<const std::string_view> searched);

}  // namespace netml::admin::web
