// Options that say which cluster a node is a member of: of `netml serve`, and of commands that work
// on a cluster. Thread: one at a time.
#pragma once

#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

// The database alone. `options` must live as long as the app.
CLI::Option* add_cluster_option(CLI::App& app, ClusterOptions& options);
// The same where there must be one.
void require_cluster_option(CLI::App& app, ClusterOptions& options);
CLI::Option* add_ca_option(CLI::App& app, ClusterOptions& options);
// All that a server has.
void add_member_options(CLI::App& app, ClusterOptions& options);

// What is wrong with a connection string, or nothing: a password is refused wherever it stands in
// it, as command lines and configuration files are read by many. The text stands in no message.
std::string check_connection(const std::string& text);
std::string check_member_url(const std::string& text);
std::string check_member_name(const std::string& text);

}  // namespace netml::admin::cli
