// All commands, each defined beside what it does: its help, its options, its calls of the API, and
// what it prints.
#pragma once

#include "admin/cli/grammar/command_line.hpp"

namespace netml::admin::cli {

// Of --mapping, wherever a NetBox becomes a map.
inline constexpr const char* kMappingHelp =
    "Of a NetBox: what becomes what, such as nodes=location,owner=provider,topologies=region";

// In the order in which help lists them.
void define_commands(Grammar& grammar);

// The parts of it.
void define_serve(Grammar& grammar);
void define_config(Grammar& grammar);
void define_init(Grammar& grammar);
void define_maps(Grammar& grammar);  // import, export, validate, generate
void define_convert(Grammar& grammar);
void define_published(Grammar& grammar);  // publish and published
void define_tokens(Grammar& grammar);
void define_accounts(Grammar& grammar);
void define_sources(Grammar& grammar);  // source and poll
void define_rules(Grammar& grammar);
void define_quality(Grammar& grammar);
void define_redundancy(Grammar& grammar);
void define_overrides(Grammar& grammar);
void define_policies(Grammar& grammar);
void define_views(Grammar& grammar);
void define_receipts(Grammar& grammar);
void define_settings(Grammar& grammar);
void define_audit(Grammar& grammar);  // log, show, diff, history, replay
void define_watch(Grammar& grammar);
void define_webhooks(Grammar& grammar);
void define_undo(Grammar& grammar);
void define_plans(Grammar& grammar);  // apply and plan
void define_places(Grammar& grammar);
void define_status(Grammar& grammar);
void define_upkeep(Grammar& grammar);  // checkpoint, verify, key
void define_api(Grammar& grammar);
void define_backup(Grammar& grammar);  // archive, downgrade-check, backup, restore
void define_repair(Grammar& grammar);
void define_cluster(Grammar& grammar);
void define_help(Grammar& grammar);

}  // namespace netml::admin::cli
