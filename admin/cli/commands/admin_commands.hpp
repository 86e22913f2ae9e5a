// Commands about the node itself: its first topology, published items, tokens, settings, status
// and the state of what is stored.
#pragma once

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

CommandOutcome run_command(const InitOptions& options, Client& client);
CommandOutcome run_command(const PublishOptions& options, Client& client);
CommandOutcome run_command(const PublishedList& options, Client& client);
CommandOutcome run_command(const PublishedShow& options, Client& client);
CommandOutcome run_command(const PublishedDelete& options, Client& client);
CommandOutcome run_command(const TokenCreate& options, Client& client);
CommandOutcome run_command(const TokenList& options, Client& client);
CommandOutcome run_command(const TokenDelete& options, Client& client);
CommandOutcome run_command(const SettingList& options, Client& client);
CommandOutcome run_command(const SettingGet& options, Client& client);
CommandOutcome run_command(const SettingSet& options, Client& client);
CommandOutcome run_command(const SettingReset& options, Client& client);
CommandOutcome run_command(const CheckpointOptions& options, Client& client);
CommandOutcome run_command(const VerifyOptions& options, Client& client);
CommandOutcome run_command(const KeyCreate& options, Client& client);
CommandOutcome run_command(const StatusOptions& options, Client& client);

}  // namespace netml::admin::cli
