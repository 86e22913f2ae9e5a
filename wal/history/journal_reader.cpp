#include "wal/history/journal_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "engine/base/lower_case.hpp"
#include "engine/base/utf8.hpp"
#include "wal/format/commit_codec.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/history/detail/effects_reader.hpp"
#include "wal/journal/archive.hpp"
#include "wal/journal/segment.hpp"

namespace netml::wal {

namespace {

Result<HistoryEntry> entry_of(const Frame& frame) {
  HistoryEntry entry;
  entry.lsn = frame.header.position.lsn;
  entry.chain = frame.hash;
  entry.committed = frame.header.is(format::FrameKind::commit);
  if (!entry.committed) {
    NETML_TRY(Abort abort, decode_abort(frame.payload));
    entry.abort_reason = std::move(abort.reason);
    return entry;
  }
  NETML_TRY(Commit commit, decode_commit(frame.payload));
  entry.provenance = std::move(commit.provenance);
  entry.counts = commit.counts;
  entry.next_number = commit.next_number;
  entry.digest = commit.digest;
  return entry;
}

using engine::Field;
using engine::FieldChange;
using engine::FieldValue;

bool matches(const HistoryQuery& query, const HistoryEntry& entry) {
  if (query.actor && (!entry.committed || entry.provenance.actor != *query.actor)) return false;
  const auto holds_text = [&](std::string_view reported) {
    return is_utf8(reported) && engine::holds(reported, query.text);
  };
  if (!query.text.empty() && !holds_text(entry.provenance.actor) &&
      !holds_text(entry.provenance.source))
    return false;
  return !query.cause || (entry.committed && entry.provenance.cause == *query.cause);
}

bool concerns_something(const HistoryQuery& query) {
  return !query.records.empty() || !query.topologies.empty();
}

// The transaction that a frame belongs to.
Lsn lsn_of(const SegmentIndex& index, std::uint32_t frame) {
  const auto closed =
      std::ranges::lower_bound(index.transactions, frame, {}, &TransactionPlace::close);
  return Lsn{index.first_lsn.value +
             static_cast<std::uint64_t>(closed - index.transactions.begin())};
}

void add_frames(const std::vector<NumberPlace>& places, std::uint32_t number,
                std::set<std::uint32_t>& frames) {
  const auto found = std::ranges::equal_range(places, number, {}, &NumberPlace::number);
  for (const NumberPlace& place : found) frames.insert(place.frame);
}

// Those that change what belonged to the topologies then.
void add_frames(const SegmentIndex& index, const Memberships& members,
                std::set<std::uint32_t>& frames) {
  for (const NumberPlace& place : index.records)
    if (members.held(RecordId{place.number}, lsn_of(index, place.frame)))
      frames.insert(place.frame);
}

std::set<std::uint32_t> frames_of(const SegmentIndex& index, const HistoryQuery& query,
                                  const Memberships* members) {
  std::set<std::uint32_t> frames;
  for (const RecordId record : query.records) add_frames(index.records, record.value, frames);
  for (const RecordId topology : query.topologies)
    add_frames(index.topologies, topology.value, frames);
  if (members != nullptr) add_frames(index, *members, frames);
  return frames;
}

std::vector<Lsn> lsns_of(const SegmentIndex& index, const HistoryQuery& query,
                         const Memberships* members) {
  std::vector<Lsn> lsns;
  for (const std::uint32_t frame : frames_of(index, query, members)) {
    const Lsn lsn = lsn_of(index, frame);
    if (lsns.empty() || lsns.back() != lsn) lsns.push_back(lsn);
  }
  return lsns;
}

bool writes_import(const JournalEffects& effects, std::uint32_t number) {
  return std::ranges::any_of(effects.entries, [&](const EntryEffect& effect) {
    return effect.entry == std::string_view("import record") && effect.number == number &&
           effect.action != EffectAction::deleted;
  });
}

const FieldChange* identifier_in(const RecordEffect& effect) {
  const auto found = std::ranges::find(effect.fields, Field::id, &FieldChange::field);
  return found == effect.fields.end() ? nullptr : &*found;
}

bool carries(const RecordEffect& effect, std::string_view identifier) {
  const FieldChange* change = identifier_in(effect);
  if (change == nullptr) return false;
  const FieldValue wanted = std::string(identifier);
  return change->before == wanted || change->after == wanted;
}

}  // namespace

// Segments that begin above the head may be coming into being.
Result<JournalReader> JournalReader::open(Storage& data, const JournalView& view,
                                          JournalIndex& index) {
  JournalReader reader(view.head, index);
  NETML_TRY(reader.journal_, open_whole_journal(data));
  NETML_TRY(reader.segments_, list_segments(*reader.journal_, view.node));
  std::erase_if(reader.segments_,
                [&](const SegmentHeader& header) { return header.first.lsn > view.head.lsn; });
  return reader;
}

Status JournalReader::check(Lsn lsn) const {
  if (lsn.value == 0 || lsn > head())
    return fail(Errc::not_found, fmt::format("there is no LSN {}: the journal goes from 1 to {}",
                                             lsn.value, head().value));
  if (segments_.empty() || segments_.front().first > Position{lsn, 0})
    return fail(Errc::not_found, fmt::format("{}: LSN {} lies before the first segment",
                                             journal_->path(), lsn.value));
  return {};
}

JournalIndex::Wanted JournalReader::wanted(std::size_t segment) const {
  const bool last = segment + 1 == segments_.size();
  if (last) return {segments_[segment], Position::after(head()), std::nullopt};
  const SegmentHeader& next = segments_[segment + 1];
  return {segments_[segment], next.first, next.previous_chain};
}

// The last segment that begins with this transaction or an earlier one: the next begins after it.
std::size_t JournalReader::closing_segment(Lsn lsn) const {
  const auto after = std::ranges::upper_bound(
      segments_, lsn, {}, [](const SegmentHeader& header) { return header.first.lsn; });
  return static_cast<std::size_t>(after - segments_.begin()) - 1;
}

Result<FrameFile*> JournalReader::file_of(std::size_t segment) {
  if (!file_ || file_segment_ != segment) {
    NETML_TRY(FrameFile file, FrameFile::open(*journal_, segments_[segment]));
    file_ = std::move(file);
    file_segment_ = segment;
  }
  return &*file_;
}

Result<Frame> JournalReader::frame(std::size_t segment, std::uint64_t offset, Lsn lsn) {
  NETML_TRY(FrameFile* const file, file_of(segment));
  return file->frame(offset, lsn);
}

Result<Frame> JournalReader::closing_frame(Lsn lsn) {
  NETML_TRY_VOID(check(lsn));
  const std::size_t segment = closing_segment(lsn);
  NETML_TRY(const IndexPtr index, places(segment));
  NETML_ASSERT(index->closes(lsn));
  return frame(segment, index->transactions[lsn.value - index->first_lsn.value].close, lsn);
}

Result<HistoryEntry> JournalReader::entry(Lsn lsn) {
  NETML_TRY(const Frame closing, closing_frame(lsn));
  return entry_of(closing);
}

Result<bool> JournalReader::committed(Lsn lsn) {
  NETML_TRY(const Frame closing, closing_frame(lsn));
  return closing.header.is(format::FrameKind::commit);
}

// The EFFECTS frame there; nothing unless its transaction was committed, up to the head. Valid
// until the next is read.
Result<std::optional<Frame>> JournalReader::committed_frame(std::size_t segment,
                                                            const SegmentIndex& index,
                                                            std::uint32_t offset) {
  const Lsn lsn = lsn_of(index, offset);
  if (lsn > head()) return std::nullopt;
  NETML_TRY(const bool counts, committed(lsn));
  if (!counts) return std::nullopt;
  NETML_TRY(Frame whole, frame(segment, offset, lsn));
  return whole;
}

Result<Lsn> JournalReader::committed_before(Lsn lsn) {
  lsn = std::min(lsn, head());
  while (lsn.value > 0) {
    NETML_TRY(const bool counts, committed(lsn));
    if (counts) break;
    --lsn.value;
  }
  return lsn;
}

// By halving: once it is beyond, it stays so.
Result<Lsn> JournalReader::first_beyond(const std::function<bool(const HistoryEntry&)>& is_beyond) {
  Lsn low;                   // 0, or not beyond
  Lsn high = head().next();  // beyond, or behind the head
  while (low.next() < high) {
    const Lsn middle{low.value + (high.value - low.value) / 2};
    NETML_TRY(const Lsn lsn, committed_before(middle));
    bool beyond = false;
    if (lsn.value != 0) {
      NETML_TRY(const HistoryEntry found, entry(lsn));
      beyond = is_beyond(found);
    }
    (beyond ? high : low) = middle;
  }
  return high;
}

// Effective times never go back (decision 19).
Result<Lsn> JournalReader::at_time(WallTime time) {
  NETML_TRY(const Lsn after, first_beyond([&](const HistoryEntry& entry) {
              return entry.provenance.effective_time > time;
            }));
  return committed_before(Lsn{after.value - 1});
}

// Numbers are given in ascending order and never again.
Result<Lsn> JournalReader::numbered_at(RecordNumber number) {
  NETML_TRY(const Lsn given,
            first_beyond([&](const HistoryEntry& entry) { return entry.next_number > number; }));
  return given > head() ? Lsn{} : given;
}

Status JournalReader::history(const HistoryQuery& query,
                              const std::function<bool(const HistoryEntry&)>& visit) {
  const Lsn first = std::max(query.first, Lsn{1});
  const Lsn last = query.last.value == 0 ? head() : std::min(query.last, head());
  if (first > last) return {};
  const bool concerned = concerns_something(query);
  const TakeLsn take = [&](Lsn lsn) -> Result<bool> {
    NETML_TRY(const HistoryEntry found, entry(lsn));
    if (!matches(query, found) || (concerned && !found.committed)) return true;
    return visit(found);
  };
  return concerned ? each_concerned(query, first, last, take)
                   : each_in_range(query, first, last, take);
}

Status JournalReader::each_in_range(const HistoryQuery& query, Lsn first, Lsn last,
                                    const TakeLsn& take) {
  for (std::uint64_t i = 0; i <= last.value - first.value; ++i) {
    const Lsn lsn{query.order == Order::oldest_first ? first.value + i : last.value - i};
    NETML_TRY(const bool more, take(lsn));
    if (!more) return {};
  }
  return {};
}

// Segment by segment, so that a few of the newest do not cost the index of the whole journal.
Status JournalReader::each_concerned(const HistoryQuery& query, Lsn first, Lsn last,
                                     const TakeLsn& take) {
  if (!query.topologies.empty()) NETML_TRY_VOID(find_members(query.topologies));
  const Memberships* const members = query.topologies.empty() ? nullptr : &*members_;
  const bool forward = query.order == Order::oldest_first;
  Lsn previous;  // one that fills several segments is found in each
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const std::size_t segment = forward ? i : segments_.size() - 1 - i;
    const Position end = wanted(segment).until;
    if (segments_[segment].first.lsn > last || end <= Position{first, 0}) continue;
    NETML_TRY(const IndexPtr index, changes(segment));
    std::vector<Lsn> lsns = lsns_of(*index, query, members);
    if (!forward) std::ranges::reverse(lsns);
    for (const Lsn lsn : lsns) {
      if (lsn < first || lsn > last || lsn == previous) continue;
      previous = lsn;
      NETML_TRY(const bool more, take(lsn));
      if (!more) return {};
    }
  }
  return {};
}

