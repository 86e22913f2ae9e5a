// Record changes as the journal and checkpoints keep them: all fields of what is created or
// deleted, of what is updated only the fields that differ, before and after.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/graph/attributes.hpp"
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

// Adds what a payload says of numbers.
void read_numbers(schema::Effects::Reader in, std::vector<engine::Numbering>& numberings,
                  std::vector<engine::Renumbering>& renumberings);

// The texts of a change that have no place in a RecordPart: how many there are, and each into its
// place of `out` from `next` on. `record` is the place of the change in its payload.
unsigned count_texts(const engine::RecordChange& change);
void encode_texts(const engine::RecordChange& change, unsigned record,
                  ::capnp::List<schema::RecordText>::Builder out, unsigned& next);

// Errc::newer_version for a kind of a later version.
Result<Kind> decode_kind(schema::RecordKind kind);

// Bits of fields as engine::Field counts them.
using FieldBits = std::uint32_t;
// Which fields a part of an update speaks of. Errc::newer_version for one of a later version.
Result<FieldBits> read_field_bits(schema::RecordPart::Reader in);

// The texts of the records of a payload, record by record in their order.
class TextReader {
 public:
  struct Text {
    engine::Field field;
    std::string_view before;
    std::string_view after;
  };
  explicit TextReader(::capnp::List<schema::RecordText>::Reader in) : in_(in) {}
  // Those of the record at this place; valid until the next call, which is for a later one.
  // Errc::newer_version for a field that this program does not know.
  Result<std::span<const Text>> of(std::size_t record);
  // Errc::corruption when texts are left that belong to none of the records.
  Status finish() const;

 private:
  ::capnp::List<schema::RecordText>::Reader in_;
  unsigned next_ = 0;
  std::vector<Text> texts_;
};
using RecordTexts = std::span<const TextReader::Text>;

// Which of the two values that a change has.
enum class Side : std::uint8_t { before, after };
// What a part says of the attributes, whether it speaks of them or not. The texts lie in the
// message; `out.properties` is `properties`.
void read_all_attributes(schema::RecordPart::Reader in, RecordTexts texts, Side side,
                         engine::AttributeFields& out, std::vector<engine::Property>& properties);

// Keeps its buffers from one record to the next. Thread: its owner.
class RecordDecoder {
 public:
  // `graph` is the state that the change applies to. Errc::corruption when an update does not
  // find the values it is to replace.
  Result<engine::RecordChange> decode(schema::RecordChange::Reader in, RecordTexts texts,
                                      const engine::Graph& graph);

 private:
  Result<engine::Record> decode_whole(schema::RecordPart::Reader in, RecordTexts texts, Side side);
  Result<engine::Record> decode_update(const engine::Record& before,
                                       schema::RecordChange::Reader in, RecordTexts texts);
  Result<engine::AttributesPtr> update_attributes(const engine::Attributes& before,
                                                  schema::RecordPart::Reader in, RecordTexts texts,
                                                  Side side);
  Result<engine::RelationsPtr> update_relations(const engine::Relations& before,
                                                schema::RecordChange::Reader in);

  std::vector<engine::Property> properties_;
  std::vector<RecordId> topologies_;
  std::vector<RecordId> owners_;
  std::vector<RecordId> removed_;
};

}  // namespace netml::wal
