// What changed, in words that a person can compare: the fields of a record or of a catalog entry
// with their values before and after. Audits show these; nothing is computed from them.
//
// Thread: any (values and pure functions).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/graph/attributes.hpp"

namespace netml::engine {

// "short_name"; the associations of a topology are called parent and owner.
const char* field_name(Kind kind, Field field);

// Nothing; a text; a list of texts; records by identity, where their identifiers are not known.
using FieldValue =
    std::variant<std::monostate, std::string, std::vector<std::string>, std::vector<RecordId>>;

struct FieldChange {
  Field field = Field::main;
  FieldValue before;
  FieldValue after;
  bool operator==(const FieldChange&) const = default;
};

// The value of a field up to Field::properties; `fields.properties` must be filled. Nothing when
// the record says nothing there.
FieldValue attribute_value(const AttributeFields& fields, Field field);

struct EntryFieldChange {
  std::string field;
  FieldValue before;
  FieldValue after;
  bool secret = false;  // it changed; its values are not told (rule C5)
};

// The fields in which two entries differ; of one that is created or deleted (a null pointer on one
// side), all that it has.
std::vector<EntryFieldChange> compare_entries(const Token* before, const Token* after);
std::vector<EntryFieldChange> compare_entries(const Setting* before, const Setting* after);
std::vector<EntryFieldChange> compare_entries(const ImportRecord* before,
                                              const ImportRecord* after);
std::vector<EntryFieldChange> compare_entries(const PublishedItem* before,
                                              const PublishedItem* after);
std::vector<EntryFieldChange> compare_entries(const Account* before, const Account* after);
std::vector<EntryFieldChange> compare_entries(const Ruleset* before, const Ruleset* after);
std::vector<EntryFieldChange> compare_entries(const Rule* before, const Rule* after);
std::vector<EntryFieldChange> compare_entries(const KeptPlan* before, const KeptPlan* after);
std::vector<EntryFieldChange> compare_entries(const PollingSource* before,
                                              const PollingSource* after);
std::vector<EntryFieldChange> compare_entries(const PollBatch* before, const PollBatch* after);
std::vector<EntryFieldChange> compare_entries(const PollRecord* before, const PollRecord* after);
std::vector<EntryFieldChange> compare_entries(const PeerState* before, const PeerState* after);
std::vector<EntryFieldChange> compare_entries(const WebSession* before, const WebSession* after);
std::vector<EntryFieldChange> compare_entries(const AllowedOrigin* before,
                                              const AllowedOrigin* after);
std::vector<EntryFieldChange> compare_entries(const ExternalIdentity* before,
                                              const ExternalIdentity* after);

}  // namespace netml::engine
