#include "admin/api/site/sections/record_order.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/lower_case.hpp"

namespace netml::admin::web {

using engine::Attributes;
using engine::Graph;

namespace {

struct SortKey {
  std::string text;
  std::int64_t number = 0;
  auto operator<=>(const SortKey&) const = default;
};

// The key of a record, in place of the one before: its room is used again.
using ReadKey = std::function<void(RecordId id, SortKey& key)>;

// `text` of the attributes, without regard to case.
template <class Text>
ReadKey by_text(const Graph& graph, Text text) {
  return [&graph, text](RecordId id, SortKey& key) {
    key.text.clear();
    engine::append_lower_case(key.text, text(graph.attributes(id)));
  };
}

Result<ReadKey> read_key(const Graph& graph, std::string_view field) {
  if (field.empty() || field == "id")
    return by_text(graph, [](const Attributes& attributes) { return attributes.id(); });
  if (field == "name")
    return by_text(graph, [](const Attributes& attributes) { return attributes.name(); });
  if (field == "short_name")
    return by_text(graph, [](const Attributes& attributes) { return attributes.short_name(); });
  if (field == "version")
    return ReadKey([&graph](RecordId id, SortKey& key) {
      key.number = graph.attributes(id).version().value_or(Instant()).seconds;
    });
  if (field == "number")
    return ReadKey([&graph](RecordId id, SortKey& key) {
      key.number = static_cast<std::int64_t>(graph.number(id).value);
    });
  std::optional<ReadKey> further;
  engine::for_each_further_text([&](const auto& text) {
    if (field == text.name)
      further = by_text(graph, [member = text.member](const Attributes& attributes) {
        return attributes.fields().*member;
      });
  });
  if (further) return *std::move(further);
  return fail(Errc::invalid_input, "sort", "is id, name, short_name, version or number");
}

}  // namespace

Status sort_page(const Graph& graph, const ListRequest& list, std::vector<RecordId>& records) {
  NETML_TRY(const ReadKey read, read_key(graph, list.sort));
  struct Keyed {
    SortKey key;
    RecordId id;
  };
  const auto before = [&](const Keyed& a, const Keyed& b) {
    if (a.key != b.key) return list.descending ? b.key < a.key : a.key < b.key;
    return a.id < b.id;
  };
  const std::size_t end = std::min(records.size(), list.first + list.limit);
  std::vector<Keyed> first;  // of those seen; a heap, the last of them on top
  first.reserve(end);
  Keyed next;
  for (const RecordId id : records) {
    next.id = id;
    read(id, next.key);
    if (first.size() < end) {
      first.push_back(next);
    } else if (before(next, first.front())) {
      std::ranges::pop_heap(first, before);
      std::swap(first.back(), next);
    } else {
      continue;
    }
    std::ranges::push_heap(first, before);
  }
  std::ranges::sort_heap(first, before);
  std::ranges::transform(first, records.begin(), &Keyed::id);
  return {};
}

}  // namespace netml::admin::web
