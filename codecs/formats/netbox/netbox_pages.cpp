#include "codecs/formats/netbox/netbox_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace netml::codecs::netbox {

namespace {

constexpr std::array kEndpoints{
    Endpoint{"dcim/regions/", "dcim.region", "id,name,parent"},
    Endpoint{"dcim/sites/", "dcim.site"},
    Endpoint{"dcim/locations/", "dcim.location", "id,site", "id,site,name,tenant"},
    Endpoint{"tenancy/tenants/", "tenancy.tenant"},
    Endpoint{"circuits/providers/", "circuits.provider"},
    Endpoint{"circuits/circuits/", "circuits.circuit"},
    Endpoint{"circuits/circuit-terminations/", "circuits.circuittermination"},
    Endpoint{"dcim/devices/", "dcim.device", "id,site,location", "id,site,location,name,tenant"},
    Endpoint{"dcim/interfaces/", "dcim.interface", "id,device"},
    Endpoint{"dcim/front-ports/", "dcim.frontport", "id,rear_port,rear_port_position"},
    Endpoint{"dcim/rear-ports/", "dcim.rearport", "id,positions"},
    Endpoint{"dcim/cables/", "dcim.cable", "id,a_terminations,b_terminations"},
};

tl::unexpected<engine::InputError> refused(std::string_view message, std::string pointer = {}) {
  engine::InputError error{"no-page", fmt::format("Error: {}", message)};
  error.pointer = std::move(pointer);
  return tl::unexpected(std::move(error));
}

// What all pages have. `take` is given each record, and says what is wrong with it.
template <class Take>
PageResult read_page(std::string_view bytes, const ReadLimits& limits, Take&& take) {
  auto tree = JsonTree::parse(bytes, limits);
  if (!tree) return tl::unexpected(std::move(tree).error());
  const JsonValue root = tree->root();
  const JsonValue results = root["results"];
  const JsonValue next = root["next"];
  if (!results.is_array()) return refused("a page has a list of results");
  Page page;
  const std::string_view count = root["count"].text();
  const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), page.count);
  if (error != std::errc() || end != count.data() + count.size())
    return refused("a page has the count of all records", "/count");
  if (next.is_string()) page.next = next.text();
  for (const JsonValue record : results.items()) {
    const std::string_view problem = record.is_object() ? take(record) : "it is no object";
    if (!problem.empty())
      return refused(fmt::format("a record is not as it must be: {}", problem),
                     tree->pointer(record.position()));
    ++page.records;
  }
  return page;
}

}  // namespace

std::vector<Endpoint> endpoints(const Mapping& mapping) {
  std::vector<Endpoint> needed(kEndpoints.begin(), kEndpoints.end());
  std::erase_if(needed, [&](const Endpoint& endpoint) {
    return sort_of(endpoint.model) == Sort::region && !is_named(mapping, Sort::region);
  });
  for (Endpoint& endpoint : needed)
    if (!endpoint.named_fields.empty() && is_named(mapping, sort_of(endpoint.model)))
      endpoint.fields = endpoint.named_fields;
  return needed;
}

PageResult PageReader::add(std::string_view model, std::string_view bytes,
                           const ReadLimits& limits) {
  const Sort sort = sort_of(model);
  return read_page(bytes, limits,
                   [&](JsonValue record) { return add_record(model, sort, record); });
}

PageResult PageReader::read_ids(std::string_view bytes, const ReadLimits& limits,
                                std::vector<Id>& ids) {
  return read_page(bytes, limits, [&](JsonValue record) -> std::string_view {
    ids.push_back(id_of(record));
    return ids.back() == kNoId ? "it has no number" : "";
  });
}

std::string_view PageReader::add_record(std::string_view model, Sort sort, JsonValue record) {
  Named named;
  if (is_named(mapping_, sort))
    for (const auto& [name, value] : record.members())
      add_field(model, name == "id" ? "@pk" : name, value, named);
  const Id id = id_of(record);
  if (sort == Sort::cable) return add_cable(id, record);
  return netbox::add_record(sort, id, record, std::move(named), tables_);
}

void PageReader::add_field(std::string_view model, std::string_view name, JsonValue value,
                           Named& named) {
  const bool is_beside = name.starts_with('@');
  const FoundRule& rule =
      rules_.find(is_beside ? std::string(model) : fmt::format("{}.", model), name);
  if (!is_named(mapping_, rule)) return;
  const bool is_reference = value.is_object() && value["value"].is_absent();
  named.fields.push_back({&rule, std::string(is_reference ? value["id"].text() : word_of(value))});
  named_bytes_ += sizeof(NamedField) + named.fields.back().value.capacity();
}

tl::expected<void, engine::InputError> PageReader::resume(std::string_view dump,
                                                          const ReadLimits& limits) {
  auto tree = JsonTree::parse(dump, limits);
  if (!tree) return tl::unexpected(std::move(tree).error());
  for (const JsonValue record : tree->root().items()) {
    const std::string_view model = record["model"].text();
    const Sort sort = sort_of(model);
    const JsonValue fields = record["fields"];
    Named named;
    if (is_named(mapping_, sort)) {
      add_field(model, "@pk", record["pk"], named);
      for (const auto& [name, value] : fields.members()) add_field(model, name, value, named);
    }
    const std::string_view problem =
        netbox::add_record(sort, id_of(record["pk"]), fields, std::move(named), tables_);
    if (!problem.empty()) return refused(problem, tree->pointer(record.position()));
  }
  seal();
  return {};
}

void PageReader::keep_only(std::string_view model, std::vector<Id> ids) {
  std::ranges::sort(ids);
  with_table(sort_of(model), tables_, [&](auto& table) { table.keep_only(ids); });
}

std::size_t PageReader::count(std::string_view model) const {
  std::size_t count = 0;
  with_table(sort_of(model), tables_, [&](const auto& table) { count = table.size(); });
  return count;
}

std::size_t PageReader::memory_bytes() const {
  return tables_.bytes() + named_bytes_ + new_ends_.capacity() * sizeof(NewEnd) +
         times_.size() * sizeof(std::pair<Id, std::uint32_t>);
}

// The ends that a cable had go when it comes again.
std::string_view PageReader::add_cable(Id cable, JsonValue record) {
  std::vector<CableTermination>& ends = tables_.cable_terminations;
  const auto had = static_cast<std::ptrdiff_t>(ends.size());
  const std::string_view problem = netbox::add_record(Sort::cable, cable, record, {}, tables_);
  const std::uint32_t time = ++times_[cable];
  for (auto end = ends.begin() + had; end != ends.end(); ++end) new_ends_.push_back({*end, time});
  ends.erase(ends.begin() + had, ends.end());
  return problem;
}

const Tables& PageReader::seal() {
  tables_.seal();
  std::vector<CableTermination>& ends = tables_.cable_terminations;
  std::erase_if(ends, [&](const CableTermination& end) { return times_.contains(end.cable); });
  for (const NewEnd& each : new_ends_)
    if (times_[each.end.cable] == each.time) ends.push_back(each.end);
  new_ends_.clear();
  times_.clear();
  std::erase_if(
      ends, [&](const CableTermination& end) { return tables_.cables.find(end.cable) == nullptr; });
  std::ranges::sort(ends);
  return tables_;
}

}  // namespace netml::codecs::netbox
