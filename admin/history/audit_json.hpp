// The documents that audits answer with (docs/api.md), and the stream that carries them.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "admin/base/page.hpp"
#include "engine/transaction/difference.hpp"
#include "net/http/http.hpp"
#include "wal/history/journal_reader.hpp"

namespace netml::admin {

// The next document; nothing at the end.
using NextDocument = std::function<Result<std::optional<boost::json::object>>()>;

// One document a line, as they are made. An error is the last line. Sent in large pieces, or each
// document by itself, for whoever watches them come.
enum class DocumentPieces : std::uint8_t { large, single };
std::unique_ptr<net::BodySource> document_stream(NextDocument next,
                                                 DocumentPieces pieces = DocumentPieces::large);
net::Response document_answer(std::unique_ptr<net::BodySource> documents);

// What records are called: as now where they still exist, else as they were last.
class RecordNames {
 public:
  RecordNames(wal::JournalReader& reader, engine::StatePtr now)
      : reader_(reader), now_(std::move(now)) {}

  // From effects that were read anyway.
  void learn(const wal::RecordEffect& effect);
  std::string name(RecordId record);

 private:
  wal::JournalReader& reader_;
  engine::StatePtr now_;
  std::map<RecordId, std::string> known_;
};

// Empty for one of a later version.
const char* actor_kind_name(engine::ActorKind kind);
const char* action_name(wal::EffectAction action);
std::optional<wal::EffectAction> parse_action(std::string_view name);
// What happens to an element that is in one of two graphs, or in both.
wal::EffectAction action_between(RecordId before, RecordId after);

boost::json::object entry_json(const wal::HistoryEntry& entry);
boost::json::object effect_json(const wal::RecordEffect& effect, RecordNames& names);
boost::json::object effect_json(const wal::EntryEffect& effect);
boost::json::object difference_json(const engine::ElementDifference& element);
boost::json::object counts_json(const engine::Difference& difference);  // by kind
// Sets `created`, `updated` and `deleted`: of the elements that differ.
void set_counts(boost::json::object& object, const engine::Difference& difference);

// `head` with `created`, `updated` and `deleted` of the difference, then a document for each
// element of the page. `held`, which holds the memory of the two graphs, lives as long as the
// stream.
std::unique_ptr<net::BodySource> difference_stream(engine::Difference difference,
                                                   boost::json::object head,
                                                   std::shared_ptr<const void> held,
                                                   const Page& page = {});

}  // namespace netml::admin