// Kept for the next page of the same question.
Status JournalReader::find_members(const std::vector<RecordId>& topologies) {
  if (members_ && members_->topologies() == topologies) return {};
  Memberships members(topologies);
  for (std::size_t segment = 0; segment < segments_.size(); ++segment)
    NETML_TRY_VOID(add_members(segment, members));
  members_ = std::move(members);
  return {};
}

Status JournalReader::add_members(std::size_t segment, Memberships& members) {
  NETML_TRY(const IndexPtr index, changes(segment));
  std::set<std::uint32_t> frames;
  for (const RecordId topology : members.topologies())
    add_frames(index->topologies, topology.value, frames);
  for (const std::uint32_t offset : frames) {
    NETML_TRY(const auto frame, committed_frame(segment, *index, offset));
    if (frame) NETML_TRY_VOID(members.add(frame->header.position.lsn, frame->payload));
  }
  return {};
}

// ---- effects ----

Status JournalReader::find_start(Lsn lsn) {
  NETML_TRY_VOID(check(lsn));
  const Position start{lsn, 0};
  const auto after = std::ranges::upper_bound(segments_, start, {}, &SegmentHeader::first);
  const auto segment = static_cast<std::size_t>(after - segments_.begin()) - 1;
  NETML_TRY(const IndexPtr index, places(segment));
  const std::uint32_t offset = index->closes(lsn)
                                   ? index->transactions[lsn.value - index->first_lsn.value].first
                                   : index->open;
  NETML_ASSERT(offset != 0);
  reading_ = {lsn, segment, {offset, start}};
  return {};
}

