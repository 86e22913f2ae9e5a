#include "wal/history/past_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/base/pipeline.hpp"
#include "wal/checkpoint/checkpoint.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/packed_payload.hpp"
#include "wal/journal/archive.hpp"
#include "wal/journal/journal_walk.hpp"
#include "wal/journal/replay.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

namespace {

Status check_reached(const JournalView& view, Lsn lsn) {
  if (lsn <= view.head.lsn) return {};
  return fail(Errc::not_found, fmt::format("there is no LSN {} yet: the journal ends at LSN {}",
                                           lsn.value, view.head.lsn.value));
}

// The newest usable checkpoint up to `lsn`, else the empty state. One that cannot be read is passed
// over: the journal says the same.
Result<PastState> nearest_checkpoint(Storage& data, const JournalView& view, Lsn lsn,
                                     Parallel& parallel, const TakeMemory& take) {
  const NodeUuid& node = view.node;
  std::vector<CheckpointEntry> entries = view.checkpoints;
  std::ranges::sort(entries, std::ranges::greater(), &CheckpointEntry::lsn);
  if (!entries.empty()) {
    NETML_TRY(const auto directory, data.open_directory(kCheckpointDirectory));
    for (const CheckpointEntry& entry : entries) {
      if (entry.lsn > lsn) continue;
      if (take) NETML_TRY_VOID(take(entry.bytes()));
      auto read =
          read_checkpoint(*directory, node, {entry.lsn, entry.graph, entry.catalog}, parallel);
      if (read) return PastState{std::move(read->state), read->head};
    }
  }
  return PastState{std::make_shared<const engine::State>(), {Lsn{}, Chain::origin(node)}};
}

// What a replay takes: the graph that it has come to, and the transaction that it reads.
class ReplayMemory {
 public:
  explicit ReplayMemory(const TakeMemory& take) : take_(take) {}

  Status take_for(const Frame& next, const Replay& replay) {
    if (!take_) return {};
    measure(replay.state()->graph);
    return take_(graph_bytes_ + replay.open_content_bytes() +
                 content_bytes(next.header, next.payload));
  }

 private:
  // Once it has grown by a part: it visits all records.
  void measure(const engine::Graph& graph) {
    constexpr std::size_t kMeasuredAgain = 16;
    if (graph.size() <= graph_size_ + graph_size_ / kMeasuredAgain) return;
    graph_size_ = graph.size();
    graph_bytes_ = graph.memory_bytes();
  }

  const TakeMemory& take_;
  std::size_t graph_size_ = 0;  // when it was measured
  std::uint64_t graph_bytes_ = 0;
};

// Replays the journal from one state to another.
class Course {
 public:
  Course(const PastState& from, Lsn last, ReplayObserver observer, const TakeMemory& take,
         const ReportWork& report)
      : from_(from),
        last_(last),
        replay_(from.state, std::move(observer)),
        memory_(take),
        report_(report),
        head_(from.head) {}

  Status follow(JournalWalk& walk, Parallel& parallel) {
    const auto next = [&]() -> Result<std::optional<WalkStep>> {
      if (walk.position() >= Position::after(last_)) return std::nullopt;
      return walk.next_unpacked(from_.head.lsn);
    };
    NETML_TRY_VOID(
        run_pipeline<WalkStep>(parallel, next, [&](const WalkStep& step) { return take(step); }));
    return check_end(walk);
  }
  // One frame on; false behind the last transaction.
  Result<bool> advance(JournalWalk& walk) {
    if (walk.position() >= Position::after(last_)) return false;
    NETML_TRY(const std::optional<WalkStep> step, walk.next_unpacked(from_.head.lsn));
    if (step) NETML_TRY_VOID(take(*step));
    if (!step) NETML_TRY_VOID(check_end(walk));
    return step.has_value();
  }
  PastState result() const { return {replay_.state(), head_}; }

 private:
  Status check_end(const JournalWalk& walk) const {
    if (head_.lsn >= last_) return {};
    return damage(walk.segment(), walk.end().offset, walk.position().lsn, walk.end().reason);
  }
  Status take(const WalkStep& step) {
    const Lsn lsn = step.frame.header.position.lsn;
    const bool closing = step.position.ordinal == 0;
    if (lsn <= from_.head.lsn) {
      if (lsn < from_.head.lsn || !closing || step.chain == from_.head.chain) return {};
      return broken(step, "the checkpoint there has another chain of hashes");
    }
    NETML_TRY_VOID(memory_.take_for(step.frame, replay_));
    if (const Status added = replay_.add(step.frame, step.content()); !added)
      return misfit(*step.segment, step.frame.offset, lsn, added.error());
    if (closing) reach({lsn, step.chain});
    return {};
  }
  void reach(const Head& head) {
    head_ = head;
    if (!report_) return;
    const std::uint64_t first = from_.head.lsn.value;
    report_({.part = "state",
             .unit = WorkUnit::transactions,
             .done = head.lsn.value - first,
             .total = last_.value - first});
  }
  static Status broken(const WalkStep& step, std::string_view reason) {
    return damage(*step.segment, step.frame.offset, step.frame.header.position.lsn, reason);
  }

