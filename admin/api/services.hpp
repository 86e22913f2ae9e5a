// The services of an open node, as every API finds them.
//
// Thread: any.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "admin/access/accounts.hpp"
#include "admin/access/identities.hpp"
#include "admin/access/tokens.hpp"
#include "admin/api/notifier.hpp"
#include "admin/api/policy_watch.hpp"
#include "admin/base/limits.hpp"
#include "admin/base/work_list.hpp"
#include "admin/cluster/member.hpp"
#include "admin/exports/export_deltas.hpp"
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
#include "admin/receipts/receipts.hpp"
#include "admin/settings/rules.hpp"
#include "admin/settings/settings.hpp"
#include "admin/views/views.hpp"
#include "admin/webhooks/webhook_delivery.hpp"
#include "admin/webhooks/webhooks.hpp"
#include "engine/base/current.hpp"

namespace netml::net {
class HttpServer;
}

namespace netml::admin {

// The services of an open node. They outlive every router they are registered on.
struct Services {
  explicit Services(Node& open_node, const cli::Limits& given_limits = {},
                    PasswordCost password_cost = {})
      : node(open_node),
        limits(std::make_shared<const cli::Limits>(given_limits)),
        export_watch(open_node),
        publisher(open_node),
        views(open_node),
        exporter(open_node, publisher, views, given_limits.export_cache_bytes_max),
        deltas(open_node),
        receipts(open_node),
        tokens(open_node),
        accounts(open_node, password_cost),
        identities(open_node),
        sources(open_node),
        intake(open_node, intake_limits(given_limits)),
        poller(open_node, sources, intake),
        polling(open_node, sources, poller),
        webhooks(open_node),
        webhook_delivery(open_node, webhooks, poller),
        rules(open_node),
        audit(open_node),
        undo(open_node, audit),
        plans(open_node),
        notifier(open_node, poller),
        policy_watch(open_node) {}

  static IntakeLimits intake_limits(const cli::Limits& limits) {
    return {limits.uploads_at_once_max, limits.imports_waiting_max, net::upload_limit(limits.http)};
  }
  // Before anything is asked; the server outlives these.
  void be_served_by(const net::HttpServer& http, std::vector<std::string> urls) {
    server = &http;
    listeners = std::move(urls);
  }
  // For requests, files and polls from now on; any thread. What functional tests ask for keeps
  // those of the start.
  void change(const cli::Limits& next, PollRules poll_rules) {
    limits.set(std::make_shared<const cli::Limits>(next));
    exporter.set_cached_bytes_max(next.export_cache_bytes_max);
    intake.change(intake_limits(next));
    poller.set_rules(std::move(poll_rules));
    node.set_file_limits(next.files);
  }

  Node& node;
  Current<const cli::Limits> limits;
  ExportWatch export_watch;
  Publisher publisher;
  Views views;
  Exporter exporter;
  ExportDeltas deltas;
  Receipts receipts;
  Tokens tokens;
  Accounts accounts;
  Identities identities;
  Sources sources;
  Intake intake;
  Poller poller;
  Polling polling;
  Webhooks webhooks;
  WebhookDelivery webhook_delivery;
  Rules rules;
  Audit audit;
  Undo undo;
  ImportPlans plans;
  Notifier notifier;
  PolicyWatch policy_watch;
  WorkList works;  // that commands follow
  PasswordRule password_rule = PasswordRule::production;
  const PollSchedule* schedule = nullptr;   // where a server runs
  const ClusterMember* cluster = nullptr;   // of whose cluster the node is; null: alone
  const net::HttpServer* server = nullptr;  // where one runs
  std::vector<std::string> listeners;       // URLs; empty when no server runs
};

}  // namespace netml::admin