// Nothing behind the last one. Valid until the next is read.
Result<std::optional<Frame>> JournalReader::effects_frame(Lsn lsn, std::uint64_t ordinal) {
  if (reading_.lsn != lsn || reading_.point.position.ordinal > ordinal)
    NETML_TRY_VOID(find_start(lsn));
  while (reading_.point.position.lsn == lsn) {
    if (reading_.point.position >= wanted(reading_.segment).until) {
      ++reading_.segment;
      reading_.point.offset = format::kSegmentHeaderBytes;
    }
    NETML_TRY(FrameFile* const file, file_of(reading_.segment));
    NETML_TRY(const PlacedHeader found, file->next(reading_.point));
    if (!found.header.is(format::FrameKind::effects)) break;
    if (found.header.position.ordinal != ordinal) continue;
    NETML_TRY(Frame whole, file->frame(found.offset, lsn));
    return whole;
  }
  reading_ = {};
  return std::nullopt;
}

Status JournalReader::effects(Lsn lsn, const std::function<bool(JournalEffects)>& visit) {
  for (std::uint64_t frame = 0;; ++frame) {
    NETML_TRY(std::optional<JournalEffects> effects, effects_of_frame(lsn, frame));
    if (!effects || !visit(std::move(*effects))) return {};
  }
}

