// What the tables of the catalog hold: tokens, settings, import records, published items, accounts,
// stored plans, polling sources and what polls found, sign-ins, allowed origins and identities from
// elsewhere. Rules are in engine/catalog/rules.hpp. Each entity describes itself, see
// engine/catalog/entry_fields.hpp.
//
// Thread: any (immutable once they are stored).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/digest.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/catalog/entry_fields.hpp"
#include "engine/graph/record.hpp"

namespace netml::engine {

// A bearer token (docs/requirements/http-api.md, section 4). The value itself is never here: `mac`
// finds it, `ciphertext` lets a signed-in administrator see it (rules A3 and A4).
enum class TokenKind : std::uint8_t { polling = 0, import = 1, none = 2 };  // none opens nothing
template <>
inline constexpr auto kNamesOf<TokenKind> = enum_names("token kind", {"polling", "import", "none"});
struct Token {
  std::string client_name;
  TokenKind kind = TokenKind::polling;
  std::array<std::byte, 32> mac{};  // HMAC-SHA-256 of the value under the node key
  std::string ciphertext;           // empty: kept nowhere, so it cannot be shown
  Instant created;
  std::uint64_t shown = 0;  // how often somebody had the value shown
  std::uint64_t view = 0;   // what its holder sees the map through; 0 = all of it
  bool operator==(const Token&) const = default;

  static constexpr EntryKind kKind{.name = "token", .table = "tokens", .role = 4, .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("client_name", &Token::client_name,
              {.reported_as = "name", .characters_max = 255, .index = Index::exact, .title = true}),
        field("kind", &Token::kind),
        field("mac", &Token::mac,
              {.reported_as = "value",
               .shown = Shown::change,
               .index = Index::exact,
               .reported_before = 5}),
        field("ciphertext", &Token::ciphertext, {.shown = Shown::nothing}),
        field("created", &Token::created),
        field("shown", &Token::shown, {.added = 1}),
        field("view", &Token::view, {.index = Index::exact, .added = 2})};
  }
};

struct Setting {
  std::string name;
  std::string value;
  bool operator==(const Setting&) const = default;

  static constexpr EntryKind kKind{
      .name = "setting", .table = "settings", .role = 5, .undone = true};
  static consteval auto fields() {
    return std::tuple{field("name", &Setting::name, {.index = Index::exact, .title = true}),
                      field("value", &Setting::value)};
  }
};

// docs/requirements/importing.md, section 3.
enum class ImportStatus : std::uint8_t { in_progress = 0, complete = 1, warnings = 2, aborted = 3 };
template <>
inline constexpr auto kNamesOf<ImportStatus> =
    enum_names("import status", {"Import in progress", "Import complete",
                                 "Import completed, with warnings", "Import aborted"});
// "1: Import complete", as records keep it.
std::string import_status_text(ImportStatus status);

struct ImportCounts {
  std::uint64_t parsed = 0;
  std::uint64_t imported = 0;
  bool operator==(const ImportCounts&) const = default;
};

enum class ImportSource : std::uint8_t { admin = 0, api = 1, command_line = 2, poll = 3 };
template <>
inline constexpr auto kNamesOf<ImportSource> =
    enum_names("import source", {"admin", "api", "command_line", "poll"});
struct ImportRecord {
  ImportStatus status = ImportStatus::in_progress;
  ImportSource source = ImportSource::api;
  std::string name;               // of the file, as the client gave it
  std::string token_client_name;  // empty when no token was used
  std::uint64_t token = 0;        // its table number; 0 = none
  RecordId parent_topology;       // none = top level
  std::string topology_name;
  Instant imported_at;
  Sha256 file_hash{};
  std::uint64_t file_bytes = 0;
  std::array<ImportCounts, kKindCount> counts{};  // by Kind
  std::string message;                            // the import log
  std::string format;                             // that was named; empty: as the name says
  std::string owner;                              // of what the file names no owner of
  // The file is what changed since these, by their hashes: one that is whole, and changes of that.
  // Empty: it is whole.
  std::vector<std::string> changes_of;
  bool operator==(const ImportRecord&) const = default;

