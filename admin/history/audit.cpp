#include "admin/history/audit.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>
#include <deque>

#include "admin/base/when_text.hpp"
#include "admin/history/audit_json.hpp"
#include "engine/base/lower_case.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin {

namespace json = boost::json;
using wal::HistoryEntry;
using wal::HistoryQuery;
using wal::JournalReader;
using wal::Order;

namespace {

constexpr std::string_view kImportPrefix = "import:";
constexpr std::string_view kPublishedPrefix = "published:";
constexpr std::int64_t kMicrosecondsPerSecond = 1'000'000;
constexpr std::int64_t kDaySeconds = 86'400;

Result<Lsn> lsn_of_import(JournalReader& reader, std::string_view text) {
  const auto number = parse_integer<std::uint64_t>(text);
  if (!number || *number > 0xffffffff)
    return fail(Errc::invalid_input, "import", "is followed by the number of an import record");
  NETML_TRY(const auto found, reader.imports_written({static_cast<std::uint32_t>(*number)}));
  if (!found.empty()) return found.begin()->second;
  return fail(Errc::not_found, fmt::format("there is no import record {}", *number));
}

// The newest item of the name that holds a state.
Result<Lsn> lsn_of_published(const engine::Catalog& catalog, std::string_view name) {
  Lsn found;
  catalog.published.for_each_with<&engine::PublishedItem::name>(
      name, [&](std::uint64_t, const engine::PublishedItem& item) {
        if (item.status == engine::PublishedStatus::success) found = item.lsn;
      });
  if (found.value != 0) return found;
  return fail(Errc::not_found,
              fmt::format("{} is no point in time: {}", net::excerpt(name), cli::kWhenForms));
}

Result<Lsn> lsn_of_number(JournalReader& reader, std::uint64_t number) {
  if (number <= reader.head().value) return Lsn{number};
  return fail(Errc::not_found, fmt::format("there is no LSN {} yet: the journal ends at LSN {}",
                                           number, reader.head().value));
}

// Times are shown in seconds, so one means all of its second.
WallTime end_of(Instant instant) {
  return WallTime{instant.seconds * kMicrosecondsPerSecond + kMicrosecondsPerSecond - 1};
}

// The first second of a day like 2024-03-01, unless a published item is called like it.
std::optional<Instant> day_in(const engine::Catalog& catalog, std::string_view when) {
  constexpr std::string_view kForm = "2024-03-01";
  if (when.size() != kForm.size()) return std::nullopt;
  const std::optional<Instant> day = parse_instant(fmt::format("{}T00:00:00Z", when));
  return day && !lsn_of_published(catalog, when) ? day : std::nullopt;
}

Result<Lsn> resolve_with(JournalReader& reader, const engine::Catalog& catalog,
                         std::string_view when) {
  if (when == "latest") return reader.committed_before(reader.head());
  if (const auto number = parse_integer<std::uint64_t>(when)) return lsn_of_number(reader, *number);
  if (when.starts_with(kImportPrefix))
    return lsn_of_import(reader, when.substr(kImportPrefix.size()));
  if (when.starts_with(kPublishedPrefix))
    return lsn_of_published(catalog, when.substr(kPublishedPrefix.size()));
  if (const auto instant = parse_instant(when)) return reader.at_time(end_of(*instant));
  if (const auto day = day_in(catalog, when))
    return reader.at_time(end_of(Instant{day->seconds + kDaySeconds - 1}));
  return lsn_of_published(catalog, when);
}

// The first transaction that is not older than WHEN.
Result<Lsn> resolve_first(JournalReader& reader, const engine::Catalog& catalog,
                          std::string_view when) {
  auto instant = parse_integer<std::uint64_t>(when) ? std::nullopt : parse_instant(when);
  if (!instant) instant = day_in(catalog, when);
  if (!instant) return resolve_with(reader, catalog, when);
  NETML_TRY(const Lsn before,
            reader.at_time(WallTime{instant->seconds * kMicrosecondsPerSecond - 1}));
  return before.next();
}

// Causes by the words that documents use.
Result<engine::Cause> parse_cause(std::string_view text) {
  std::string known;
  for (std::uint8_t i = 0; i < engine::kCauseCount; ++i) {
    const auto cause = static_cast<engine::Cause>(i);
    if (text == engine::cause_name(cause)) return cause;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", engine::cause_name(cause));
  }
  return fail(Errc::invalid_input,
              fmt::format("{} is no cause; the causes are {}", net::excerpt(text), known));
}

// Transactions a page at a time, so that a stream holds little.
class LogPages {
 public:
  LogPages(JournalReader reader, HistoryQuery query, std::optional<std::uint64_t> limit)
      : reader_(std::move(reader)), query_(std::move(query)), left_(limit.value_or(~0ULL)) {}

