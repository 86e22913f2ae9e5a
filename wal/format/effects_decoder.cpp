#include "wal/format/effects_decoder.hpp"

#include "wal/format/entry_codec.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

namespace {

template <class T, class List>
Status decode_list(List list, std::vector<engine::EntryChange<T>>& out) {
  for (const auto item : list) {
    NETML_TRY(engine::EntryChange<T> change, wal::decode(item));
    out.push_back(std::move(change));
  }
  return {};
}

}  // namespace

Status decode_entries(schema::Effects::Reader in, engine::Transaction& transaction) {
  NETML_TRY_VOID(decode_list(in.getTokens(), transaction.tokens));
  NETML_TRY_VOID(decode_list(in.getSettings(), transaction.settings));
  NETML_TRY_VOID(decode_list(in.getImports(), transaction.imports));
  NETML_TRY_VOID(decode_list(in.getPublished(), transaction.published));
  NETML_TRY_VOID(decode_list(in.getAccounts(), transaction.accounts));
  NETML_TRY_VOID(decode_list(in.getRulesets(), transaction.rulesets));
  NETML_TRY_VOID(decode_list(in.getRules(), transaction.rules));
  NETML_TRY_VOID(decode_list(in.getPlans(), transaction.plans));
  NETML_TRY_VOID(decode_list(in.getSources(), transaction.sources));
  NETML_TRY_VOID(decode_list(in.getPollBatches(), transaction.poll_batches));
  NETML_TRY_VOID(decode_list(in.getPollRecords(), transaction.poll_records));
  NETML_TRY_VOID(decode_list(in.getPeerStates(), transaction.peer_states));
  NETML_TRY_VOID(decode_list(in.getSessions(), transaction.sessions));
  NETML_TRY_VOID(decode_list(in.getOrigins(), transaction.origins));
  return decode_list(in.getIdentities(), transaction.identities);
}

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
    for (const auto item : in.getNumberings())
      transaction.numberings.push_back({RecordId{item.getId()}, RecordNumber{item.getNumber()}});
    for (const auto item : in.getRenumberings())
      transaction.renumberings.push_back(
          {RecordId{item.getTopology()}, RecordNumber{item.getFirst()}, item.getCount()});
    return decode_entries(in, transaction);
  });
}

}  // namespace netml::wal
