#include "wal/format/effects_decoder.hpp"

#include "wal/format/entry_codec.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

Status EffectsDecoder::decode(std::span<const std::byte> payload, const engine::Graph& graph,
                              engine::Transaction& transaction) {
  return read_message<schema::Effects>(payload, [&](schema::Effects::Reader in) -> Status {
    TextReader texts(in.getTexts());
    for (std::size_t place = 0; const auto record : in.getRecords()) {
      NETML_TRY(const RecordTexts of_record, texts.of(place++));
      NETML_TRY(engine::RecordChange change, records_.decode(record, of_record, graph));
      transaction.records.push_back(std::move(change));
    }
    NETML_TRY_VOID(texts.finish());
    read_numbers(in, transaction.numberings, transaction.renumberings);
    return decode_entries(in, transaction);
  });
}

}  // namespace netml::wal
