// Record changes as the journal and checkpoints keep them: all fields of what is created or
// deleted, of what is updated only the fields that differ, before and after.
#pragma once

#include "engine/graph/graph.hpp"
#include "engine/transaction/transaction.hpp"
#include "wal/format/message.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

// Upper bound of the words that encode() uses.
std::size_t encoded_words(const engine::RecordChange& change);
void encode(const engine::RecordChange& change, schema::RecordChange::Builder out);

std::size_t encoded_words(const engine::Numbering& numbering);
std::size_t encoded_words(const engine::Renumbering& renumbering);
void encode(const engine::Numbering& numbering, schema::Numbering::Builder out);
void encode(const engine::Renumbering& renumbering, schema::Renumbering::Builder out);

// Errc::newer_version for a kind of a later version.
Result<Kind> decode_kind(schema::RecordKind kind);
// What a part says of the attributes, whether it speaks of them or not. The texts lie in the
// message; `out.properties` is `properties`.
void read_all_attributes(schema::RecordPart::Reader in, engine::AttributeFields& out,
                         std::vector<engine::Property>& properties);

// Keeps its buffers from one record to the next. Thread: its owner.
class RecordDecoder {
 public:
  // `graph` is the state that the change applies to. Errc::corruption when an update does not
  // find the values it is to replace.
  Result<engine::RecordChange> decode(schema::RecordChange::Reader in, const engine::Graph& graph);

 private:
  Result<engine::Record> decode_whole(schema::RecordPart::Reader in);
  Result<engine::Record> decode_update(const engine::Record& before,
                                       schema::RecordChange::Reader in);
  Result<engine::AttributesPtr> update_attributes(const engine::Attributes& before,
                                                  schema::RecordPart::Reader in);
  Result<engine::RelationsPtr> update_relations(const engine::Relations& before,
                                                schema::RecordChange::Reader in);

  std::vector<engine::Property> properties_;
  std::vector<RecordId> topologies_;
  std::vector<RecordId> owners_;
  std::vector<RecordId> removed_;
};

}  // namespace netml::wal