  Result<std::optional<json::object>> next() {
    if (page_.empty() && !done_) load();
    if (page_.empty()) {
      NETML_TRY_VOID(std::exchange(failure_, Status()));
      return std::nullopt;
    }
    json::object document = entry_json(page_.front());
    page_.pop_front();
    return document;
  }

 private:
  void load() {
    constexpr std::uint64_t kPageEntries = 256;
    const std::uint64_t wanted = std::min(kPageEntries, left_);
    if (wanted != 0)
      failure_ = reader_.history(query_, [&](const HistoryEntry& entry) {
        page_.push_back(entry);
        return page_.size() < wanted;
      });
    left_ -= page_.size();
    done_ = !failure_ || page_.size() < kPageEntries || !move_on();
  }
  // Behind what the page holds. False when nothing can follow.
  bool move_on() {
    const Lsn last = page_.back().lsn;
    if (query_.order == Order::oldest_first) {
      query_.first = last.next();
      return true;
    }
    query_.last = Lsn{last.value - 1};
    return query_.last.value != 0;
  }

  JournalReader reader_;
  HistoryQuery query_;
  std::uint64_t left_;
  std::deque<HistoryEntry> page_;
  bool done_ = false;
  Status failure_;
};

// A transaction with its effects, a frame at a time.
class ShownTransaction {
 public:
  ShownTransaction(JournalReader reader, engine::StatePtr now, HistoryEntry entry)
      : reader_(std::move(reader)), names_(reader_, std::move(now)), entry_(std::move(entry)) {
    documents_.push_back(entry_json(entry_));
  }

  Result<std::optional<json::object>> next() {
    while (documents_.empty()) {
      NETML_TRY(const auto effects, reader_.effects_of_frame(entry_.lsn, frame_++));
      if (!effects) return std::nullopt;
      add(*effects);
    }
    json::object document = std::move(documents_.front());
    documents_.pop_front();
    return document;
  }

 private:
  void add(const wal::JournalEffects& effects) {
    for (const wal::RecordEffect& effect : effects.records) names_.learn(effect);
    for (const wal::RecordEffect& effect : effects.records)
      documents_.push_back(effect_json(effect, names_));
    for (const engine::Numbering& numbering : effects.numberings)
      documents_.push_back(
          {{"numbered", names_.name(numbering.id)}, {"pk", numbering.number.value}});
    for (const engine::Renumbering& renumbering : effects.renumberings)
      documents_.push_back({{"renumbered", names_.name(renumbering.topology)},
                            {"first_pk", renumbering.first.value},
                            {"count", renumbering.count}});
    for (const wal::EntryEffect& effect : effects.entries)
      documents_.push_back(effect_json(effect));
  }

  JournalReader reader_;
  RecordNames names_;
  HistoryEntry entry_;
  std::uint64_t frame_ = 0;
  std::deque<json::object> documents_;
};

// The identifier of a topology, by it or by "#N", in either of two graphs.
Result<std::string> topology_in(const engine::Graph& before, const engine::Graph& after,
                                std::string_view topology) {
  const auto number =
      topology.starts_with('#') ? parse_integer<std::uint64_t>(topology.substr(1)) : std::nullopt;
  for (const engine::Graph* graph : {&after, &before}) {
    const RecordId found = number ? graph->find_by_number(RecordNumber{*number})
                                  : graph->find_newest(Kind::topology, topology);
    if (found && graph->kind(found) == Kind::topology)
      return std::string(graph->attributes(found).id());
  }
  return fail(Errc::not_found, fmt::format("no topology has the id or number {} at either point",
                                           net::excerpt(topology)));
}

template <class Source>
Audit::Stream stream_of(std::shared_ptr<Source> source) {
  return document_stream([source = std::move(source)] { return source->next(); });
}

}  // namespace

