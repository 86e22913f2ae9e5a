// What anybody may send: heads, bodies, parts, targets; and what a peer may answer.
#include "net/client/http_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/base/json_string.hpp"
#include "engine/base/utf8.hpp"
#include "net/connection/request_head.hpp"
#include "net/http/body_decoder.hpp"
#include "net/http/media_range.hpp"
#include "net/http/multipart.hpp"
#include "net/http/uri.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/ports.hpp"

namespace netml::net {
namespace {

using fuzz::in_pieces;
using fuzz::promise;
using fuzz::Target;
using Pieces = std::vector<std::string_view>;

// ---- heads ----

// The size of a head, or the status of its refusal.
using Scanned = std::optional<tl::expected<std::size_t, int>>;

Scanned scan(std::string_view input, const Pieces& pieces, const Limits& limits) {
  HeadScanner scanner(limits);
  std::size_t known = 0;
  for (const std::string_view piece : pieces) {
    known += piece.size();
    const auto end = scanner.scan(input.substr(0, known));
    if (!end) continue;
    return *end ? Scanned(**end) : Scanned(tl::unexpected(end->error().status));
  }
  return std::nullopt;
}

bool same(const ParsedHead& a, const ParsedHead& b) {
  const auto equal = [](const Headers::Field& x, const Headers::Field& y) {
    return x.name == y.name && x.value == y.value;
  };
  return a.method == b.method && a.target == b.target && a.version == b.version &&
         a.chunked == b.chunked && a.content_length == b.content_length &&
         a.keep_alive == b.keep_alive && a.expects_continue == b.expects_continue &&
         std::ranges::equal(a.headers.fields(), b.headers.fields(), equal);
}

std::string written(const ParsedHead& head) {
  std::string text = fmt::format("{} {} HTTP/{}.{}\r\n", head.method, head.target,
                                 head.version / 10, head.version % 10);
  for (const Headers::Field& field : head.headers.fields())
    text.append(field.name).append(": ").append(field.value).append("\r\n");
  return text + "\r\n";
}

void check_path(const std::string& path) {
  promise(path == "*" || path.starts_with('/'), "a path begins with a slash");
  promise(path.find('\0') == path.npos, "no path holds NUL");
  promise(path.find("//") == path.npos, "no path holds two slashes in a row");
  promise((path + '/').find("/../") == path.npos, "no path leads upwards");
}

void read_head(std::string_view input) {
  const ServerOptions options;
  const Scanned size = scan(input, {input}, options.limits);
  promise(size == scan(input, in_pieces(input), options.limits),
          "the end of a head does not depend on how it arrives");
  if (!size || !*size) return;
  auto head = parse_head(input.substr(0, **size));
  if (!head) return promise(head.error().status >= 400, "a refusal says so");
  promise(!(head->chunked && head->content_length), "a body has one length");
  const auto again = parse_head(written(*head));
  promise(again && same(*head, *again), "a head written again reads the same");
  const RemoteEnd peer{.address = "127.0.0.1", .local_address = "192.0.2.2"};
  const auto request = make_request(*std::move(head), peer, options);
  if (!request) return promise(request.error().status >= 400, "a refusal says so");
  check_path(request->path);
}

// ---- bodies ----

struct Taken {
  std::string body;
  std::size_t bytes = 0;  // with their framing; of what was not refused
  bool refused = false;
  bool done = false;
  bool operator==(const Taken&) const = default;
};

Taken take(BodyDecoder decoder, const Pieces& pieces) {
  Taken taken;
  for (std::string_view rest : pieces) {
    while (!rest.empty() && !decoder.done()) {
      const std::size_t before = rest.size();
      const auto piece = decoder.next(rest);
      taken.refused = !piece;
      if (!piece) return taken;
      promise(rest.size() < before || decoder.done(), "a decoder goes on");
      taken.bytes += before - rest.size();
      taken.body += *piece;
    }
  }
  taken.done = decoder.done();
  return taken;
}

std::string in_chunks(const Pieces& pieces) {
  std::string text;
  for (const std::string_view piece : pieces)
    text += fmt::format("{:X};x=y\r\n{}\r\n", piece.size(), piece);
  return text + "0\r\nT: t\r\n\r\n";
}

void read_body(std::string_view input) {
  const Limits limits;
  const Pieces pieces = in_pieces(input);
  const Taken whole = take(BodyDecoder::chunked(limits), {input});
  Taken parts = take(BodyDecoder::chunked(limits), pieces);
  if (whole.refused) parts.bytes = whole.bytes;  // what came before the fault counts for nothing
  promise(whole == parts, "chunks do not depend on how they arrive");
  const std::string chunks = in_chunks(pieces);
  const Taken again = take(BodyDecoder::chunked(limits), in_pieces(chunks));
  promise(again.done && again.body == input && again.bytes == chunks.size(),
          "a body written in chunks reads the same");
  for (const std::size_t length :
       {std::size_t{0}, input.size() / 2, input.size(), input.size() + 1}) {
    const Taken taken = take(BodyDecoder::of_length(length), pieces);
    promise(taken.body == input.substr(0, length), "a body has its length");
    promise(taken.done == (length <= input.size()), "a body ends where its length says");
  }
}

// ---- answers of peers ----

// Gives what was written down, and takes whatever is sent.
class Script final : public ByteChannel {
 public:
  explicit Script(Pieces pieces) : pieces_(std::move(pieces)) {}
  Result<Ready> wait(bool to_write, std::chrono::milliseconds) override {
    return to_write ? Ready::to_write : Ready::to_read;
  }
  Result<std::size_t> read_some(std::span<char> into) override {
    if (next_ == pieces_.size()) return std::size_t{0};
    std::string_view& piece = pieces_[next_];
    const std::size_t bytes = piece.copy(into.data(), into.size());
    piece.remove_prefix(bytes);
    if (piece.empty()) ++next_;
    return bytes;
  }
  Result<std::size_t> write_some(std::string_view from) override { return from.size(); }

