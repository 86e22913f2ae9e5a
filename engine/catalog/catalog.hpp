// Everything an administrator can see or set besides the graph: tokens, settings, import records,
// published items, accounts, rules, kept plans, polling sources and what polls found,
// sign-ins, allowed origins and identities from elsewhere. It lives in the same journal and the
// same versions as the graph.
//
// Entries are immutable; a table maps small numbers, given from 1 and never reused, to entries.
// Thread: any (immutable).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/digest.hpp"
#include "engine/base/ids.hpp"
#include "engine/base/time.hpp"
#include "engine/catalog/rules.hpp"
#include "engine/graph/persistent_vector.hpp"

namespace netml::engine {

// A bearer token (docs/requirements/http-api.md, section 4). The value itself is never here: `mac`
// finds it, `ciphertext` lets a signed-in administrator see it (rules A3 and A4).
enum class TokenKind : std::uint8_t { polling = 0, import = 1, none = 2 };  // none opens nothing
struct Token {
  std::string client_name;
  TokenKind kind = TokenKind::polling;
  std::array<std::byte, 32> mac{};  // HMAC-SHA-256 of the value under the node key
  std::string ciphertext;           // empty: kept nowhere, so it cannot be shown
  Instant created;
  std::uint64_t shown = 0;  // how often somebody had the value shown
  bool operator==(const Token&) const = default;
};

struct Setting {
  std::string name;
  std::string value;
  bool operator==(const Setting&) const = default;
};

// docs/requirements/importing.md, section 3.
enum class ImportStatus : std::uint8_t { in_progress = 0, complete = 1, warnings = 2, aborted = 3 };
// "Import complete" and its kin.
const char* import_status_phrase(ImportStatus status);
// "1: Import complete", as records keep it.
std::string import_status_text(ImportStatus status);

struct ImportCounts {
  std::uint64_t parsed = 0;
  std::uint64_t imported = 0;
  bool operator==(const ImportCounts&) const = default;
};

enum class ImportSource : std::uint8_t { admin = 0, api = 1, command_line = 2, poll = 3 };
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
  bool operator==(const ImportRecord&) const = default;
};

// docs/requirements/polling-and-publishing.md, section 11.
enum class PublishedStatus : std::uint8_t { pending = 0, success = 1, failed = 2 };
struct PublishedItem {
  PublishedStatus status = PublishedStatus::pending;
  std::string name;
  std::string description;
  std::string version;  // UTC time as YYYY-MM-DDTHHMMSS
  Instant file_date;
  Lsn lsn;              // the state that was published; 0 when none was
  std::string failure;  // why none was, for people
  bool operator==(const PublishedItem&) const = default;
};

// Who may sign in (decision 38). Each role may do all that the one before it may.
enum class Role : std::uint8_t { viewer = 0, editor = 1, admin = 2 };
// "viewer" and its kin.
const char* role_name(Role role);
std::optional<Role> parse_role(std::string_view text);

struct Account {
  std::string name;  // unique, as spelled
  std::string email;
  Role role = Role::viewer;
  bool enabled = true;
  std::string sealed_password;  // the Argon2id string, encrypted under the node key; never the text
  Instant created;
  bool operator==(const Account&) const = default;
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
  bool operator==(const KeptPlan&) const = default;
};

