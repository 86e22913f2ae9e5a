// What a command line asks for, parsed and checked (docs/requirements/command-line.md).
//
// Every option is taken from the first of these that names it: its flag, the environment variable
// NETML_<OPTION>, the file of --config, its default. An empty variable counts as absent.
//
// Failure: WrongUsage, with a message for the user. Thread: any (pure functions).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <variant>
#include <vector>

#include "admin/base/limits.hpp"
#include "bench/generator/generator.hpp"

namespace netml::admin::cli {

struct GlobalOptions {
  std::string data_directory = "./netml-data";
  bool json = false;
  bool sandbox = false;  // no connection to other nodes
  Limits limits;
  std::optional<std::uint64_t> memory_max;  // bytes; none: what the system allows decides
};

struct ServeOptions {
  std::vector<std::string> listen{"127.0.0.1:8080"};  // HOST:PORT
  std::optional<std::string> tls_certificate;         // both or none
  std::optional<std::string> tls_key;
  std::vector<std::string> allowed_hosts;    // empty = loopback names and own addresses
  std::vector<std::string> poll_allow;       // CIDR
  std::vector<std::string> trusted_proxies;  // CIDR
  std::vector<std::string> sso_proxies;      // CIDR
  std::vector<std::string> admin_eppns;
  bool test_mode = false;
  bool development = false;
  bool read_only = false;
  std::uint32_t shutdown_timeout_s = 10;
};

struct InitOptions {
  std::string name;
  std::string owner;
};

struct ImportOptions {
  std::string file;
  std::optional<std::string> parent;
  std::optional<std::string> topology_name;
  std::optional<std::string> date;  // RFC 3339
  std::optional<std::string> actor;
  bool root = false;
  bool dry_run = false;
  bool plan = false;
};

struct ExportOptions {
  std::optional<std::string> output;  // absent or "-": standard output
  std::optional<std::string> topology;
  std::optional<std::string> format;
  std::optional<std::string> at;  // WHEN, as in docs/audit.md
  bool published = false;
};

struct ValidateOptions {
  std::string file;
};

struct GenerateOptions {
  generator::GeneratorOptions tree;
  std::optional<std::string> output;
};

struct PublishOptions {
  std::string name;
  std::string description;
};

struct PublishedList {};
struct PublishedShow {
  std::string number;
};
struct PublishedDelete {
  std::string number;
};

struct TokenCreate {
  std::string client_name;
  std::string kind;  // "polling" or "import"
};
struct TokenList {};
struct TokenDelete {
  std::string client_name;
};

struct UserCreate {
  std::string name;
  std::string role = "viewer";
  std::string email;
  bool password_stdin = false;
};
struct UserList {};
struct UserPassword {
  std::string name;
  bool password_stdin = false;
};
struct UserDelete {
  std::string name;
};

// What `source add` and `source set` have in common.
struct SourceFieldOptions {
  std::optional<std::string> protocol;  // "https" or "http"
  std::optional<std::string> host;
  std::optional<unsigned> port;
  std::optional<std::string> path;
  bool token_stdin = false;
  bool plain_http = false;
  bool unverified = false;
  std::optional<std::string> ca_file;
  std::optional<std::uint32_t> deletions_max;
  std::optional<std::uint32_t> deletion_percent_max;
  std::optional<std::string> authority;  // "own", "listed" or "any"
  std::vector<std::string> listed_topologies;
};
struct SourceAdd {
  std::string name;
  SourceFieldOptions fields;
  bool inactive = false;
};
struct SourceSet {
  std::string name;
  std::optional<std::string> new_name;
  SourceFieldOptions fields;
  bool no_token = false;
  bool verified = false;
  bool system_ca = false;
  bool no_own_limits = false;
};
struct SourceList {};
struct SourceShow {
  std::string name;
};
struct SourceEnable {
  std::string name;
};
struct SourceDisable {
  std::string name;
};
struct SourceDelete {
  std::string name;
};

struct SourceTest {
  std::vector<std::string> names;  // none: all
  std::vector<std::string> allow;
};
struct SourceLog {
  std::optional<std::uint64_t> poll;
  std::uint64_t limit = 20;
};

struct PollOptions {
  std::vector<std::string> names;  // none: all that are active
  std::vector<std::string> allow;  // CIDR
  bool force = false;
};
struct SourceCollect {
  PollOptions poll;  // with names
};

struct RulesImportFile {
  std::string file;
  bool dry_run = false;
};
struct RulesExport {
  std::optional<std::string> output;  // absent or "-": standard output
};
struct RulesList {};
struct RulesApply {
  std::optional<std::string> ruleset;  // at most one of these; none = all that are enabled
  std::optional<std::string> rule;
  bool dry_run = false;
};
struct RulesTest {
  std::string file;
};
struct RulesRestoreDefaults {};

struct SettingList {};
struct SettingGet {
  std::string name;
};
struct SettingSet {
  std::string name;
  std::string value;
};
struct SettingReset {
  std::string name;
};

// WHEN is text until the node looks at it: what it can be depends on what is stored.
struct LogOptions {
  std::optional<std::string> since;
  std::optional<std::string> until;
  std::optional<std::string> actor;
  std::optional<std::string> cause;
  std::optional<std::string> element;
  std::optional<std::string> topology;
  std::optional<std::uint64_t> limit;
  bool follow = false;
};
struct ShowOptions {
  std::string when;
};
struct DiffOptions {
  std::string from;
  std::string to;
  std::optional<std::string> topology;
};
struct HistoryOptions {
  std::string element;
};
struct ReplayOptions {
  std::string until;
  std::string into;
};

struct UndoOptions {
  std::string what;  // LSN or import:ID
  std::optional<std::string> actor;
  bool dry_run = false;
  bool force = false;
};

struct ApplyOptions {
  std::string number;
  std::optional<std::string> actor;
};
struct PlanList {};
struct PlanShow {
  std::string number;
  std::optional<std::uint64_t> offset;
  std::optional<std::uint64_t> limit;
};
struct PlanAgain {
  std::string number;
  bool dry_run = false;
  std::optional<std::string> actor;
};
struct PlanDelete {
  std::string number;
};

// Any call of the API.
struct ApiOptions {
  std::vector<std::string> call;    // METHOD and PATH, or PATH alone
  std::optional<std::string> body;  // "-": standard input
  bool all = false;
};

struct StatusOptions {};
struct CheckpointOptions {};
struct KeyCreate {};
struct VerifyOptions {
  std::optional<std::string> head;  // "LSN:hash"
  std::optional<std::string> key;   // public, in hexadecimal
};
struct RepairOptions {
  std::uint64_t truncate_at = 0;          // the last LSN that stays
  std::optional<std::uint64_t> accepted;  // transactions that may be lost; none: only asked
};
struct ArchiveOptions {
  std::string directory;
};
struct DowngradeCheckOptions {};
struct BackupOptions {
  std::string file;  // "-": standard output
  bool without_missing_uploads = false;
};
struct RestoreOptions {
  std::string file;
  std::string into;
  std::optional<std::string> key;   // file
  std::optional<std::string> head;  // "LSN:hash"
};
struct ShowVersion {};
struct ShowHelp {
  std::string text;
};

using Command = std::variant<
    ServeOptions, InitOptions, ImportOptions, ExportOptions, ValidateOptions, GenerateOptions,
    PublishOptions, PublishedList, PublishedShow, PublishedDelete, TokenCreate, TokenList,
    TokenDelete, UserCreate, UserList, UserPassword, UserDelete, SourceAdd, SourceSet, SourceList,
    SourceShow, SourceEnable, SourceDisable, SourceDelete, SourceTest, SourceCollect, SourceLog,
    PollOptions, RulesImportFile, RulesExport, RulesList, RulesApply, RulesTest,
    RulesRestoreDefaults, SettingList, SettingGet, SettingSet, SettingReset, LogOptions,
    ShowOptions, DiffOptions, HistoryOptions, ReplayOptions, UndoOptions, ApplyOptions, PlanList,
    PlanShow, PlanAgain, PlanDelete, StatusOptions, CheckpointOptions, VerifyOptions, BackupOptions,
    RestoreOptions, RepairOptions, KeyCreate, ArchiveOptions, DowngradeCheckOptions, ApiOptions,
    ShowVersion, ShowHelp>;

struct CommandLine {
  GlobalOptions global;
  Command command;
};

// The value of an environment variable.
using Variables = std::function<std::optional<std::string>(const std::string& name)>;

// Why a command line cannot be followed.
struct WrongUsage {
  std::string message;  // may have several lines
  bool json = false;    // it asks for JSON all the same
};

// `arguments` without the name of the program.
tl::expected<CommandLine, WrongUsage> parse_command_line(const std::vector<std::string>& arguments,
                                                         const Variables& variables);

}  // namespace netml::admin::cli
