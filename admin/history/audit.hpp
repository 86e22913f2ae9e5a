// Questions about the past, answered as JSON documents (docs/audit.md; docs/api.md). Long
// answers are streams of one document a line; an error on the way is the last line, `{"error":
// ..}`.
//
// Thread: any. A stream is used by one thread at a time and must not outlive the node.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "admin/node/node.hpp"
#include "net/http/http.hpp"
#include "wal/history/journal_reader.hpp"

namespace netml::admin {

struct LogQuery {
  std::optional<std::string> since = {};  // WHEN
  std::optional<std::string> until = {};  // WHEN
  std::optional<std::string> after = {};  // an LSN: what came after it
  std::optional<std::string> actor = {};
  std::string text = {};  // part of the actor or the source, in any case
  std::optional<std::string> cause = {};
  std::optional<std::string> element = {};
  std::optional<std::string> topology = {};
  std::optional<std::uint64_t> limit = {};
  bool oldest_first = false;
};

class Audit {
 public:
  explicit Audit(Node& node) : node_(node) {}

  using Stream = std::unique_ptr<net::BodySource>;

  // What WHEN means: an LSN up to the head; 0 is the empty state. Errc::not_found,
  // Errc::invalid_input when it can mean nothing.
  Result<Lsn> resolve(std::string_view when);
  // The state at WHEN.
  Result<wal::PastState> state(std::string_view when);
  // The state before the first transaction that `log` would list since WHEN.
  Result<wal::PastState> state_before(std::string_view when);

  struct Log {
    Stream stream;
    std::string head;  // "LSN:hash": how far it looked
  };
  // A document for each transaction.
  Result<Log> log(const LogQuery& query);
  // Transactions themselves; all that the query finds, unless it has a limit.
  Result<std::vector<wal::HistoryEntry>> transactions(const LogQuery& query);
  // The transaction, then a document for each effect.
  Result<Stream> show(std::string_view when);
  // The record that has the number, or had it before it got another or was deleted.
  // Errc::not_found.
  Result<RecordId> record_numbered(RecordNumber number);
  // A document for each change of any record that ever carried the identifier ("#N": of the record
  // that has this number now), oldest first.
  Result<Stream> history(std::string_view element);
  // What it compares, then a document for each element that differs.
  Result<Stream> diff(std::string_view from, std::string_view to,
                      const std::optional<std::string>& topology);

  // Makes the data directory `into` as this one was at WHEN: the same journal up to there, and what
  // it names. Errc::conflict when there is something already.
  Result<wal::Head> replay(std::string_view until, const std::string& into,
                           const ReportWork& report = {});

 private:
  Result<std::vector<RecordId>> records(wal::JournalReader& reader, std::string_view element);
  Result<wal::HistoryQuery> history_query(wal::JournalReader& reader, const LogQuery& query);

  Node& node_;
};

}  // namespace netml::admin