Result<Lsn> Audit::resolve(std::string_view when) {
  NETML_TRY(JournalReader reader, node_.journal());
  return resolve_with(reader, node_.version().state->catalog, when);
}

Result<wal::PastState> Audit::state(std::string_view when) {
  NETML_TRY(const Lsn lsn, resolve(when));
  return node_.state_at(lsn);
}

Result<wal::PastState> Audit::state_before(std::string_view when) {
  NETML_TRY(JournalReader reader, node_.journal());
  NETML_TRY(const Lsn first, resolve_first(reader, node_.version().state->catalog, when));
  if (first == Lsn{}) return node_.state_at(first);
  NETML_TRY(const Lsn before, reader.committed_before(Lsn{first.value - 1}));
  return node_.state_at(before);
}

// A number lies in the transaction that gave it, or follows from the state that it led to.
Result<RecordId> Audit::record_numbered(RecordNumber number) {
  const RecordId now = node_.version().state->graph.find_by_number(number);
  if (now) return now;
  const auto unknown = [&] {
    return fail(Errc::not_found, fmt::format("no record ever had the number {}", number.value));
  };
  if (number.value == 0) return unknown();
  NETML_TRY(JournalReader reader, node_.journal());
  NETML_TRY(const Lsn given, reader.numbered_at(number));
  if (given.value == 0) return unknown();
  RecordId found;
  NETML_TRY_VOID(reader.effects(given, [&](const wal::JournalEffects& effects) {
    for (const engine::Numbering& numbering : effects.numberings)
      if (numbering.number == number) found = numbering.id;
    return !found;
  }));
  if (found) return found;
  NETML_TRY(const wal::PastState then, node_.state_at(given));
  found = then.state->graph.find_by_number(number);
  if (!found) return unknown();
  return found;
}

Result<std::vector<RecordId>> Audit::records(JournalReader& reader, std::string_view element) {
  if (element.starts_with('#')) {
    const auto number = parse_integer<std::uint64_t>(element.substr(1));
    const RecordId found =
        number ? node_.version().state->graph.find_by_number(RecordNumber{*number}) : RecordId{};
    if (found) return std::vector{found};
    return fail(Errc::not_found,
                fmt::format("no record has the number {} now; numbers change with every import, so "
                            "ask by the id",
                            net::excerpt(element)));
  }
  NETML_TRY(std::vector<RecordId> found, reader.records_named(element));
  if (!found.empty()) return found;
  return fail(Errc::not_found, fmt::format("nothing was ever called {}", net::excerpt(element)));
}

Result<HistoryQuery> Audit::history_query(JournalReader& reader, const LogQuery& wanted) {
  const auto& catalog = node_.version().state->catalog;
  HistoryQuery query;
  query.order = wanted.oldest_first ? Order::oldest_first : Order::newest_first;
  query.last = reader.head();
  if (wanted.since) {
    NETML_TRY(query.first, resolve_first(reader, catalog, *wanted.since));
  }
  if (wanted.until) {
    NETML_TRY(query.last, resolve_with(reader, catalog, *wanted.until));
    if (query.last.value == 0) query.first = reader.head().next();  // before everything
  }
  if (wanted.after) {
    const auto number = parse_integer<std::uint64_t>(*wanted.after);
    if (!number) return fail(Errc::invalid_input, "after must be an LSN");
    query.first = Lsn{*number + 1};
  }
  query.actor = wanted.actor;
  query.text = engine::lower_case(wanted.text);
  if (wanted.cause) {
    NETML_TRY(query.cause, parse_cause(*wanted.cause));
  }
  if (wanted.element) {
    NETML_TRY(query.records, records(reader, *wanted.element));
  }
  if (wanted.topology) {
    NETML_TRY(query.topologies, records(reader, *wanted.topology));
  }
  return query;
}

