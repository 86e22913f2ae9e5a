// What the public endpoints need from the layers above, as small abstract classes.
//
// Owner: whoever wires the server; every port outlives it.
// Threads: all functions are called on worker threads, several at once, and may block, except
// ReadinessState, which must not.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "engine/graph/document.hpp"
#include "net/http/http.hpp"

namespace netml::net {

// --- Tokens (docs/requirements/http-api.md, section 4) -------------------------------------------

enum class TokenKind : std::uint8_t { polling, import };

struct Identity {
  std::string client_name;
  std::uint64_t token_id = 0;
};

class TokenChecker {
 public:
  virtual ~TokenChecker() = default;
  // Who holds this token, if it is of that kind and valid now. In constant time with regard to
  // the value (A3). `value` is empty when the request had no well-formed bearer token; the look-up
  // is made all the same, so that the answer's time tells nothing (A2).
  virtual std::optional<Identity> check(std::string_view value, TokenKind wanted) = 0;
  // Told of credentials that opened nothing (A8). True: there were too many from that address, so
  // the connection ends with the answer. Good tokens from there go on opening.
  virtual bool refused(std::string_view client_address) = 0;
};

// --- Accounts (docs/requirements/http-api.md, section 1, class "basic") --------------------------

struct AccountIdentity {
  std::string name;
  bool staff = false;  // may change what the node holds
};

class AccountChecker {
 public:
  virtual ~AccountChecker() = default;
  // Who that is, if the password is theirs. Both may be empty: then nobody, at the same cost (A7).
  virtual std::optional<AccountIdentity> check(const std::string& name,
                                               const std::string& password) = 0;
};

// --- Readiness (O1) ----------------------------------------------------------------------------

enum class Readiness : std::uint8_t { ready, read_only };

class ReadinessState {
 public:
  virtual ~ReadinessState() = default;
  // Without lock and disk.
  virtual Readiness readiness() const = 0;
  // Whether peers can collect the map, as a JSON object for `/status/`; empty: it is not told.
  virtual std::string export_state() const { return {}; }
};

// --- Export (docs/requirements/http-api.md, sections 7 and 8) ------------------------------------

enum class ExportKind : std::uint8_t {
  configured,  // live or published, as the supply-type setting says
  live,
  published,
};

enum class ExportProblem : std::uint8_t {
  missing_root_topology,        // none marked main, or several
  missing_root_topology_owner,  // the main topology has no owner
  no_topology_owner,            // a topology below it has none
  nothing_published,
  busy,
  other,  // the service has logged the cause under the request id
};

struct Export {
  bool published = false;  // decides the file name
  std::string etag;        // strong, without quotes: equal bytes have equal tags
  Instant last_modified;
  std::string head;     // "LSN:hash" of the state shown; empty = header left out
  std::string omitted;  // what of the data the file does not contain, in words; empty = nothing
  Body body;            // holds its version until it is destroyed
};

class ExportService {
 public:
  virtual ~ExportService() = default;
  // Cheap: bytes are made only as the body is pulled, and not at all for HEAD and 304.
  virtual tl::expected<Export, ExportProblem> open(ExportKind kind, const Request& request) = 0;
};

// --- Import (docs/requirements/http-api.md, section 9; decisions 10 and 25) ----------------------

struct UploadInfo {
  std::string file_name;  // a label; its extension is one of the accepted ones
  Identity identity;
  std::string request_id;
  std::string client_address;
  std::optional<std::uint64_t> body_bytes;  // of the whole request, when declared
};

// Text parts may come before or after the file, so they are known only at the end.
struct UploadFields {
  std::optional<std::string> parent_topology_id;  // absent when empty
  std::optional<std::string> topology_name;
};

struct ImportAccepted {
  std::uint64_t record_id = 0;
};

enum class ImportRefusal : std::uint8_t {
  invalid,         // 400, with the errors found
  unknown_parent,  // 400
  name_required,   // 400: a spreadsheet without topology_name
  held,            // 409: it would delete too much; an administrator decides
  too_large,       // 413: beyond the memory budget
  busy,            // 503
  no_space,        // 507
  read_only,       // 503
  failed,          // 500; the service has logged the cause under the request id
};

struct ImportRefused {
  ImportRefusal reason = ImportRefusal::failed;
  std::string detail;
  std::vector<engine::InputError> errors;  // the first 1,000
  std::uint64_t error_count = 0;
  std::chrono::seconds retry_after{5};  // for busy
};

using ImportOutcome = std::variant<ImportAccepted, ImportRefused>;

// One upload on its way to disk. Destroyed without finish() = abandoned: nothing may remain of it.
class Upload {
 public:
  virtual ~Upload() = default;
  virtual std::optional<ImportRefused> write(std::string_view piece) = 0;
  // Returns once the answer may be given: under `Result` when the import is durable and visible.
  virtual ImportOutcome finish(const UploadFields& fields) = 0;
};

enum class ImportState : std::uint8_t { in_progress, complete, complete_with_warnings, aborted };

struct ImportRecord {
  std::uint64_t id = 0;
  WallTime imported_at;
  ImportState state = ImportState::in_progress;
  std::string message;  // the import log
  std::string name;     // of the file
};

// What 400 and 406 look like: an object with all that is known, or one text, as clients of the
// reference node expect it (decision 25).
enum class RefusalShape : std::uint8_t { object, text };

class ImportService {
 public:
  virtual ~ImportService() = default;
  virtual RefusalShape refusal_shape() const { return RefusalShape::object; }
  // Before the body is read: room on the disk, room in the queue (E3). `declared`: Content-Length.
  virtual std::optional<ImportRefused> admit(std::optional<std::uint64_t> declared) = 0;
  virtual tl::expected<std::unique_ptr<Upload>, ImportRefused> begin(const UploadInfo& info) = 0;
  // The record, if this token made it.
  virtual std::optional<ImportRecord> record(std::uint64_t id, const Identity& identity) = 0;
};

}  // namespace netml::net
