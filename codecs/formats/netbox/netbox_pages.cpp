#include "codecs/formats/netbox/netbox_pages.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

namespace netml::codecs::netbox {

namespace {

constexpr std::array kEndpoints{
    Endpoint{"dcim/sites/", "dcim.site"},
    Endpoint{"dcim/locations/", "dcim.location"},
    Endpoint{"tenancy/tenants/", "tenancy.tenant"},
    Endpoint{"circuits/providers/", "circuits.provider"},
    Endpoint{"circuits/circuits/", "circuits.circuit"},
    Endpoint{"circuits/circuit-terminations/", "circuits.circuittermination"},
    Endpoint{"dcim/devices/", "dcim.device"},
    Endpoint{"dcim/interfaces/", "dcim.interface"},
    Endpoint{"dcim/front-ports/", "dcim.frontport"},
    Endpoint{"dcim/rear-ports/", "dcim.rearport"},
    Endpoint{"dcim/cables/", "dcim.cable"},
};

tl::unexpected<engine::InputError> refused(std::string_view message, std::string pointer = {}) {
  engine::InputError error{"no-page", fmt::format("Error: {}", message)};
  error.pointer = std::move(pointer);
  return tl::unexpected(std::move(error));
}

}  // namespace

std::span<const Endpoint> endpoints() {
  return kEndpoints;
}

tl::expected<Page, engine::InputError> PageReader::add(std::string_view model,
                                                       std::string_view bytes,
                                                       const ReadLimits& limits) {
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
  const Sort sort = sort_of(model);
  for (const JsonValue record : results.items()) {
    const std::string_view problem = add_record(model, sort, record);
    if (!problem.empty())
      return refused(fmt::format("a {} is not as it must be: {}", model, problem),
                     tree->pointer(record.position()));
    ++page.records;
  }
  return page;
}

std::string_view PageReader::add_record(std::string_view model, Sort sort, JsonValue record) {
  if (!record.is_object()) return "it is no object";
  Named named;
  if (is_named(sort)) {
    const std::string owner = fmt::format("{}.", model);
    for (const JsonMember& member : record.members()) {
      const bool is_id = member.name == "id";
      const FoundRule& rule = is_id ? rules_.find(model, "@pk") : rules_.find(owner, member.name);
      if (!rule.own_row) continue;
      const bool is_reference = member.value.is_object() && member.value["value"].is_absent();
      named.fields.push_back(
          {&rule, std::string(is_reference ? member.value["id"].text() : word_of(member.value))});
    }
  }
  return netbox::add_record(sort, id_of(record["id"]), record, std::move(named), tables_);
}

const Tables& PageReader::seal() {
  tables_.seal();
  return tables_;
}

}  // namespace netml::codecs::netbox