Result<std::optional<JournalEffects>> JournalReader::effects_of_frame(Lsn lsn,
                                                                      std::uint64_t frame) {
  NETML_TRY(const std::optional<Frame> whole, effects_frame(lsn, frame));
  if (!whole) return std::nullopt;
  NETML_TRY(JournalEffects effects, read_effects(whole->payload));
  return effects;
}

Result<CountsByKind> JournalReader::counts_by_kind(Lsn lsn) {
  CountsByKind counts;
  for (std::uint64_t ordinal = 0;; ++ordinal) {
    NETML_TRY(const std::optional<Frame> whole, effects_frame(lsn, ordinal));
    if (!whole) return counts;
    NETML_TRY_VOID(count_records(whole->payload, counts));
  }
}

// Nothing when the transaction was aborted, or lies above the head.
Result<std::optional<RecordEffect>> JournalReader::effect_on(std::size_t segment,
                                                             const SegmentIndex& index,
                                                             NumberPlace place) {
  NETML_TRY(const auto frame, committed_frame(segment, index, place.frame));
  if (!frame) return std::nullopt;
  NETML_TRY(JournalEffects effects,
            read_effects(frame->payload, [&](RecordId id) { return id.value == place.number; }));
  if (effects.records.empty()) return std::nullopt;
  return std::move(effects.records.front());
}

Status JournalReader::changes_of(const std::vector<RecordId>& records,
                                 const std::function<bool(Lsn, const RecordEffect&)>& visit) {
  for (std::size_t segment = 0; segment < segments_.size(); ++segment) {
    NETML_TRY(const IndexPtr index, changes(segment));
    std::vector<NumberPlace> places;
    for (const RecordId record : records) {
      const auto found =
          std::ranges::equal_range(index->records, record.value, {}, &NumberPlace::number);
      places.insert(places.end(), found.begin(), found.end());
    }
    std::ranges::sort(places, [](const NumberPlace& a, const NumberPlace& b) {
      return std::pair(a.frame, a.number) < std::pair(b.frame, b.number);
    });
    for (const NumberPlace& place : places) {
      NETML_TRY(const auto effect, effect_on(segment, *index, place));
      if (effect && !visit(lsn_of(*index, place.frame), *effect)) return {};
    }
  }
  return {};
}

