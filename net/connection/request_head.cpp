#include "net/connection/request_head.hpp"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>

#include "engine/base/texts.hpp"
#include "engine/base/wording.hpp"
#include "net/http/head_parser.hpp"

namespace netml::net {
namespace {

namespace http = boost::beast::http;

// Beast checks the syntax of the request line and of each field, Content-Length and the parts of
// Transfer-Encoding that it knows. It sees a whole head at once and no body.
class RequestHeadParser : public HeadParser<true> {
 public:
  std::string method;
  std::string target;
  unsigned version = 0;

 private:
  void on_request_impl(http::verb, text given_method, text given_target, int given_version,
                       error_code&) override {
    method = {given_method.data(), given_method.size()};
    target = {given_target.data(), given_target.size()};
    version = static_cast<unsigned>(given_version);
  }
};

// What 1.81 accepts although two readers could understand it differently.
std::optional<Response> check_framing(const ParsedHead& head) {
  const Headers& headers = head.headers;
  for (const char* name : {"Host", "Authorization", "Content-Type", "Cookie", "Content-Length",
                           "Transfer-Encoding", "Content-Encoding", "Expect"}) {
    if (headers.count(name) > 1) return refusal(400, fmt::format("repeated field {}", name));
  }
  if (headers.has("Transfer-Encoding")) {
    if (headers.has("Content-Length"))
      return refusal(400, "both Transfer-Encoding and Content-Length");
    if (head.version < 11) return refusal(400, "Transfer-Encoding with HTTP/1.0");
    if (!equals_ignoring_case(headers.get("Transfer-Encoding"), "chunked"))
      return refusal(501, "the only Transfer-Encoding understood is 'chunked'");
  }
  if (head.version >= 11 && !headers.has("Host")) return refusal(400, "no Host field");
  const std::string_view expect = headers.get("Expect");
  if (!expect.empty() && !equals_ignoring_case(expect, "100-continue"))
    return refusal(417, "the only expectation understood is '100-continue'");
  return std::nullopt;
}

// The client's address as the last proxy that is not ours saw it. A proxy that names somebody in a
// way that cannot be read does not ask for itself: taken for its own, such a request would count as
// one from this machine wherever the proxy runs on it.
std::string forwarded_address(const Headers& headers, const std::string& peer,
                              const std::vector<IpNetwork>& trusted) {
  std::string client = peer;
  std::optional<std::string> chain;
  for (const Headers::Field& field : headers.fields()) {
    if (!equals_ignoring_case(field.name, "X-Forwarded-For")) continue;
    chain = chain ? *chain + ',' + field.value : field.value;
  }
  while (chain && contains(trusted, client)) {
    const std::size_t comma = chain->rfind(',');
    std::string last(trimmed(comma == chain->npos ? *chain : chain->substr(comma + 1)));
    if (!IpAddress::parse(last)) return std::string(kUnknownClient);
    client = std::move(last);
    if (comma == chain->npos) break;
    chain->resize(comma);
  }
  return client;
}

std::optional<Response> check_hosts(const ParsedHead& head, const Target& target,
                                    const RemoteEnd& peer, const HostAllowList& allowed) {
  const std::string_view field = head.headers.get("Host");
  if (peer.control || (field.empty() && head.version < 11)) return std::nullopt;
  const std::optional<std::string> host = host_name(field);
  if (!host) return refusal(400, "malformed Host field");
  if (!allowed.allows(*host, peer.local_address)) return refusal(400, "host not allowed");
  if (target.authority.empty()) return std::nullopt;
  const std::optional<std::string> other = host_name(target.authority);
  if (!other) return refusal(400, "malformed request target");
  if (!allowed.allows(*other, peer.local_address)) return refusal(421, "misdirected request");
  return std::nullopt;
}

}  // namespace

std::optional<tl::expected<std::size_t, Response>> HeadScanner::scan(std::string_view bytes) {
  for (; scanned_ < bytes.size(); ++scanned_) {
    const bool line_ends = bytes[scanned_] == '\n';
    if (lines_ == 0 && scanned_ >= limits_.request_line_bytes_max)
      return tl::unexpected(
          refusal(414, beyond_limit("bytes of the request line", limit_names::kRequestLineBytes,
                                    limits_.request_line_bytes_max)));
    if (scanned_ >= limits_.header_bytes_max)
      return tl::unexpected(
          refusal(431, beyond_limit("bytes of the header", limit_names::kHeaderBytes,
                                    limits_.header_bytes_max)));
    if (!line_ends) {
      const bool folded = scanned_ == line_begin_ && lines_ > 0 &&
                          (bytes[scanned_] == ' ' || bytes[scanned_] == '\t');
      if (folded) return tl::unexpected(refusal(400, "folded header line"));
      continue;
    }
    if (scanned_ == line_begin_ || bytes[scanned_ - 1] != '\r')
      return tl::unexpected(refusal(400, "line end without carriage return"));
    if (scanned_ == line_begin_ + 1 && lines_ > 0) return scanned_ + 1;
    if (++lines_ > limits_.header_fields_max + 1)
      return tl::unexpected(
          refusal(431, beyond_limit("fields of the header", limit_names::kHeaderFields,
                                    limits_.header_fields_max)));
    line_begin_ = scanned_ + 1;
  }
  return std::nullopt;
}

tl::expected<ParsedHead, Response> parse_head(std::string_view bytes) {
  RequestHeadParser parser;
  boost::beast::error_code error;
  parser.put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (error || !parser.is_header_done())
    return tl::unexpected(refusal(400, fmt::format("malformed request: {}", error.message())));
  ParsedHead head;
  head.method = std::move(parser.method);
  head.target = std::move(parser.target);
  head.version = parser.version;
  head.headers = std::move(parser.headers);
  if (std::optional<Response> refused = check_framing(head))
    return tl::unexpected(*std::move(refused));
  head.keep_alive = parser.keep_alive();
  head.chunked = parser.chunked();
  if (const auto length = parser.content_length()) head.content_length = *length;
  head.expects_continue = head.version >= 11 && head.headers.has("Expect");
  return head;
}

tl::expected<Request, Response> make_request(ParsedHead head, const RemoteEnd& peer,
                                             const ServerOptions& options) {
  const std::optional<Method> method = parse_method(head.method);
  if (!method) return tl::unexpected(refusal(501, "method not implemented"));
  const bool whole_server = *method == Method::options && head.target == "*";
  Result<Target> target = parse_target(whole_server ? "/" : std::string_view(head.target));
  if (!target) return tl::unexpected(refusal(400, target.error().message));
  if (std::optional<Response> refused = check_hosts(head, *target, peer, options.hosts))
    return tl::unexpected(*std::move(refused));

  Request request;
  request.method = *method;
  request.path = whole_server ? "*" : std::move(target->path);
  request.query = std::move(target->query);
  request.content_length = head.content_length;
  request.chunked = head.chunked;
  request.control = peer.control;
  const bool proxied = contains(options.trusted_proxies, peer.address);
  request.secure =
      peer.tls || (proxied && equals_ignoring_case(head.headers.get("X-Forwarded-Proto"), "https"));
  request.peer_address = peer.address;
  request.client_address =
      proxied ? forwarded_address(head.headers, peer.address, options.trusted_proxies)
              : peer.address;
  request.headers = std::move(head.headers);
  return request;
}

}  // namespace netml::net
