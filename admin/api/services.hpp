// The services of an open node, as every API finds them.
//
// Thread: any.
#pragma once

#include <string>
#include <vector>

#include "admin/access/accounts.hpp"
#include "admin/access/identities.hpp"
#include "admin/access/tokens.hpp"
#include "admin/api/notifier.hpp"
#include "admin/base/limits.hpp"
#include "admin/exports/export_state.hpp"
#include "admin/exports/exporter.hpp"
#include "admin/exports/publisher.hpp"
#include "admin/history/audit.hpp"
#include "admin/history/undo.hpp"
#include "admin/imports/import_plans.hpp"
#include "admin/imports/intake.hpp"
#include "admin/node/node.hpp"
#include "admin/polling/poll_schedule.hpp"
#include "admin/polling/poller.hpp"
#include "admin/polling/polling.hpp"
#include "admin/polling/sources.hpp"
#include "admin/settings/rules.hpp"
#include "admin/settings/settings.hpp"

namespace netml::admin {

// The services of an open node. They outlive every router they are registered on.
struct Services {
  explicit Services(Node& open_node, const cli::Limits& given_limits = {},
                    PasswordCost password_cost = {})
      : node(open_node),
        limits(given_limits),
        export_watch(open_node),
        publisher(open_node),
        exporter(open_node, publisher, limits.export_cache_bytes_max),
        tokens(open_node),
        accounts(open_node, password_cost),
        identities(open_node),
        sources(open_node),
        intake(open_node, {limits.uploads_at_once_max, limits.imports_waiting_max,
                           net::upload_limit(limits.http)}),
        poller(open_node, sources, intake),
        polling(open_node, sources, poller),
        rules(open_node),
        audit(open_node),
        undo(open_node, audit),
        plans(open_node),
        notifier(open_node, poller) {}

  Node& node;
  const cli::Limits limits;
  ExportWatch export_watch;
  Publisher publisher;
  Exporter exporter;
  Tokens tokens;
  Accounts accounts;
  Identities identities;
  Sources sources;
  Intake intake;
  Poller poller;
  Polling polling;
  Rules rules;
  Audit audit;
  Undo undo;
  ImportPlans plans;
  Notifier notifier;
  PasswordRule password_rule = PasswordRule::production;
  const PollSchedule* schedule = nullptr;  // where a server runs
  std::vector<std::string> listeners;      // URLs; empty when no server runs
};

}  // namespace netml::admin
