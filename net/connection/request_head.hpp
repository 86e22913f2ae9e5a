// From bytes to a Request: finds the end of a head, parses it (Beast's parser), and refuses what
// that parser lets through (rules X3 and X5).
//
// Thread: any (pure functions).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "net/connection/server_options.hpp"
#include "net/http/http.hpp"

namespace netml::net {

// Looks for the end of a head as bytes arrive, each byte once. Line ends other than CR LF and
// folded lines are refused here, so that no rule below depends on how a line could be read.
class HeadScanner {
 public:
  explicit HeadScanner(const Limits& limits) : limits_(limits) {}

  // `bytes` begins with the head and has grown since the last call. Nothing = more is needed;
  // else the head's size, or the refusal.
  std::optional<tl::expected<std::size_t, Response>> scan(std::string_view bytes);
  bool has_request_line() const { return lines_ > 0; }

 private:
  std::optional<Response> end_line(std::string_view bytes);

  const Limits& limits_;
  std::size_t scanned_ = 0;
  std::size_t line_begin_ = 0;
  std::size_t lines_ = 0;
};

struct ParsedHead {
  std::string method;
  std::string target;
  unsigned version = 11;
  Headers headers;
  bool keep_alive = false;
  bool expects_continue = false;
  bool chunked = false;
  std::optional<std::uint64_t> content_length;
};

// `head`: whole, with its blank line.
tl::expected<ParsedHead, Response> parse_head(std::string_view head);

// Who is at the other end.
struct RemoteEnd {
  std::string address;        // empty on a UNIX-domain socket
  std::string local_address;  // of our end of this connection
  bool tls = false;
  bool control = false;
};

// The request that handlers see, without its id.
tl::expected<Request, Response> make_request(ParsedHead head, const RemoteEnd& peer,
                                             const ServerOptions& options);

}  // namespace netml::net