  const PastState& from_;
  const Lsn last_;
  Replay replay_;
  ReplayMemory memory_;
  const ReportWork& report_;
  Head head_;
};

// Without the segments that begin above the head, which may be coming into being.
Result<std::vector<SegmentHeader>> segments_between(Storage& journal, const JournalView& view,
                                                    const PastState& from) {
  NETML_TRY(std::vector<SegmentHeader> all, list_segments(journal, view.node));
  std::erase_if(all, [&](const SegmentHeader& header) { return header.first.lsn > view.head.lsn; });
  std::vector<SegmentHeader> segments = segments_after(all, from.head.lsn);
  const Position start{from.head.lsn.next(), 0};
  if (segments.empty() || segments.front().first > start)
    return fail(Errc::not_found, fmt::format("{}: the journal after LSN {} is not there any more",
                                             journal.path(), from.head.lsn.value));
  const SegmentHeader& first = segments.front();
  if (first.first == start && first.previous_chain != from.head.chain)
    return fail(Errc::corruption,
                fmt::format("{}/{}: offset 0: does not continue the state at LSN {}",
                            journal.path(), segment_name(first), from.head.lsn.value));
  return segments;
}

Status check_committed(const PastState& past, Lsn lsn) {
  if (past.state->lsn == lsn) return {};
  return fail(Errc::not_found,
              fmt::format("LSN {} was aborted and left no state; the one before is LSN {}",
                          lsn.value, past.state->lsn.value));
}

// A replay that stops after each transaction.
class SteppingReplay {
 public:
  SteppingReplay(std::unique_ptr<Storage> journal, const NodeUuid& node,
                 std::vector<SegmentHeader> segments, const PastState& from, Lsn last,
                 TakeMemory take)
      : journal_(std::move(journal)),
        walk_(*journal_, node, std::move(segments), LastSegment::by_pieces),
        from_(from),
        take_(std::move(take)),
        course_(from_, last, observer(), take_, unreported_) {}

  Result<std::optional<ReplayedTransaction>> next() {
    bool more = true;
    while (more && !found_) {
      NETML_TRY(more, course_.advance(walk_));
    }
    return std::exchange(found_, std::nullopt);
  }

 private:
  ReplayObserver observer() {
    return [this](const engine::Transaction& transaction, const engine::StatePtr& before,
                  const engine::StatePtr& after) {
      found_ = ReplayedTransaction{transaction, before, after};
    };
  }

  const std::unique_ptr<Storage> journal_;
  JournalWalk walk_;
  const PastState from_;
  const TakeMemory take_;
  const ReportWork unreported_;
  Course course_;
  std::optional<ReplayedTransaction> found_;
};

Result<PastState> replay(Storage& data, const JournalView& view, const PastState& from, Lsn last,
                         Parallel& parallel, ReplayObserver observer, const TakeMemory& take,
                         const ReportWork& report) {
  NETML_TRY_VOID(check_reached(view, last));
  if (last <= from.head.lsn) return from;
  NETML_TRY(const auto journal, open_whole_journal(data));
  NETML_TRY(std::vector<SegmentHeader> segments, segments_between(*journal, view, from));
  std::erase_if(segments, [&](const SegmentHeader& header) { return header.first.lsn > last; });
  JournalWalk walk(*journal, view.node, std::move(segments), LastSegment::by_pieces);
  Course course(from, last, std::move(observer), take, report);
  NETML_TRY_VOID(course.follow(walk, parallel));
  return course.result();
}

}  // namespace

Result<PastState> replay_from(Storage& data, const JournalView& view, const PastState& from,
                              Lsn last, Parallel& parallel,
                              const std::function<void(const PastTransaction&)>& visit) {
  ReplayObserver observer;
  if (visit)
    observer = [&](const engine::Transaction& transaction, const engine::StatePtr& before,
                   const engine::StatePtr& after) {
      visit(PastTransaction{transaction, before, after});
    };
  return replay(data, view, from, last, parallel, std::move(observer), {}, {});
}

Result<NextTransaction> transactions_after(Storage& data, const JournalView& view,
                                           const PastState& from, TakeMemory take) {
  const Lsn last = view.head.lsn;
  if (last <= from.head.lsn)
    return [] { return Result<std::optional<ReplayedTransaction>>(std::nullopt); };
  NETML_TRY(std::unique_ptr<Storage> journal, open_whole_journal(data));
  NETML_TRY(std::vector<SegmentHeader> segments, segments_between(*journal, view, from));
  const auto stepping = std::make_shared<SteppingReplay>(
      std::move(journal), view.node, std::move(segments), from, last, std::move(take));
  return [stepping] { return stepping->next(); };
}

Result<PastState> state_at(Storage& data, const JournalView& view, Lsn lsn, Parallel& parallel,
                           const TakeMemory& take, const ReportWork& report) {
  NETML_TRY_VOID(check_reached(view, lsn));
  NETML_TRY(PastState past, nearest_checkpoint(data, view, lsn, parallel, take));
  NETML_TRY(past, replay(data, view, past, lsn, parallel, {}, take, report));
  NETML_TRY_VOID(check_committed(past, lsn));
  return past;
}

}  // namespace netml::wal