  static constexpr EntryKind kKind{.name = "import record", .table = "imports", .role = 6};
  static consteval auto fields() {
    return std::tuple{
        field("status", &ImportRecord::status, {.index = Index::exact}),
        field("source", &ImportRecord::source, {.shown = Shown::nothing}),
        field("name", &ImportRecord::name, {.title = true}),
        field("token_client_name", &ImportRecord::token_client_name, {.reported_as = "token"}),
        field("token", &ImportRecord::token, {.shown = Shown::nothing}),
        field("parent_topology", &ImportRecord::parent_topology, {.shown = Shown::nothing}),
        field("topology_name", &ImportRecord::topology_name),
        field("imported_at", &ImportRecord::imported_at),
        field("file_hash", &ImportRecord::file_hash, {.reported_as = "file", .zero_is_none = true}),
        field("file_bytes", &ImportRecord::file_bytes),
        field("counts", &ImportRecord::counts),
        field("message", &ImportRecord::message),
        field("format", &ImportRecord::format, {.added = 1}),
        field("owner", &ImportRecord::owner, {.added = 1}),
        field("changes_of", &ImportRecord::changes_of, {.shown = Shown::nothing, .added = 2})};
  }
};

// docs/requirements/polling-and-publishing.md, section 11.
enum class PublishedStatus : std::uint8_t { pending = 0, success = 1, failed = 2 };
template <>
inline constexpr auto kNamesOf<PublishedStatus> =
    enum_names("published status", {"pending", "success", "failed"});
struct PublishedItem {
  PublishedStatus status = PublishedStatus::pending;
  std::string name;
  std::string description;
  std::string version;  // UTC time as YYYY-MM-DDTHHMMSS
  Instant file_date;
  Lsn lsn;              // the state that was published; 0 when none was
  std::string failure;  // why none was, for people
  bool operator==(const PublishedItem&) const = default;

  static constexpr EntryKind kKind{.name = "published item", .table = "published", .role = 7};
  static consteval auto fields() {
    return std::tuple{
        field("status", &PublishedItem::status, {.index = Index::exact, .reported_before = 3}),
        field("name", &PublishedItem::name,
              {.characters_max = kNameCharactersMax, .index = Index::exact, .title = true}),
        field("description", &PublishedItem::description),
        field("version", &PublishedItem::version),
        field("file_date", &PublishedItem::file_date),
        field("lsn", &PublishedItem::lsn),
        field("failure", &PublishedItem::failure)};
  }
};

// Who may sign in (decision 38). Each role may do all that the one before it may.
enum class Role : std::uint8_t { viewer = 0, editor = 1, admin = 2 };
template <>
inline constexpr auto kNamesOf<Role> = enum_names("role", {"viewer", "editor", "admin"});

struct Account {
  std::string name;  // unique, as spelled
  std::string email;
  Role role = Role::viewer;
  bool enabled = true;
  std::string sealed_password;  // the Argon2id string, encrypted under the node key; never the text
  Instant created;
  bool operator==(const Account&) const = default;

  static constexpr EntryKind kKind{
      .name = "account", .table = "accounts", .role = 8, .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("name", &Account::name,
              {.characters_max = 150, .index = Index::caseless, .title = true}),
        field("email", &Account::email, {.characters_max = 254}),
        field("role", &Account::role, {.index = Index::exact}),
        field("enabled", &Account::enabled),
        field("sealed_password", &Account::sealed_password,
              {.reported_as = "password", .shown = Shown::change, .reported_before = 6}),
        field("created", &Account::created)};
  }
};

// An import that was planned and not done (docs/import-plans.md): the file, where it goes, and what
// it would change.
struct KeptPlan {
  std::string name;  // of the file, as the client gave it
  ImportSource source = ImportSource::command_line;
  std::string token_client_name;  // as in ImportRecord
  std::uint64_t token = 0;
  RecordId parent_topology;
  std::string topology_name;
  Sha256 file_hash{};
  std::uint64_t file_bytes = 0;
  Instant planned_at;
  Lsn lsn;         // of the state that it was planned on
  Digest effects;  // engine/transaction/planned_effects.hpp
  std::uint64_t created = 0;
  std::uint64_t updated = 0;
  std::uint64_t deleted = 0;
  std::uint64_t import_record = 0;  // of the import that was held; 0 = none
  std::string held_because;         // of that import
  std::string format;               // as in ImportRecord
  std::string owner;
  bool operator==(const KeptPlan&) const = default;