Result<std::map<std::uint32_t, Lsn>> JournalReader::imports_written(
    std::set<std::uint32_t> numbers) {
  std::map<std::uint32_t, Lsn> written;
  for (std::size_t segment = segments_.size(); segment-- > 0 && !numbers.empty();) {
    NETML_TRY(const IndexPtr index, changes(segment));
    for (auto number = numbers.begin(); number != numbers.end();) {
      NETML_TRY(const Lsn lsn, import_written_in(segment, *index, *number));
      if (lsn == Lsn{}) {
        ++number;
        continue;
      }
      written.emplace(*number, lsn);
      number = numbers.erase(number);
    }
  }
  return written;
}

// 0: none of the segment wrote it.
Result<Lsn> JournalReader::import_written_in(std::size_t segment, const SegmentIndex& index,
                                             std::uint32_t number) {
  std::set<std::uint32_t> frames;
  add_frames(index.imports, number, frames);
  for (const std::uint32_t offset : std::views::reverse(frames)) {
    NETML_TRY(const auto frame, committed_frame(segment, index, offset));
    if (!frame) continue;
    NETML_TRY(const JournalEffects effects,
              read_effects(frame->payload, [](RecordId) { return false; }));
    if (writes_import(effects, number)) return frame->header.position.lsn;
  }
  return Lsn{};
}

Status JournalReader::prepare() {
  constexpr std::size_t kSegmentsMax = 4;
  const std::size_t closed = segments_.empty() ? 0 : segments_.size() - 1;
  for (std::size_t segment = closed - std::min(closed, kSegmentsMax); segment < closed; ++segment)
    NETML_TRY_VOID(index_->prepare(*journal_, wanted(segment)));
  return {};
}

std::vector<std::string> JournalReader::index_findings() const {
  std::vector<std::string> findings;
  for (std::size_t segment = 0; segment + 1 < segments_.size(); ++segment)
    if (std::string finding = index_->finding(wanted(segment)); !finding.empty())
      findings.push_back(std::move(finding));
  return findings;
}

// ---- names ----

Result<std::vector<RecordId>> JournalReader::records_named(std::string_view identifier) {
  std::set<RecordId> records;
  const std::uint64_t hash = identifier_hash(identifier);
  for (std::size_t segment = 0; segment < segments_.size(); ++segment) {
    NETML_TRY(const IndexPtr index, changes(segment));
    for (const IdentifierPlace& place :
         std::ranges::equal_range(index->identifiers, hash, {}, &IdentifierPlace::hash)) {
      if (records.contains(RecordId{place.record})) continue;
      NETML_TRY(const auto effect, effect_on(segment, *index, {place.record, place.frame}));
      if (effect && carries(*effect, identifier)) records.insert(effect->id);
    }
  }
  return std::vector<RecordId>(records.begin(), records.end());
}

Result<bool> JournalReader::identity_in(std::size_t segment, RecordId record, Lsn lsn,
                                        std::optional<RecordIdentity>& found) {
  NETML_TRY(const IndexPtr index, changes(segment));
  const auto places =
      std::ranges::equal_range(index->records, record.value, {}, &NumberPlace::number);
  for (auto place = places.end(); place != places.begin();) {
    --place;
    if (lsn_of(*index, place->frame) > lsn) continue;
    NETML_TRY(const auto effect, effect_on(segment, *index, *place));
    const FieldChange* change = effect ? identifier_in(*effect) : nullptr;
    if (change == nullptr) continue;
    const bool deleted = effect->action == EffectAction::deleted;
    const auto* text = std::get_if<std::string>(deleted ? &change->before : &change->after);
    found = RecordIdentity{effect->kind, text == nullptr ? std::string() : *text};
    return true;
  }
  return false;
}

Result<std::optional<RecordIdentity>> JournalReader::identity(RecordId record, Lsn lsn) {
  std::optional<RecordIdentity> found;
  if (lsn.value == 0 || segments_.empty()) return found;
  for (std::size_t segment = closing_segment(std::min(lsn, head())) + 1; segment-- > 0;) {
    NETML_TRY(const bool done, identity_in(segment, record, lsn, found));
    if (done) break;
  }
  return found;
}

}  // namespace netml::wal
