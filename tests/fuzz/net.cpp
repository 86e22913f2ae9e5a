// What anybody may send: heads, bodies, parts, targets.
#include "engine/utf8.hpp"
#include "net/media_range.hpp"
#include "net/multipart.hpp"
#include "net/src/body_decoder.hpp"
#include "net/src/request_head.hpp"
#include "net/uri.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace netml::net {
namespace {

using fuzz::Target;

// As a connection does it: the head byte by byte at first, then whole, then the body.
void read_request(std::string_view input) {
  ServerOptions options;
  HeadScanner scanner(options.limits);
  std::optional<tl::expected<std::size_t, Response>> head;
  for (std::size_t known = 1; known <= input.size() && !head; known += 1 + known / 4)
    head = scanner.scan(input.substr(0, known));
  if (!head) head = scanner.scan(input);
  if (!head || !*head) return;
  auto parsed = parse_head(input.substr(0, **head));
  if (!parsed) return;
  const bool chunked = parsed->chunked;
  const std::uint64_t length = parsed->content_length.value_or(0);
  const RemoteEnd peer{.address = "192.0.2.1", .local_address = "192.0.2.2"};
  if (!make_request(*std::move(parsed), peer, options)) return;
  BodyDecoder body =
      chunked ? BodyDecoder::chunked(options.limits) : BodyDecoder::of_length(length);
  for (std::string_view rest = input.substr(**head); !rest.empty() && !body.done();)
    if (!body.next(rest)) return;
}

class Ignore final : public MultipartHandler {
 public:
  Status part_begin(const PartHead&) override { return {}; }
  Status part_data(std::string_view) override { return {}; }
  Status part_end() override { return {}; }
};

void read_parts(std::string_view input) {
  const std::size_t line = std::min(input.find('\n'), input.size());
  const auto boundary = multipart_boundary(input.substr(0, line));
  if (!boundary) return;
  Ignore handler;
  const Limits limits;
  MultipartParser parser(*boundary, limits, handler);
  for (std::string_view rest = input.substr(line); !rest.empty();) {
    const std::size_t size = std::min<std::size_t>(rest.size(), 1 + rest.size() / 5);
    if (!parser.push(rest.substr(0, size))) return;
    rest.remove_prefix(size);
  }
  static_cast<void>(parser.finish().has_value());
}

void read_texts(std::string_view input) {
  static_cast<void>(parse_target(input).has_value());
  static_cast<void>(percent_decode(input).has_value());
  static_cast<void>(host_name(input).has_value());
  static_cast<void>(preference(input, "text/html"));
  static_cast<void>(is_utf8(input));
  static_cast<void>(query_parameter(input, "limit").has_value());
  static_cast<void>(excerpt(input).size());
  static_cast<void>(json_string(input).size());
}

std::vector<Target> targets() {
  const std::vector<std::string> requests{
      "GET /netml_export/?a=b%20c HTTP/1.1\r\nHost: example.org\r\nAuthorization: Bearer x\r\n"
      "Accept: text/html;q=0.5, */*\r\n\r\n",
      "POST /import/ HTTP/1.1\r\nHost: [::1]:8080\r\nTransfer-Encoding: chunked\r\n"
      "Expect: 100-continue\r\n\r\n5;x=y\r\nhello\r\n0\r\nTrailer: t\r\n\r\n",
      "PUT /x HTTP/1.0\r\nHost: a\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nabc"};
  return {
      {"request",
       requests,
       {"\r\n", "\n", "\r\n\r\n", "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n",
        "0\r\n", "ffffffffffffffff\r\n", "Host: b\r\n", " HTTP/1.1", "%00", "/../", "//", "\t",
        ":"},
       read_request},
      {"multipart",
       {"multipart/form-data; boundary=b\n\r\n--b\r\nContent-Disposition: form-data; "
        "name=\"file\"; "
        "filename=\"a.xml\"\r\nContent-Type: text/xml\r\n\r\n<a/>\r\n--b\r\nContent-Disposition: "
        "form-data; name=\"name\"\r\n\r\nx\r\n--b--\r\n"},
       {"--b", "\r\n--b", "--b--", "\r\n\r\n", "name=\"", "filename*=utf-8''", "\"", ";"},
       read_parts},
      {"texts",
       {"/a/b%2Fc/../d?limit=5&x=%C3%A9", "http://example.org:80/", "text/html;q=0.5,*/*;q=0"},
       {"%", "%2e", "%zz", "&", "=", "q=", "\xc3", "\xf0\x9f", "[::1]", "\\"},
       read_texts},
  };
}

}  // namespace
}  // namespace netml::net

int main(int argc, char** argv) {
  return netml::fuzz::run_program(argc, argv, netml::net::targets());
}
