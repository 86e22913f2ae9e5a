#include "admin/exports/export_deltas.hpp"

#include <fmt/format.h>

#include <utility>

#include "codecs/netml/delta/write_delta.hpp"
#include "wal/format/journal.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kStatesMax = 64;
constexpr std::uint64_t kStatesBytesMax = 256 << 20;
constexpr std::uint64_t kSeenStatesBytesMax = 512 << 20;  // a view makes much of what it shows
constexpr std::size_t kDeltasMax = 64;
constexpr std::uint64_t kDeltaBytesMax = 16 << 20;
constexpr std::uint64_t kDeltasBytesMax = 4 * kDeltaBytesMax;
// One is written into two buffers that may grow, which become one, and then kept.
constexpr std::uint64_t kMemoryOfMaking = 4 * kDeltaBytesMax;
// Before the newest: a state of longer ago takes as long to make as the whole map.
constexpr std::uint64_t kTransactionsMax = 10'000;

// What a state holds that later ones do not share: as a rule the numbers of all records, and what a
// view made.
std::uint64_t bytes_of(const ExportedState& state) {
  constexpr std::uint64_t kBytesOfRecord = 16;
  const engine::Graph& whole = state.whole.state->graph;
  const std::uint64_t made = state.view == kWholeMap ? 0 : own_bytes(whole, state.seen->graph);
  return kBytesOfRecord * whole.size() + made;
}

// A place that names what one view shows is none for those who see another one.
std::string key(std::uint64_t view, std::string_view place) {
  return fmt::format("{} {}", view, place);
}
std::string key(const ExportedState& state) {
  return key(state.view, state.place);
}

}  // namespace

ExportDeltas::ExportDeltas(Node& node)
    : node_(node),
      whole_(node.memory(), {.values_max = kStatesMax, .bytes_max = kStatesBytesMax},
             [](const Known& known) { return known.bytes; }),
      seen_(node.memory(), {.values_max = kStatesMax, .bytes_max = kSeenStatesBytesMax},
            [](const Known& known) { return known.bytes; }),
      deltas_(node.memory(), {.values_max = kDeltasMax, .bytes_max = kDeltasBytesMax},
              [](const Delta& delta) { return delta.text.capacity(); }) {}

ExportDeltas::KnownPtr ExportDeltas::known(const ExportedState& state) {
  States& states = states_of(state.view);
  if (KnownPtr known = states.find(key(state))) return known;
  auto known = std::make_shared<const Known>(Known{state, nullptr, bytes_of(state)});
  states.store(key(state), known);
  return known;
}

Result<ExportDeltas::DeltaPtr> ExportDeltas::since(const std::string& place,
                                                   const ExportedState& now) {
  // Before the newest state is stored, which may take its place.
  KnownPtr from = states_of(now.view).find(key(now.view, place));
  const KnownPtr to = known(now);
  return deltas_.get(key(now.view, place) + " " + now.place, [&]() -> Result<DeltaPtr> {
    if (from == nullptr) {
      NETML_TRY(from, made_again(place, now));
    }
    NETML_TRY(const MemoryReservation memory,
              node_.memory().reserve(MemoryUse::exports, kMemoryOfMaking));
    NETML_TRY(const KnownPtr before, with_map(from, to->map));
    NETML_TRY(const KnownPtr after, with_map(to, before->map));
    Result<DeltaPtr> delta;
    // What is kept may be the end of an older state, which takes its time to go.
    helpers_.run_both([&] { delta = written(*before, *after); },
                      [&] {
                        if (before != from) store(before);
                        if (after != to) store(after);
                      });
    return delta;
  });
}

Result<ExportDeltas::DeltaPtr> ExportDeltas::between(const ExportedState& from,
                                                     const ExportedState& to) const {
  NETML_TRY(const MemoryReservation memory,
            node_.memory().reserve(MemoryUse::exports, kMemoryOfMaking));
  NETML_TRY(MapPtr before, exported(from, nullptr));
  NETML_TRY(MapPtr after, exported(to, before));
  return written({from, std::move(before)}, {to, std::move(after)});
}

Result<ExportDeltas::DeltaPtr> ExportDeltas::written(const Known& from, const Known& to) const {
  NETML_TRY(const wal::Manifest manifest, node_.manifest());
  const codecs::DeltaLabel label{
      .stream = to_string(manifest.node), .from = from.exported.place, .to = to.exported.place};
  NETML_TRY(codecs::TextBuffer text,
            codecs::write_delta(*from.map, *to.map, label, kDeltaBytesMax, helpers_));
  return std::make_shared<const Delta>(Delta{from.exported.whole.head, std::move(text)});
}

// Of all of the map alone: no place of what a view shows leads back to the journal.
Result<ExportDeltas::KnownPtr> ExportDeltas::made_again(const std::string& place,
                                                        const ExportedState& now) {
  if (now.view != kWholeMap) return fail(Errc::not_found, "that place is not known any more");
  NETML_TRY(engine::StatePtr state, state_at(place, now.whole.state->lsn));
  return known(exported_whole({std::move(state), place}));
}

// The hash in the head tells the states of this history from those of another one that went on
// from the same backup.
Result<engine::StatePtr> ExportDeltas::state_at(const std::string& head, Lsn newest) const {
  const auto wanted = wal::parse_head(head);
  if (!wanted || to_string(*wanted) != head)
    return fail(Errc::invalid_input, "from", "must be a head, as LSN:hash");
  if (wanted->lsn > newest || newest.value - wanted->lsn.value > kTransactionsMax)
    return fail(Errc::not_found, "no state of this history that is near enough");
  const auto foreign = [] { return fail(Errc::not_found, "no state of this history"); };
  // Before the state is made: that takes long, and anybody may name a hash.
  NETML_TRY(wal::JournalReader journal, node_.journal());
  const auto entry = journal.entry(wanted->lsn);
  if (!entry || entry->chain != wanted->chain) return foreign();
  const auto past = node_.state_at(wanted->lsn);
  if (!past && past.error().code == Errc::unavailable) return tl::unexpected(past.error());
  if (!past || past->head != *wanted) return foreign();
  return past->state;
}

// `near`: of another state, of which is taken what is written alike; null: all is written.
Result<ExportDeltas::MapPtr> ExportDeltas::exported(const ExportedState& state,
                                                    const MapPtr& near) const {
  const engine::Graph& graph = state.seen->graph;
  const auto no_map = [] { return fail(Errc::not_found, "there was no map at that state"); };
  const auto root = export_root(graph);
  if (!root) return no_map();
  auto map = codecs::exported_map(graph, *root, near.get(), helpers_);
  if (!map) return no_map();
  return std::make_shared<const codecs::ExportedMap>(*std::move(map));
}

// Several may make the same one at a time, and each takes what it has made.
Result<ExportDeltas::KnownPtr> ExportDeltas::with_map(const KnownPtr& known,
                                                      const MapPtr& near) const {
  if (known->map != nullptr) return known;
  NETML_TRY(MapPtr map, exported(known->exported, near));
  const std::uint64_t bytes = known->bytes + codecs::hash_bytes(*map, near.get());
  return std::make_shared<const Known>(Known{known->exported, std::move(map), bytes});
}

void ExportDeltas::store(const KnownPtr& known) {
  states_of(known->exported.view).store(key(known->exported), known);
}

}  // namespace netml::admin
