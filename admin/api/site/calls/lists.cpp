#include "admin/api/site/calls/lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/base/numbers.hpp"
#include "engine/base/lower_case.hpp"
#include "engine/base/utf8.hpp"

namespace netml::admin::web {

namespace json = boost::json;

namespace {

std::string plain_text(const json::value& value) {
  if (value.is_string()) return std::string(value.get_string());
  return value.is_null() ? std::string() : json::serialize(value);
}

// Numbers by size, all else as texts without regard to case.
bool comes_before(const json::value& a, const json::value& b) {
  if (a.is_number() && b.is_number()) return a.to_number<double>() < b.to_number<double>();
  return engine::lower_case(plain_text(a)) < engine::lower_case(plain_text(b));
}

bool is_found(const json::object& item, const std::string& search,
              std::span<const std::string_view> searched) {
  return search.empty() || std::ranges::any_of(searched, [&](std::string_view field) {
           return engine::holds(plain_text(item.at(field)), search);
         });
}

// Every scalar field of the items can be a filter.
void filter(const Call& call, std::vector<json::object>& items) {
  if (items.empty()) return;
  std::vector<std::pair<std::string, std::string>> wanted;
  for (const auto& field : items.front())
    if (const auto value = call.query(field.key()); value && !field.value().is_structured())
      wanted.emplace_back(field.key(), *value);
  std::erase_if(items, [&](const json::object& item) {
    return std::ranges::any_of(wanted, [&](const auto& field) {
      return plain_text(item.at(field.first)) != field.second;
    });
  });
}

}  // namespace

Result<ListRequest> read_list_request(const Call& call) {
  ListRequest list;
  const std::string search = call.query("q").value_or("");
  if (!is_utf8(search)) return fail(Errc::invalid_input, "q", "is not in UTF-8");
  list.search = engine::lower_case(search);
  list.sort = call.query("sort").value_or("");
  if (list.sort.starts_with('-')) {
    list.descending = true;
    list.sort.erase(0, 1);
  }
  NETML_TRY(const auto limit, call.query_number("limit"));
  list.limit = std::clamp<std::uint64_t>(limit.value_or(kListLimit), 1, kListLimitMax);
  if (const auto cursor = call.query("cursor")) {
    const auto first = parse_integer<std::uint32_t>(*cursor);
    if (!first) return fail(Errc::invalid_input, "cursor", "is not valid here");
    list.first = *first;
  }
  return list;
}

json::value next_cursor(const ListRequest& request, std::size_t total) {
  const std::size_t next = request.first + request.limit;
  if (next >= total) return nullptr;
  return json::value(std::to_string(next));
}

Result<net::Response> list_answer(const Call& call, std::vector<json::object> items,
                                  std::span<const std::string_view> searched) {
  NETML_TRY(const ListRequest list, read_list_request(call));
  if (!list.sort.empty() && !items.empty() && !items.front().contains(list.sort))
    return fail(Errc::invalid_input, "sort", "names no field of this list");
  filter(call, items);
  std::erase_if(items,
                [&](const json::object& item) { return !is_found(item, list.search, searched); });
  if (!list.sort.empty())
    std::ranges::stable_sort(items, [&](const json::object& a, const json::object& b) {
      const json::value& first = a.at(list.sort);
      const json::value& second = b.at(list.sort);
      return list.descending ? comes_before(second, first) : comes_before(first, second);
    });
  json::array page;
  const std::size_t end = std::min(items.size(), list.first + list.limit);
  for (std::size_t i = std::min(list.first, end); i < end; ++i) page.push_back(std::move(items[i]));
  return json_answer(200, {{"items", std::move(page)},
                           {"next", next_cursor(list, items.size())},
                           {"total", items.size()}});
}

}  // namespace netml::admin::web