  static constexpr EntryKind kKind{.name = "plan", .table = "plans", .role = 11};
  static consteval auto fields() {
    return std::tuple{
        field("name", &KeptPlan::name, {.title = true}),
        field("source", &KeptPlan::source, {.shown = Shown::nothing}),
        field("token_client_name", &KeptPlan::token_client_name, {.reported_as = "token"}),
        field("token", &KeptPlan::token, {.shown = Shown::nothing}),
        field("parent_topology", &KeptPlan::parent_topology, {.shown = Shown::nothing}),
        field("topology_name", &KeptPlan::topology_name),
        field("file_hash", &KeptPlan::file_hash, {.reported_as = "file", .index = Index::exact}),
        field("file_bytes", &KeptPlan::file_bytes),
        field("planned_at", &KeptPlan::planned_at),
        field("lsn", &KeptPlan::lsn),
        field("effects", &KeptPlan::effects, {.shown = Shown::nothing}),
        field("created", &KeptPlan::created),
        field("updated", &KeptPlan::updated),
        field("deleted", &KeptPlan::deleted),
        field("import_record", &KeptPlan::import_record,
              {.shown = Shown::nothing, .index = Index::exact}),
        field("held_because", &KeptPlan::held_because),
        field("format", &KeptPlan::format, {.added = 1}),
        field("owner", &KeptPlan::owner, {.added = 1})};
  }
};

// A peer that is polled (docs/requirements/polling-and-publishing.md, section 2). Nothing that
// polling finds out is kept here, so an entry changes only when somebody changes it.
enum class Protocol : std::uint8_t { https = 0, http = 1 };
template <>
inline constexpr auto kNamesOf<Protocol> = enum_names("protocol", {"https", "http"});
// What its maps may change besides what came from it first (engine/import/source_authority.hpp).
enum class SourceAuthority : std::uint8_t { own = 0, listed = 1, any = 2 };
template <>
inline constexpr auto kNamesOf<SourceAuthority> = enum_names("authority", {"own", "listed", "any"});
// What answers there, and so how it is asked (docs/polling.md).
enum class SourceKind : std::uint8_t { netml = 0, netbox = 1 };
template <>
inline constexpr auto kNamesOf<SourceKind> = enum_names("kind", {"netml", "netbox"});
struct PollingSource {
  std::string name;  // unique
  Protocol protocol = Protocol::https;
  std::string hostname;
  std::uint16_t port = 443;
  std::string path;  // empty, or ends with a slash
  bool active = true;
  std::string sealed_token;     // encrypted under the node key; empty = none
  bool plain_http = false;      // somebody said that the token may travel in clear (decision 32)
  bool unverified = false;      // certificates are not checked; development mode only
  std::string ca_certificates;  // PEM; those of the system when empty
  Instant created;
  // The mass-deletion guard for its maps (engine/import/deletions.hpp); none = as the settings say.
  std::optional<std::uint32_t> deletions_max;
  std::optional<std::uint32_t> deletion_percent_max;
  SourceAuthority authority = SourceAuthority::own;
  std::vector<std::string> listed_topologies;  // identifiers; they count with `listed` alone
  SourceKind kind = SourceKind::netml;
  std::vector<std::string> filters;  // of a NetBox: which sites, as "region=europe"; none = all
  std::string mapping;               // of a NetBox: what becomes of it; empty = the usual one
  bool operator==(const PollingSource&) const = default;

