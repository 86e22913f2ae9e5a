#include "admin/history/detail/history_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admin/answers/json_answers.hpp"
#include "admin/history/history_tables.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {

namespace json = boost::json;

constexpr std::string_view kAbout = "part.json";
constexpr std::size_t kRowsAtOnce = 4096;  // in one step
// Without a byte to send: transactions without rows, or rows that a row group still holds.
constexpr int kStepsAtOnce = 1000;
constexpr std::size_t kPieceBytes = 64 << 10;
// Of four tables a row group each, once as it is filled and once as it is written.
constexpr std::uint64_t kTableBytes = 4 * 2 * codecs::ParquetWriter::kGroupBytes;

// Begins and ends versions as transactions come.
class VersionRows {
 public:
  VersionRows(HistoryTables& tables, std::size_t identities)
      : tables_(tables), begun_(identities) {}

  Status add(const engine::RecordChange& change, const HistoryPoint& point) {
    if (change.id.value >= begun_.size())
      return fail(Errc::corruption, fmt::format("LSN {}: the identity {} was never given",
                                                point.lsn.value, change.id.value));
    HistoryPoint& begun = begun_[change.id.value];
    if (change.before) NETML_TRY_VOID(end(change, begun, point));
    begun = change.after ? point : HistoryPoint{};
    return {};
  }

  // Those that go on, some at a time; false when there is no more.
  Result<bool> add_open(const engine::Graph& graph) {
    const std::size_t end = std::min(begun_.size(), next_open_ + kRowsAtOnce);
    for (; next_open_ < end && !tables_.has_made(); ++next_open_) {
      const HistoryPoint& begun = begun_[next_open_];
      if (begun.lsn.value == 0) continue;
      const RecordId id{static_cast<std::uint32_t>(next_open_)};
      const engine::Record record = graph.record(id);
      NETML_TRY_VOID(tables_.add(VersionRow{.id = id, .record = record, .from = begun}));
    }
    return next_open_ < begun_.size();
  }

 private:
  Status end(const engine::RecordChange& change, const HistoryPoint& begun,
             const HistoryPoint& point) {
    if (begun.lsn.value == 0) return tables_.add(EndRow{change.id, point});
    return tables_.add(VersionRow{change.id, change.before, begun, point});
  }

  HistoryTables& tables_;
  // By record, where its version began; LSN 0: it has none, or one that began before all this.
  std::vector<HistoryPoint> begun_;
  std::size_t next_open_ = 0;
};

class HistorySource final : public net::BodySource {
 public:
  HistorySource(HistoryReplay replay, const codecs::ParquetWriter::Notes& notes,
                MemoryReservation reservation)
      : reservation_(std::move(reservation)),
        next_(std::move(replay.next)),
        state_(std::move(replay.from)),
        last_(replay.last),
        tables_(notes),
        versions_(tables_, replay.identities) {
    json::object part;
    for (const auto& [name, value] : notes) part[name] = value;
    append(kAbout, json::serialize(part) + '\n');
  }

  Result<std::string_view> next() override {
    given_.clear();
    std::swap(given_, made_);
    for (int left = kStepsAtOnce; left > 0 && !done_ && given_.size() < kPieceBytes; --left) {
      const Status stepped = guarded([&] { return step(); });
      if (!stepped) {
        append("error", json::serialize(error_json(stepped.error(), {})));
        done_ = true;
      }
      given_ += std::exchange(made_, {});
    }
    // Nothing at all would be the end.
    if (given_.empty() && !done_) given_ = fmt::format("{} 0\n", kAbout);
    return std::string_view(given_);
  }

 private:
  // Some rows on.
  Status step() {
    if (!transaction_ && state_->lsn < last_) {
      NETML_TRY(transaction_, next_());
      change_ = 0;
      if (!transaction_ || transaction_->after->lsn > last_) return ended_early();
    }
    if (transaction_)
      NETML_TRY_VOID(add_changes());
    else
      NETML_TRY_VOID(add_last());
    tables_.take([this](std::string_view file, std::string_view bytes) { append(file, bytes); });
    return {};
  }

  Status ended_early() const {
    return fail(Errc::corruption,
                fmt::format("the journal was replayed to LSN {} and is to lead to LSN {}",
                            state_->lsn.value, last_.value));
  }
  // Until a table has made something, so that no table makes a second row group before it is taken.
  Status add_changes() {
    const engine::Transaction& transaction = transaction_->transaction;
    const HistoryPoint point{transaction_->after->lsn, transaction.provenance.effective_time};
    const std::size_t end = std::min(transaction.records.size(), change_ + kRowsAtOnce);
    while (change_ < end && !tables_.has_made()) {
      const engine::RecordChange& change = transaction.records[change_++];
      NETML_TRY_VOID(versions_.add(change, point));
      NETML_TRY_VOID(tables_.add(EffectRow{point.lsn, change_, transaction, change}));
    }
    return change_ < transaction.records.size() ? Status() : end_transaction(point);
  }
  Status end_transaction(const HistoryPoint& point) {
    for (const auto& change : transaction_->transaction.imports)
      if (change.after != nullptr)
        NETML_TRY_VOID(tables_.add(ImportRow{change.number, point, *change.after}));
    state_ = transaction_->after;
    transaction_.reset();
    return {};
  }
  Status add_last() {
    NETML_TRY(const bool more, versions_.add_open(state_->graph));
    if (more) return {};
    done_ = true;
    return tables_.finish();
  }
  void append(std::string_view file, std::string_view bytes) {
    made_ += fmt::format("{} {}\n", file, bytes.size());
    made_ += bytes;
  }

  const MemoryReservation reservation_;
  wal::NextTransaction next_;
  engine::StatePtr state_;  // after the last transaction that is done with
  const Lsn last_;
  HistoryTables tables_;
  VersionRows versions_;
  std::optional<wal::ReplayedTransaction> transaction_;  // whose rows are added
  std::size_t change_ = 0;                               // of it, to be added next
  std::string made_;
  std::string given_;  // what next() has returned
  bool done_ = false;
};

}  // namespace

std::uint64_t history_bytes(std::size_t identities) {
  return kTableBytes + identities * sizeof(HistoryPoint);
}

std::unique_ptr<net::BodySource> history_source(HistoryReplay replay,
                                                const codecs::ParquetWriter::Notes& notes,
                                                MemoryReservation reservation) {
  return std::make_unique<HistorySource>(std::move(replay), notes, std::move(reservation));
}

}  // namespace netml::admin