 private:
  Pieces pieces_;
  std::size_t next_ = 0;
};

void read_answer(std::string_view input) {
  if (input.empty()) return;
  const netml::testing::ManualClock clock;
  const auto answer = [&](Pieces pieces, bool& reusable) {
    HttpClient client(std::make_unique<Script>(std::move(pieces)), "h", clock);
    auto read = client.send(ClientRequest{});
    reusable = client.reusable();
    return read;
  };
  bool reusable = false;
  bool reusable_parts = false;
  const auto whole = answer({input}, reusable);
  const auto parts = answer(in_pieces(input), reusable_parts);
  promise(whole.has_value() == parts.has_value() && reusable == reusable_parts,
          "an answer does not depend on how it arrives");
  if (!whole) return;
  promise(whole->status == parts->status && whole->body == parts->body,
          "what is answered does not depend on how it arrives");
  promise(whole->status >= 200, "an answer is no interim one");
}

// ---- parts of forms ----

struct Part {
  std::string name;
  std::optional<std::string> file_name;
  std::string type;
  std::string data;
  bool ended = false;
  bool operator==(const Part&) const = default;
};

class Parts final : public MultipartHandler {
 public:
  std::vector<Part> all;

  Status part_begin(const PartHead& head) override {
    promise(all.empty() || all.back().ended, "a part ends before the next begins");
    all.push_back({head.name, head.file_name, head.content_type, {}, false});
    return {};
  }
  Status part_data(std::string_view piece) override {
    promise(!all.empty() && !all.back().ended, "data belong to a part");
    all.back().data += piece;
    return {};
  }
  Status part_end() override {
    promise(!all.empty() && !all.back().ended, "a part ends once");
    all.back().ended = true;
    return {};
  }
};

// Nothing where it is refused.
std::optional<std::vector<Part>> parts_of(const std::string& boundary, const Pieces& pieces) {
  const Limits limits;
  Parts parts;
  MultipartParser parser(boundary, limits, parts);
  for (const std::string_view piece : pieces)
    if (!parser.push(piece)) return std::nullopt;
  if (!parser.finish()) return std::nullopt;
  promise(parts.all.empty() || parts.all.back().ended, "the last part ends");
  promise(parts.all.size() <= limits.multipart_parts_max, "there are not too many parts");
  return std::move(parts.all);
}

void read_parts(std::string_view input) {
  const std::size_t line = std::min(input.find('\n'), input.size());
  const auto boundary = multipart_boundary(input.substr(0, line));
  if (!boundary) return;
  const std::string_view body = input.substr(line);
  promise(parts_of(*boundary, {body}) == parts_of(*boundary, in_pieces(body)),
          "parts do not depend on how they arrive");
}

// ---- texts ----

void read_texts(std::string_view input) {
  if (const auto target = parse_target(input)) {
    check_path(target->path);
    const auto again = parse_target(percent_encode_path(target->path));
    promise(again && again->path == target->path, "a path written again reads the same");
  }
  promise(percent_decode(percent_encode_value(input)) == input, "a value is decoded as it was");
  const auto host = host_name(input);
  if (host && !host->ends_with('.'))  // of several dots one is taken away
    promise(host_name(*host) == *host, "the name of a host has one form");
  static_cast<void>(percent_decode(input).has_value());
  static_cast<void>(preference(input, "text/html"));
  static_cast<void>(query_parameter(input, "limit").has_value());
  promise(is_utf8(excerpt(input)) && is_utf8(json_string(input)), "texts that are shown are UTF-8");
}

std::vector<Target> targets() {
  return {
      {"head",
       {"GET /netml_export/?a=b%20c HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n"
        "Accept: text/html;q=0.5, */*\r\n\r\n",
        "POST /import/ HTTP/1.1\r\nHost: [::1]:8080\r\nTransfer-Encoding: chunked\r\n"
        "Expect: 100-continue\r\n\r\n5;x=y\r\nhello\r\n0\r\n\r\n",
        "PUT /x HTTP/1.0\r\nHost: 192.0.2.2\r\nContent-Length: 3\r\nConnection: keep-alive\r\n"
        "X-Forwarded-For: 192.0.2.9, 2001:db8::1\r\nX-Forwarded-Proto: https\r\n\r\nabc",
        "GET http://localhost/status/ HTTP/1.1\r\nHost: localhost\r\nCookie: a=b\r\n\r\n"},
       {"\r\n", "\n", "\r\n\r\n", "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n",
        "Host: b\r\n", " HTTP/1.1", "%00", "/../", "%2e%2e", "%2f", "//", "\t", ":", "*",
        "http://localhost", "Connection: close\r\n", "OPTIONS "},
       read_head},
      {"body",
       {"5;x=y\r\nhello\r\n0\r\nTrailer: t\r\n\r\nrest", "a\r\n0123456789\r\n1\r\n\r\r\n0\r\n\r\n"},
       {"\r\n", "\n", "\r", "0\r\n", "0\r\n\r\n", "ffffffffffffffff\r\n", "8000000000000000\r\n",
        "10\r\n", ";", "a", "A", ":", "Trailer: t\r\n"},
       read_body},
      {"answer",
       {"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"x\"\r\n\r\n2\r\nab\r\n0\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\nwhat", "HTTP/1.1 304 X\r\n\r\n"},
       {"\r\n", "\n", "\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 101 X\r\n\r\n",
        "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n", "0\r\n", "204", "199", ":"},
       read_answer,
       8 << 10},  // shorter than a head may be: how much of it has come does not count
      {"multipart",
       {"multipart/form-data; boundary=b\n\r\n--b\r\nContent-Disposition: form-data; "
        "name=\"file\"; "
        "filename=\"a.xml\"\r\nContent-Type: text/xml\r\n\r\n<a/>\r\n--b\r\nContent-Disposition: "
        "form-data; name=\"name\"\r\n\r\nx\r\n--b--\r\n"},
       {"--b", "\r\n--b", "--b--", "\r\n\r\n", "name=\"", "filename*=utf-8''", "\"", ";", "--b\r\n",
        "\r", "\n"},
       read_parts},
      {"texts",
       {"/a/b%2Fc/../d?limit=5&x=%C3%A9", "http://example.org:80/", "text/html;q=0.5,*/*;q=0",
        "/netml_export//x/%41", "[::1]:80"},
       {"%", "%2e", "%zz", "&", "=", "q=", "\xc3", "\xf0\x9f", "[::1]", "\\", "//", "?"},
       read_texts},
  };
}

}  // namespace
}  // namespace netml::net

int main(int argc, char** argv) {
  return netml::fuzz::run_program(argc, argv, netml::net::targets());
}
