#include "admin/api/site/calls/lists.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "engine/base/lower_case.hpp"
#include "engine/base/texts.hpp"
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

// Not every item need have a field that the first one has.
json::value field_of(const json::object& item, std::string_view name) {
  const json::value* value = item.if_contains(name);
  return value == nullptr ? json::value() : *value;
}

// A field, and the text that it must have.
using Filters = std::vector<std::pair<std::string_view, std::string>>;

// Every scalar field of the items can be one.
Filters filters_of(const Call& call, const json::object& first) {
  Filters filters;
  for (const auto& field : first)
    if (const auto value = call.query(field.key()); value && !field.value().is_structured())
      filters.emplace_back(field.key(), *value);
  return filters;
}

struct FoundItem {
  std::uint64_t number = 0;
  json::value key;  // what it is sorted by
};

// What a request asks of the items. Thread: one.
struct Judgement {
  const ListRequest& list;
  std::span<const std::string_view> searched;
  Filters filters;

  bool is_none() const { return list.search.empty() && list.sort.empty() && filters.empty(); }
  std::vector<std::string_view> fields() const {
    std::vector<std::string_view> fields;
    for (const auto& [field, text] : filters) fields.push_back(field);
    if (!list.search.empty()) fields.insert(fields.end(), searched.begin(), searched.end());
    if (!list.sort.empty()) fields.push_back(list.sort);
    return fields;
  }
  bool takes(const json::object& item) const {
    const auto passes = [&](const auto& filter) {
      return plain_text(field_of(item, filter.first)) == filter.second;
    };
    const auto is_found = [&](std::string_view field) {
      return engine::holds(plain_text(field_of(item, field)), list.search);
    };
    return std::ranges::all_of(filters, passes) &&
           (list.search.empty() || std::ranges::any_of(searched, is_found));
  }
};

// Those that are taken, in the order of the list; the first `count_max` when nothing is asked.
std::vector<FoundItem> find_items(const ListItems& listed, const Judgement& judgement,
                                  std::size_t count_max) {
  const std::vector<std::string_view> fields = judgement.fields();
  const std::string& sort = judgement.list.sort;
  std::size_t left = judgement.is_none() ? std::min(count_max, listed.count) : listed.count;
  std::vector<FoundItem> found;
  for (std::uint64_t number = listed.last; left > 0; --number) {
    if (!listed.has(number)) continue;
    --left;
    const json::object item =
        fields.empty() ? json::object() : listed.describe(number, ItemFields(fields));
    if (judgement.takes(item)) found.push_back({number, field_of(item, sort)});
  }
  if (sort.empty()) return found;
  std::ranges::stable_sort(found, [&](const FoundItem& a, const FoundItem& b) {
    return judgement.list.descending ? comes_before(b.key, a.key) : comes_before(a.key, b.key);
  });
  return found;
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

Result<net::Response> list_answer(const Call& call, const ListItems& listed,
                                  std::span<const std::string_view> searched) {
  NETML_TRY(ListRequest list, read_list_request(call));
  std::uint64_t newest = listed.count == 0 ? 0 : listed.last;
  while (newest > 0 && !listed.has(newest)) --newest;
  const json::object first = newest == 0 ? json::object() : listed.describe(newest, {});
  if (!list.sort.empty() && newest != 0 && !first.contains(list.sort))
    return fail(Errc::invalid_input, "sort", "names no field of this list");
  if (listed.by_number && list.descending && list.sort == "number") list.sort.clear();
  const Judgement judgement{list, searched, filters_of(call, first)};
  const std::size_t end = list.first + list.limit;
  const std::vector<FoundItem> found = find_items(listed, judgement, end);
  json::array page;
  for (std::size_t i = list.first; i < std::min(found.size(), end); ++i)
    page.push_back(listed.describe(found[i].number, {}));
  const std::size_t total = judgement.is_none() ? listed.count : found.size();
  return json_answer(
      200, {{"items", std::move(page)}, {"next", next_cursor(list, total)}, {"total", total}});
}

Result<net::Response> list_answer(const Call& call, const std::vector<json::object>& items,
                                  std::span<const std::string_view> searched) {
  const auto has = [](std::uint64_t) { return true; };
  const auto describe = [&](std::uint64_t number, ItemFields fields) {
    for (const auto& field : items[items.size() - number])
      fields.add(field.key(), [&] { return field.value(); });
    return fields.take();
  };
  return list_answer(call, ListItems{items.size(), items.size(), has, describe}, searched);
}

}  // namespace netml::admin::web
