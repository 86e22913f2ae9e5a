// Records as the network topology endpoints show them (http-api.md, section 12).
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "engine/state.hpp"

namespace netml::admin::functional {

// "45.500000"
std::string decimal_text(engine::Micro value);
// "2024-03-01T12:00:00Z"
std::string instant_text(Instant instant);

boost::json::object record_json(const engine::State& state, RecordId id);

// ---- properties ----

// Properties have no identity of their own: their key is made of their record's and their place.
struct PropertyKey {
  RecordId record;
  std::size_t index = 0;

  static constexpr unsigned kIndexBits = 20;  // keys stay exact in JSON
  static PropertyKey of(std::uint64_t key) {
    return {RecordId{static_cast<std::uint32_t>(key >> kIndexBits)},
            key & ((std::uint64_t{1} << kIndexBits) - 1)};
  }
  std::uint64_t value() const { return std::uint64_t{record.value} << kIndexBits | index; }
};
boost::json::object property_json(const PropertyKey& key, const engine::Property& property);
// Nothing when there is no such property (any more).
std::optional<engine::Property> find_property(const engine::Graph& graph, const PropertyKey& key);

}  // namespace netml::admin::functional
