// Everything an administrator can see or set besides the graph, as tables of entries. It lives in
// the same journal and the same versions as the graph.
//
// Thread: any (immutable).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "engine/catalog/decisions.hpp"
#include "engine/catalog/entries.hpp"
#include "engine/catalog/rules.hpp"
#include "engine/catalog/table.hpp"
#include "engine/catalog/webhook.hpp"

namespace netml::engine {

// Something for each table: the tables themselves, their changes in a transaction, a part of those.
// The one list of the tables; what treats them alike walks all()
// (engine/transaction/catalog_tables.hpp).
template <template <class> class Of>
struct CatalogTables {
  Of<Token> tokens;
  Of<Setting> settings;
  Of<ImportRecord> imports;
  Of<PublishedItem> published;
  Of<Account> accounts;
  Of<Ruleset> rulesets;
  Of<Rule> rules;
  Of<KeptPlan> plans;
  Of<PollingSource> sources;
  Of<PollBatch> poll_batches;
  Of<PollRecord> poll_records;
  Of<PeerState> peer_states;
  Of<WebSession> sessions;
  Of<AllowedOrigin> origins;
  Of<ExternalIdentity> identities;
  Of<Override> overrides;
  Of<StoredPolicy> policies;
  Of<StoredView> views;
  Of<Webhook> webhooks;

  // In the order of a checkpoint's footer: a new one goes to the end.
  static consteval auto all() {
    using Self = CatalogTables;
    return std::tuple{&Self::tokens,   &Self::settings,     &Self::imports,      &Self::published,
                      &Self::accounts, &Self::rulesets,     &Self::rules,        &Self::plans,
                      &Self::sources,  &Self::poll_batches, &Self::poll_records, &Self::peer_states,
                      &Self::sessions, &Self::origins,      &Self::identities,   &Self::overrides,
                      &Self::policies, &Self::views,        &Self::webhooks};
  }
};

using Catalog = CatalogTables<Table>;

// The value stored for a setting; nothing when it has none, so that its default holds.
std::optional<std::string> setting(const Catalog& catalog, std::string_view name);

// The account's number; 0 if nobody has that name.
std::uint64_t find_account(const Catalog& catalog, std::string_view name);

// The source's number; 0 if there is none of that name.
std::uint64_t find_source(const Catalog& catalog, std::string_view name);

// The latest good published item's number; 0 if there is none.
std::uint64_t latest_published(const Catalog& catalog);

}  // namespace netml::engine
