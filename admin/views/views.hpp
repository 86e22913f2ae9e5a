// What recipients of the map see (docs/views.md): states seen through stored views. It is the one
// place where a view is applied.
//
// A state seen through a view has the graph that the view shows, and no catalog, LSN or time: all
// of these tell of what is hidden. It is made once and cached for as long as content and view stay
// the same. What is bound to a view that is not there, or that this program cannot read, shows
// nothing: it is an error.
//
// Memory: a view that was made is a cache of the budget; making one reserves what it may take.
// Thread: any.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "admin/base/cache.hpp"
#include "admin/node/node.hpp"
#include "engine/views/apply_view.hpp"

namespace netml::admin {

// No view: all of the map is shown.
inline constexpr std::uint64_t kWholeMap = 0;

// Errc::conflict for one that this program cannot read, as a later version may have stored.
Result<engine::View> read_stored(const engine::StoredView& stored);

// What `seen` does not share with `whole`, which it is a view of: numbers, and records that differ.
// Bytes; a look at all records.
std::uint64_t own_bytes(const engine::Graph& whole, const engine::Graph& seen);

// What keeps a view from being deleted or called something else: a token or the public map is bound
// to it, and would show nothing. Errc::conflict, which names it.
Status is_unbound(const engine::Catalog& catalog, std::uint64_t view);

class Views {
 public:
  explicit Views(Node& node);

  // The view of those who are not signed in; kWholeMap where the setting names none.
  // Errc::unavailable when there is none of that name.
  Result<std::uint64_t> public_view() const;

  // `state` itself for kWholeMap. Errc::unavailable when there is no such view, too many are being
  // made, or the memory for it is taken.
  Result<engine::StatePtr> seen(const engine::StatePtr& state, std::uint64_t view);
  Result<engine::StatePtr> seen_by_public(const engine::StatePtr& state);
  // The same through a view as it is, or was, stored; null: there is none.
  using StoredPtr = std::shared_ptr<const engine::StoredView>;
  Result<engine::StatePtr> seen_as(const engine::StatePtr& state, const StoredPtr& stored);
  // The same of a state that is expensive to read: `content` is a name of what is in it.
  using ReadState = std::function<Result<engine::StatePtr>()>;
  Result<engine::StatePtr> seen_as(std::string_view content, const StoredPtr& stored,
                                   const ReadState& read);

  // As a view that is not stored would show it; not cached.
  Result<engine::StatePtr> preview(const engine::StatePtr& state, const engine::View& view) const;

  // An entity tag in the place of one that is computed from what is seen: nobody can try what else
  // it may be computed from.
  std::string opaque_tag(std::string_view tag) const;
  // A name of what has this tag, in the form of a head and without an LSN: "0:HASH". That of one
  // view is no name of what another one shows.
  std::string opaque_place(std::uint64_t view, std::string_view tag) const;

 private:
  static constexpr unsigned kMakingMax = 2;  // views at once

  struct Seen {
    engine::StatePtr whole;  // which the other shares its records with
    engine::State state;
    std::uint64_t bytes = 0;
  };
  using SeenPtr = std::shared_ptr<const Seen>;

  Result<SeenPtr> make(engine::StatePtr whole, const engine::View& view) const;
  engine::PseudonymKey pseudonym_key(std::string_view name) const;

  Node& node_;
  mutable HelperThreads helpers_{kMakingMax};
  Cache<std::string, Seen> seen_;  // by content and view
};

}  // namespace netml::admin
