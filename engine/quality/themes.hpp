// The themes of inspect() and of QualityMonitor, each in a file of its own: what is said of a
// record by itself, and of records that are looked at together.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/quality/geography.hpp"
#include "engine/quality/inspect.hpp"

namespace netml::engine {

// ---- of one record ----
void check_texts(const Inspection& map, RecordId id, const Report& report);
void check_properties(const Inspection& map, RecordId id, const Report& report);
void check_lifetime(const Inspection& map, RecordId id, const Report& report);
// These three, which ask nothing but the record.
void check_values(const Inspection& map, RecordId id, const Report& report);
void check_associations(const Inspection& map, RecordId id, const Report& report);
// Of a node or an institution: whether its place is one to compare others with.
bool check_place(const Inspection& map, RecordId id, const Report& report);
// Of a link. `is_doubtful`: whether something was said of the place of a node; what is said of
// places there would be said twice.
void check_link(const Inspection& map, RecordId id,
                const std::function<bool(RecordId)>& is_doubtful, const Report& report);

// ---- of several ----
// Nodes with one first owner, and places to compare.
struct Neighbourhood {
  std::vector<RecordId> nodes;  // ascending
  std::vector<Direction> directions;
};
void check_neighbourhood(const Graph& graph, const Neighbourhood& neighbourhood,
                         const Report& report);

// Each of these looks at the records that it is given, ascending, as if there were no others.
using Records = std::span<const RecordId>;
void check_names(const Graph& graph, Records records, const Report& report);
void check_circuits(const Graph& graph, Records records, const Report& report);
void check_half_links(const Graph& graph, Records records, const Report& report);

// What the record says for each of them, as numbers: those that have none of them in common with it
// change nothing of what is found of it, nor does what these have in common with others. Appended.
using Keys = std::vector<std::uint32_t>;
void add_name_keys(const Graph& graph, RecordId id, Keys& keys);
void add_circuit_keys(const Graph& graph, RecordId id, Keys& keys);
void add_port_keys(const Graph& graph, RecordId id, Keys& keys);

// Whether a text has marks of a wrong character set, of HTML, or characters that were lost.
bool is_garbled(std::string_view text);

}  // namespace netml::engine
