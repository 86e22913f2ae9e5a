// Requests and answers as handlers see them. No type of the HTTP library appears here.
//
// A request is handled in two steps. When its head is complete the route's Handler is called: it
// checks the caller and either answers at once or returns a BodySink. Only then is the body read
// (rule X6), piece by piece into the sink, whose finish() gives the answer.
//
// Threads: handlers, sinks and sources are called on worker threads, for one request never two at
// a time. They may block. Exceptions that escape from them are answered with 500 or 503.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/result.hpp"
#include "engine/base/wording.hpp"
#include "net/http/unique_fd.hpp"

namespace netml::net {

enum class Method : std::uint8_t { get, head, post, put, patch, del, options };
std::string_view method_name(Method method);
std::optional<Method> parse_method(std::string_view text);

// Header fields in the order given; names compare without regard to case. Field counts are small
// by limit, so look-up is a scan.
class Headers {
 public:
  struct Field {
    std::string name;
    std::string value;
  };

  void add(std::string_view name, std::string_view value);
  void set(std::string_view name, std::string_view value);          // replaces all of that name
  void set_default(std::string_view name, std::string_view value);  // unless present
  // The first value of that name, empty when there is none.
  std::string_view get(std::string_view name) const;
  bool has(std::string_view name) const { return count(name) > 0; }
  std::size_t count(std::string_view name) const;
  const std::vector<Field>& fields() const { return fields_; }

 private:
  std::vector<Field> fields_;
};

// Who asks through a trusted proxy whose X-Forwarded-For cannot be read.
inline constexpr std::string_view kUnknownClient = "unknown";

// Whether the client of a request still waits for the answer. Work that takes long asks now and
// then, and ends when nobody will read what it makes. A client that has closed its sending side
// counts as gone: hardly any does that and still waits. Thread: any, while the request is answered.
class ClientPresence {
 public:
  ClientPresence() = default;  // of a request that came by no connection: never leaves
  explicit ClientPresence(int socket) : socket_(socket) {}

  bool has_left() const;

 private:
  int socket_ = -1;
};

// A request whose head is complete and passed all checks of form.
struct Request {
  Method method = Method::get;
  std::string path;   // decoded and normalised once; the spelling asked for, not its alias
  std::string query;  // as received, without '?'
  Headers headers;    // as received when the head was complete; trailers never get here
  std::optional<std::uint64_t> content_length;
  bool chunked = false;
  std::vector<std::string> parameters;  // what the pattern's {fields} matched, in order

  std::string id;  // given by the server; in logs, audit and X-Request-Id
  // Without port; empty on a UNIX-domain socket, kUnknownClient when a proxy does not tell it.
  std::string client_address;
  std::string peer_address;  // of the other end of the connection: the client's, or a proxy's
  bool secure = false;       // over TLS, here or at a trusted proxy
  bool control = false;      // came in by a UNIX-domain socket
  ClientPresence client;

  bool has_body() const { return chunked || content_length.value_or(0) > 0; }
};

// Gives a body piece by piece. Destroyed on a worker or I/O thread once the answer is sent or the
// client has gone; whatever version or file it holds is released then.
class BodySource {
 public:
  virtual ~BodySource() = default;
  // The next piece, valid until the next call; empty = end. An error cuts the connection, so that
  // the client sees an incomplete body.
  virtual Result<std::string_view> next() = 0;
};

struct StreamBody {
  std::unique_ptr<BodySource> source;
  std::optional<std::uint64_t> length;  // absent: sent chunked
  // A piece of this source stays valid during one more call: the next one is made while it is sent.
  bool made_ahead = false;
};

// A range of a file; owned by the answer.
struct FileBody {
  UniqueFd file;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

using Body = std::variant<std::string, StreamBody, FileBody>;

struct Response {
  int status = 200;
  Headers headers;
  Body body = std::string();
  std::string client;  // who was served, for the access log: a token's client name, an account
  bool close = false;  // close the connection after the answer
};

// Takes a request's body, then answers. Destroyed without finish() = the body did not arrive
// whole; everything done so far must be undone.
class BodySink {
 public:
  virtual ~BodySink() = default;
  // A longer body is refused with 413, before it is read when its length is declared.
  virtual NamedLimit bytes_max() const = 0;
  // What of the body it keeps in memory.
  virtual std::size_t kept_bytes() const { return 0; }
  // Whose body it is, where its sender has been recognised already.
  virtual std::string_view client() const { return {}; }
  // An answer here ends the request; the rest of the body is dropped.
  virtual std::optional<Response> write(std::string_view piece) = 0;
  virtual Response finish() = 0;
};

using Answer = std::variant<Response, std::unique_ptr<BodySink>>;
using Handler = std::function<Answer(const Request&)>;

// A sink that keeps a small body in memory and hands it over whole.
std::unique_ptr<BodySink> collect_body(NamedLimit bytes_max,
                                       std::function<Response(std::string body)> answer);

// {"detail": "..."}, at most 1 KiB. `detail` may hold text of the client only through excerpt().
Response refusal(int status, std::string_view detail);
// The status that belongs to the error's code; what concerns our own disk or defects is not
// reported.
Response refusal(const Error& error);
int http_status(Errc code);

Response json_response(int status, std::string body);

// At most 64 characters of a client's text, control and non-ASCII bytes escaped, in quotes.
std::string excerpt(std::string_view text);

// Whether If-None-Match or If-Match names that tag (RFC 9110, 13.1): "*" or a list of tags,
// compared without regard to weakness.
bool etag_matches(std::string_view list, std::string_view quoted);

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string http_date(std::int64_t seconds_since_1970);

// The value of the first cookie of that name; empty when there is none.
std::string_view cookie(const Headers& headers, std::string_view name);

// The value of a parameter in a query or urlencoded body, decoded; nothing when absent.
std::optional<std::string> query_parameter(std::string_view query, std::string_view name);

}  // namespace netml::net
