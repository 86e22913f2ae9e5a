#include "admin/views/views.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admin/settings/settings.hpp"
#include "codecs/formats/view_json.hpp"
#include "engine/base/sha256.hpp"

namespace netml::admin {

namespace {

// What a view takes for each record at most: its attributes again, a number, and what steps note;
// and what is not shared of a graph in an order of its own: associations, indexes.
constexpr std::uint64_t kViewMemoryOfRecord = 400;
constexpr std::uint64_t kOrderMemoryOfRecord = 200;

std::string digest_text(const engine::Graph& graph) {
  const engine::Digest digest = graph.digest();
  return fmt::format("{:016x}{:016x}", digest.high, digest.low);
}

}  // namespace

std::uint64_t own_bytes(const engine::Graph& whole, const engine::Graph& seen) {
  std::uint64_t differing = 0;
  std::uint64_t bytes = seen.size() * sizeof(RecordNumber);
  whole.for_each_difference(seen, [&](RecordId id) {
    ++differing;
    if (!seen.contains(id)) return;
    bytes += sizeof(engine::Record) + seen.attributes(id).allocated_bytes() +
             seen.relations(id).allocated_bytes();
  });
  // Where most differ, associations and indexes are hardly shared either.
  return 2 * differing > seen.size() ? seen.memory_bytes() : bytes;
}

Result<engine::View> read_stored(const engine::StoredView& stored) {
  auto view = codecs::read_view(stored.view);
  if (view) return view;
  return fail(Errc::conflict, fmt::format("the view \"{}\" cannot be read by this version: {}",
                                          stored.name, view.error().text()));
}

Status is_unbound(const engine::Catalog& catalog, std::uint64_t view) {
  const auto stored = catalog.views.find(view);
  if (stored == nullptr) return {};
  const auto token = catalog.tokens.find(catalog.tokens.find_with<&engine::Token::view>(view));
  if (token != nullptr)
    return fail(Errc::conflict,
                fmt::format("the token of \"{}\" shows the map through the view \"{}\"",
                            token->client_name, stored->name));
  if (setting_value(catalog, kPublicMapView) != stored->name) return {};
  return fail(Errc::conflict, fmt::format("the public map is seen through the view \"{}\"; change "
                                          "{} first",
                                          stored->name, kPublicMapView));
}

Views::Views(Node& node)
    : node_(node),
      seen_(node.memory(),
            {.values_max = 16,
             .making_max = kMakingMax,
             .busy = "too many views of the map are being made; try again later",
             .counted = &node.metrics().cache(CacheName::views)},
            [](const Seen& seen) { return seen.bytes; }) {}

Result<std::uint64_t> Views::public_view() const {
  const engine::StatePtr state = node_.version().state;
  const std::string name = setting_value(state->catalog, kPublicMapView);
  if (name.empty()) return kWholeMap;
  if (const std::uint64_t view = state->catalog.views.find_with<&engine::StoredView::name>(name))
    return view;
  return fail(Errc::unavailable, "the view of the public map is not there");
}

// Views are those of now, whatever the state is of: who may see less today sees less of yesterday.
Result<engine::StatePtr> Views::seen(const engine::StatePtr& state, std::uint64_t view) {
  if (view == kWholeMap) return state;
  return seen_as(state, node_.version().state->catalog.views.find(view));
}

Result<engine::StatePtr> Views::seen_by_public(const engine::StatePtr& state) {
  NETML_TRY(const std::uint64_t view, public_view());
  return seen(state, view);
}

Result<engine::StatePtr> Views::seen_as(const engine::StatePtr& state, const StoredPtr& stored) {
  return seen_as(digest_text(state->graph), stored,
                 [&]() -> Result<engine::StatePtr> { return state; });
}

Result<engine::StatePtr> Views::seen_as(std::string_view content, const StoredPtr& stored,
                                        const ReadState& read) {
  if (stored == nullptr) return fail(Errc::unavailable, "the view that is seen is not there");
  const Sha256 text = Sha256Hasher().hash(std::as_bytes(std::span(stored->view)));
  NETML_TRY(const SeenPtr seen,
            seen_.get(fmt::format("{} {}", content, to_hex(text)), [&]() -> Result<SeenPtr> {
              NETML_TRY(const engine::View steps, read_stored(*stored));
              NETML_TRY(engine::StatePtr whole, read());
              return make(std::move(whole), steps);
            }));
  return engine::StatePtr(seen, &seen->state);
}

Result<engine::StatePtr> Views::preview(const engine::StatePtr& state,
                                        const engine::View& view) const {
  NETML_TRY(const SeenPtr seen, make(state, view));
  return engine::StatePtr(seen, &seen->state);
}

Result<Views::SeenPtr> Views::make(engine::StatePtr whole, const engine::View& view) const {
  const bool is_ordered = is_in_seen_order(view);
  const std::uint64_t of_record = kViewMemoryOfRecord + (is_ordered ? kOrderMemoryOfRecord : 0);
  NETML_TRY(const MemoryReservation reserved,
            node_.memory().reserve(MemoryUse::answers, of_record * whole->graph.size()));
  auto seen = std::make_shared<Seen>();
  seen->state.graph = seen_through(
      whole->graph, view, [this](std::string_view name) { return pseudonym_key(name); }, helpers_);
  seen->bytes = own_bytes(whole->graph, seen->state.graph);
  seen->whole = std::move(whole);
  return seen;
}

// Longer than any value of a token, which the same secret is used for.
engine::PseudonymKey Views::pseudonym_key(std::string_view name) const {
  return node_.secrets().mac(fmt::format("key of pseudonyms in views of the map: {}", name));
}

std::string Views::opaque_tag(std::string_view tag) const {
  const auto mac =
      node_.secrets().mac(fmt::format("entity tag of what is seen of the map: {}", tag));
  constexpr std::size_t kTagBytes = 16;
  return to_hex(std::span(mac).first(kTagBytes));
}

std::string Views::opaque_place(std::uint64_t view, std::string_view tag) const {
  const auto mac = node_.secrets().mac(
      fmt::format("place of deltas in what view {} shows of the map: {}", view, tag));
  return fmt::format("0:{}", to_hex(mac));
}

}  // namespace netml::admin