  static constexpr EntryKind kKind{
      .name = "source", .table = "sources", .role = 13, .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("name", &PollingSource::name, {.index = Index::exact, .title = true}),
        field("protocol", &PollingSource::protocol),
        field("hostname", &PollingSource::hostname),
        field("port", &PollingSource::port),
        field("path", &PollingSource::path),
        field("active", &PollingSource::active),
        field("sealed_token", &PollingSource::sealed_token,
              {.reported_as = "token", .shown = Shown::change, .reported_before = 15}),
        field("plain_http", &PollingSource::plain_http),
        field("unverified", &PollingSource::unverified),
        field("ca_certificates", &PollingSource::ca_certificates),
        field("created", &PollingSource::created),
        field("deletions_max", &PollingSource::deletions_max),
        field("deletion_percent_max", &PollingSource::deletion_percent_max),
        field("authority", &PollingSource::authority, {.added = 1}),
        field("listed_topologies", &PollingSource::listed_topologies, {.added = 1}),
        field("kind", &PollingSource::kind, {.added = 2}),
        field("filters", &PollingSource::filters, {.added = 2}),
        field("mapping", &PollingSource::mapping, {.added = 3})};
  }
};

// One run over a list of sources (docs/requirements/polling-and-publishing.md, section 5).
struct PollBatch {
  bool scheduled = false;
  Instant started;
  bool finished = false;  // all its records are final
  std::uint64_t milliseconds = 0;
  bool operator==(const PollBatch&) const = default;

  static constexpr EntryKind kKind{.name = "poll batch", .table = "poll_batches", .role = 15};
  static consteval auto fields() {
    return std::tuple{field("scheduled", &PollBatch::scheduled),
                      field("started", &PollBatch::started),
                      field("finished", &PollBatch::finished, {.index = Index::exact}),
                      field("milliseconds", &PollBatch::milliseconds)};
  }
};

// What a batch did with one source. A crash leaves it pending: what happens in between is not
// journaled.
enum class PollStatus : std::int8_t {
  aborted = -1,
  pending = 0,
  polling = 1,
  polled = 2,
  importing = 3,
  complete = 4
};
// Audits tell its number.
template <>
inline constexpr auto kNamesOf<PollStatus> =
    enum_names("poll status", {"-1", "0", "1", "2", "3", "4"}, -1);
struct PollRecord {
  std::uint64_t batch = 0;
  std::uint64_t source = 0;
  PollStatus status = PollStatus::pending;
  std::string reason;               // of one that was aborted, for programs
  std::uint16_t http_status = 0;    // that the peer answered with; 0 = none
  std::string message;              // at most 255 bytes
  std::uint64_t import_record = 0;  // 0 = none; it may be gone
  std::optional<Instant> polled_at;
  std::uint64_t poll_milliseconds = 0;
  std::optional<Instant> imported_at;
  std::uint64_t import_milliseconds = 0;
  bool operator==(const PollRecord&) const = default;

  static constexpr EntryKind kKind{.name = "poll record", .table = "poll_records", .role = 14};
  static consteval auto fields() {
    return std::tuple{field("batch", &PollRecord::batch, {.index = Index::exact}),
                      field("source", &PollRecord::source, {.index = Index::exact}),
                      field("status", &PollRecord::status, {.index = Index::exact}),
                      field("reason", &PollRecord::reason),
                      field("http_status", &PollRecord::http_status),
                      field("message", &PollRecord::message),
                      field("import_record", &PollRecord::import_record, {.index = Index::exact}),
                      field("polled_at", &PollRecord::polled_at),
                      field("poll_milliseconds", &PollRecord::poll_milliseconds),
                      field("imported_at", &PollRecord::imported_at),
                      field("import_milliseconds", &PollRecord::import_milliseconds)};
  }

  bool final() const { return status == PollStatus::aborted || status == PollStatus::complete; }
};