// A peer that is polled (docs/requirements/polling-and-publishing.md, section 2). Nothing that
// polling finds out is kept here, so an entry changes only when somebody changes it.
enum class Protocol : std::uint8_t { https = 0, http = 1 };
// What its maps may change besides what came from it first (engine/import/source_authority.hpp).
enum class SourceAuthority : std::uint8_t { own = 0, listed = 1, any = 2 };
// "own" and its kin.
const char* authority_name(SourceAuthority authority);
std::optional<SourceAuthority> parse_authority(std::string_view text);
struct PollingSource {
  std::string name;  // unique
  Protocol protocol = Protocol::https;
  std::string hostname;
  std::uint16_t port = 443;
  std::string path;  // empty, or ends with a slash
  bool active = true;
  std::string sealed_token;  // encrypted under the node key; empty = none
  bool plain_http = false;   // somebody said that the token may travel in clear (decision 32)
  bool unverified = false;   // certificates are not checked; development mode only
  SourceAuthority authority = SourceAuthority::own;
  std::string ca_certificates;  // PEM; those of the system when empty
  Instant created;
  // The mass-deletion guard for its maps (engine/import/deletions.hpp); none = as the settings say.
  std::optional<std::uint32_t> deletions_max;
  std::optional<std::uint32_t> deletion_percent_max;
  std::vector<std::string> listed_topologies;  // identifiers; they count with `listed` alone
  bool operator==(const PollingSource&) const = default;
};

// One run over a list of sources (docs/requirements/polling-and-publishing.md, section 5).
struct PollBatch {
  bool scheduled = false;
  Instant started;
  bool finished = false;  // all its records are final
  std::uint64_t milliseconds = 0;
  bool operator==(const PollBatch&) const = default;
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
  bool operator==(const PeerState&) const = default;
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
};

// A web page elsewhere that may show the map (docs/requirements/administration.md, section 5).
struct AllowedOrigin {
  std::string name;    // unique
  std::string origin;  // unique; scheme, host and port exactly as browsers send it
  bool active = true;
  bool operator==(const AllowedOrigin&) const = default;
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
};

// One table. Numbers are given by the transaction that creates an entry.
template <class T>
class Table {
 public:
  using Entry = std::shared_ptr<const T>;

  std::uint64_t next_number() const { return entries_.size() == 0 ? 1 : entries_.size(); }
  Entry find(std::uint64_t number) const {
    return number < entries_.size() ? entries_.at(number) : nullptr;
  }
  std::size_t count() const { return count_; }

  // visit(number, const T&), ascending.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint64_t number = 1; number < entries_.size(); ++number)
      if (const Entry& entry = entries_.at(number)) visit(number, *entry);
  }
  // The number of the first entry for which `matches(const T&)`; 0 if none.
  template <class Matches>
  std::uint64_t find_if(Matches&& matches) const {
    for (std::uint64_t number = 1; number < entries_.size(); ++number)
      if (const Entry& entry = entries_.at(number); entry && matches(*entry)) return number;
    return 0;
  }

  // An empty entry removes.
  void set(std::uint64_t number, Entry entry) {
    if (number >= entries_.size()) entries_.resize(number + 1);
    if (entries_.at(number)) --count_;
    if (entry) ++count_;
    entries_.set(number, std::move(entry));
  }

 private:
  PersistentVector<Entry, 32> entries_;  // [0] unused
  std::size_t count_ = 0;
};

struct Catalog {
  Table<Token> tokens;
  Table<Setting> settings;
  Table<ImportRecord> imports;
  Table<PublishedItem> published;
  Table<Account> accounts;
  Table<Ruleset> rulesets;
  Table<Rule> rules;
  Table<KeptPlan> plans;
  Table<PollingSource> sources;
  Table<PollBatch> poll_batches;
  Table<PollRecord> poll_records;
  Table<PeerState> peer_states;
  Table<WebSession> sessions;
  Table<AllowedOrigin> origins;
  Table<ExternalIdentity> identities;
};

// The value stored for a setting; nothing when it has none, so that its default holds.
std::optional<std::string> setting(const Catalog& catalog, std::string_view name);

// The account's number; 0 if nobody has that name.
std::uint64_t find_account(const Catalog& catalog, std::string_view name);

// The source's number; 0 if there is none of that name.
std::uint64_t find_source(const Catalog& catalog, std::string_view name);

// The latest good published item's number; 0 if there is none.
std::uint64_t latest_published(const Catalog& catalog);

}  // namespace netml::engine
