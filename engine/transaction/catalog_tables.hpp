// The tables of the catalog, each with the place where a transaction keeps its changes: the one
// list for all code that treats the tables alike. Its order is that of a checkpoint's footer.
#pragma once

#include <string_view>
#include <tuple>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::engine {

template <class T>
struct CatalogTable {
  using Entry = T;

  const char* entry_name;  // for messages, and for the pages, which translate it (kinds.ts)
  Table<T> Catalog::* entries;
  std::vector<EntryChange<T>> Transaction::* changes;
  bool undone = false;  // by the undo of a transaction; what the others tell stays (docs/undo.md)
};

inline constexpr std::tuple kCatalogTables{
    CatalogTable<Token>{"token", &Catalog::tokens, &Transaction::tokens, true},
    CatalogTable<Setting>{"setting", &Catalog::settings, &Transaction::settings, true},
    CatalogTable<ImportRecord>{"import record", &Catalog::imports, &Transaction::imports},
    CatalogTable<PublishedItem>{"published item", &Catalog::published, &Transaction::published},
    CatalogTable<Account>{"account", &Catalog::accounts, &Transaction::accounts, true},
    CatalogTable<Ruleset>{"ruleset", &Catalog::rulesets, &Transaction::rulesets, true},
    CatalogTable<Rule>{"rule", &Catalog::rules, &Transaction::rules, true},
    CatalogTable<KeptPlan>{"plan", &Catalog::plans, &Transaction::plans},
    CatalogTable<PollingSource>{"source", &Catalog::sources, &Transaction::sources, true},
    CatalogTable<PollBatch>{"poll batch", &Catalog::poll_batches, &Transaction::poll_batches},
    CatalogTable<PollRecord>{"poll record", &Catalog::poll_records, &Transaction::poll_records},
    CatalogTable<PeerState>{"peer state", &Catalog::peer_states, &Transaction::peer_states},
    CatalogTable<WebSession>{"session", &Catalog::sessions, &Transaction::sessions},
    CatalogTable<AllowedOrigin>{"allowed origin", &Catalog::origins, &Transaction::origins, true},
    CatalogTable<ExternalIdentity>{"identity", &Catalog::identities, &Transaction::identities,
                                   true},
};

// What people call an entry; empty where it has no name of its own.
template <class T>
std::string_view entry_title(const T& entry) {
  if constexpr (requires { entry.client_name; })
    return entry.client_name;
  else if constexpr (requires { entry.eppn; })
    return entry.eppn;
  else if constexpr (requires { entry.name; })
    return entry.name;
  else
    return {};
}

// visit(table) for each.
template <class Visit>
void for_each_catalog_table(Visit&& visit) {
  std::apply([&](const auto&... table) { (visit(table), ...); }, kCatalogTables);
}

// Status visit(table) for each, up to the first that fails.
template <class Visit>
Status try_each_catalog_table(Visit&& visit) {
  Status status;
  std::apply(
      [&](const auto&... table) {
        static_cast<void>(((status = visit(table)).has_value() && ...));
      },
      kCatalogTables);
  return status;
}

}  // namespace netml::engine