// What polling found out about a peer; its number is that of the source.
struct PeerState {
  std::string url;             // where; of another address nothing here holds
  bool by_alias = false;       // it knows the export by its GRENML name only
  std::string etag;            // of the file that was imported last; empty = none
  Sha256 file_hash{};          // of that file
  RecordId root;               // the topology that it became; none = ask for the whole file
  RecordId parent;             // which it went below
  std::uint64_t failures = 0;  // in a row
  std::optional<Instant> succeeded_at;
  std::optional<Instant> failed_at;
  std::optional<Instant> waits_until;  // the schedule passes it over before
  // That its maps were the first to bring, ascending. None: written before this was kept; then they
  // are those that came with `root` last.
  std::optional<std::vector<RecordId>> topologies;
  std::vector<std::string> changes_of;  // of the file, as ImportRecord has it
  bool operator==(const PeerState&) const = default;

  static constexpr EntryKind kKind{.name = "peer state", .table = "peer_states", .role = 16};
  static consteval auto fields() {
    return std::tuple{field("url", &PeerState::url),
                      field("by_alias", &PeerState::by_alias),
                      field("etag", &PeerState::etag),
                      field("file_hash", &PeerState::file_hash, {.zero_is_none = true}),
                      field("root", &PeerState::root),
                      field("parent", &PeerState::parent),
                      field("failures", &PeerState::failures),
                      field("succeeded_at", &PeerState::succeeded_at),
                      field("failed_at", &PeerState::failed_at),
                      field("waits_until", &PeerState::waits_until),
                      field("topologies", &PeerState::topologies, {.added = 1}),
                      field("changes_of", &PeerState::changes_of, {.added = 2})};
  }
};

// Somebody signed in to the administration site (rule A10). What the browser holds is never here,
// only its SHA-256. One that ended is kept while it is the account's last.
struct WebSession {
  Sha256 secret_hash{};
  std::uint64_t account = 0;  // its table number
  Instant created;
  Instant ended;  // 1970: it has not
  std::string address;
  bool operator==(const WebSession&) const = default;

  static constexpr EntryKind kKind{.name = "session", .table = "sessions", .role = 17};
  static consteval auto fields() {
    return std::tuple{
        field("secret_hash", &WebSession::secret_hash,
              {.shown = Shown::nothing, .index = Index::exact}),
        field("account", &WebSession::account, {.index = Index::exact}),
        field("created", &WebSession::created),
        field("ended", &WebSession::ended, {.index = Index::exact, .zero_is_none = true}),
        field("address", &WebSession::address)};
  }
};

// A web page elsewhere that may show the map (docs/requirements/administration.md, section 5).
struct AllowedOrigin {
  std::string name;    // unique
  std::string origin;  // unique; scheme, host and port exactly as browsers send it
  bool active = true;
  bool operator==(const AllowedOrigin&) const = default;

  static constexpr EntryKind kKind{.name = "allowed origin",
                                   .table = "origins",
                                   .role = 19,
                                   .collection = "origins",
                                   .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("name", &AllowedOrigin::name,
              {.characters_max = 140, .index = Index::exact, .unique = true, .title = true}),
        field("origin", &AllowedOrigin::origin,
              {.characters_max = 255, .index = Index::exact, .unique = true}),
        field("active", &AllowedOrigin::active)};
  }
};

// Who comes in through a web server in front that knows who somebody is
// (docs/requirements/administration.md, section 1).
struct ExternalIdentity {
  std::string eppn;  // eduPersonPrincipalName; unique without regard to case
  std::string email = {};
  std::string display_name = {};
  std::string given_name = {};
  std::string family_name = {};
  std::uint64_t account = 0;  // its table number; it may be gone
  bool operator==(const ExternalIdentity&) const = default;

  static constexpr EntryKind kKind{
      .name = "identity", .table = "identities", .role = 23, .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("eppn", &ExternalIdentity::eppn,
              {.characters_max = 150, .index = Index::caseless, .title = true}),
        field("email", &ExternalIdentity::email, {.characters_max = 150}),
        field("display_name", &ExternalIdentity::display_name, {.characters_max = 150}),
        field("given_name", &ExternalIdentity::given_name,
              {.reported_as = "first_name", .characters_max = 150}),
        field("family_name", &ExternalIdentity::family_name,
              {.reported_as = "last_name", .characters_max = 150}),
        field("account", &ExternalIdentity::account, {.index = Index::exact})};
  }
};

}  // namespace netml::engine