Result<Audit::Log> Audit::log(const LogQuery& wanted) {
  NETML_TRY(JournalReader reader, node_.journal());
  std::string head = to_string(reader.head_hash());
  NETML_TRY(HistoryQuery query, history_query(reader, wanted));
  return Log{
      stream_of(std::make_shared<LogPages>(std::move(reader), std::move(query), wanted.limit)),
      std::move(head)};
}

Result<std::vector<HistoryEntry>> Audit::transactions(const LogQuery& wanted) {
  NETML_TRY(JournalReader reader, node_.journal());
  NETML_TRY(const HistoryQuery query, history_query(reader, wanted));
  const std::uint64_t limit = wanted.limit.value_or(~0ULL);
  std::vector<HistoryEntry> found;
  NETML_TRY_VOID(reader.history(query, [&](const HistoryEntry& entry) {
    if (found.size() < limit) found.push_back(entry);
    return found.size() < limit;
  }));
  return found;
}

Result<Audit::Stream> Audit::show(std::string_view when) {
  NETML_TRY(JournalReader reader, node_.journal());
  const Version now = node_.version();
  NETML_TRY(const Lsn lsn, resolve_with(reader, now.state->catalog, when));
  NETML_TRY(HistoryEntry entry, reader.entry(lsn));
  return stream_of(
      std::make_shared<ShownTransaction>(std::move(reader), now.state, std::move(entry)));
}

// Only what is asked for is kept: one element changes seldom.
Result<Audit::Stream> Audit::history(std::string_view element) {
  struct Changes {
    std::deque<json::object> documents;
    Status end;
    Result<std::optional<json::object>> next() {
      if (documents.empty()) {
        NETML_TRY_VOID(std::exchange(end, Status()));
        return std::nullopt;
      }
      json::object document = std::move(documents.front());
      documents.pop_front();
      return document;
    }
  };
  NETML_TRY(JournalReader reader, node_.journal());
  NETML_TRY(const std::vector<RecordId> wanted, records(reader, element));
  RecordNames names(reader, node_.version().state);
  std::vector<std::pair<Lsn, wal::RecordEffect>> found;
  auto changes = std::make_shared<Changes>();
  changes->end = reader.changes_of(wanted, [&](Lsn lsn, const wal::RecordEffect& effect) {
    names.learn(effect);
    found.emplace_back(lsn, effect);
    return true;
  });
  for (const auto& [lsn, effect] : found) {
    NETML_TRY(const HistoryEntry entry, reader.entry(lsn));
    json::object document = entry_json(entry);
    for (auto& [key, value] : effect_json(effect, names)) document[key] = std::move(value);
    changes->documents.push_back(std::move(document));
  }
  return stream_of(std::move(changes));
}

Result<Audit::Stream> Audit::diff(std::string_view from, std::string_view to,
                                  const std::optional<std::string>& topology) {
  NETML_TRY(const wal::PastState before, state(from));
  NETML_TRY(const wal::PastState after, state(to));
  std::string within;
  if (topology) {
    NETML_TRY(within, topology_in(before.state->graph, after.state->graph, *topology));
  }
  engine::Difference difference(before.state->graph, after.state->graph, within);
  json::object head{{"from", before.head.lsn.value},
                    {"to", after.head.lsn.value},
                    {"counts", counts_json(difference)}};
  const auto held = std::make_shared<const std::array<engine::StatePtr, 2>>(
      std::array{before.state, after.state});
  return difference_stream(std::move(difference), std::move(head), held);
}

Result<wal::Head> Audit::replay(std::string_view until, const std::string& into,
                                const ReportWork& report) {
  NETML_TRY(const Lsn lsn, resolve(until));
  return node_.copy_until(lsn, into, report);
}

}  // namespace netml::admin
