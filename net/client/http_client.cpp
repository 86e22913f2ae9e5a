#include "net/client/http_client.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <utility>

#include "engine/base/texts.hpp"
#include "net/http/body_decoder.hpp"
#include "net/http/body_sources.hpp"
#include "net/http/head_parser.hpp"

namespace netml::net {
namespace {

namespace http = boost::beast::http;
constexpr std::size_t kPieceBytes = 64 * kKibibyte;
constexpr int kInterimAnswersMax = 16;  // 100 Continue, 103 Early Hints

// The head only; bodies are BodyDecoder's.
class ResponseHeadParser : public HeadParser<false> {
 public:
  int status = 0;

 private:
  void on_response_impl(int given, text, int, error_code&) override { status = given; }
};

tl::unexpected<Error> broken(std::string_view what) {
  return fail(Errc::io_error, fmt::format("bad answer: {}", what));
}

std::uint64_t body_size(const ClientRequest& request) {
  if (const auto* file = std::get_if<FileBody>(&request.body)) return file->length;
  return std::get<std::string>(request.body).size();
}

std::string serialize(const ClientRequest& request, const std::string& host) {
  Headers headers = request.headers;
  headers.set_default("Host", host);
  const std::uint64_t bytes = body_size(request);
  const bool has_body = bytes > 0 || (request.method != "GET" && request.method != "HEAD");
  if (has_body && !headers.has("Transfer-Encoding"))
    headers.set_default("Content-Length", std::to_string(bytes));
  std::string out = fmt::format("{} {} HTTP/1.1\r\n", request.method, request.target);
  for (const Headers::Field& field : headers.fields())
    out.append(field.name).append(": ").append(field.value).append("\r\n");
  return out + "\r\n";
}

Result<BodyDecoder> decoder_for(const ClientResponse& response, bool head_only) {
  const bool bodiless =
      head_only || response.status == 204 || response.status == 304 || response.status < 200;
  if (bodiless) return BodyDecoder::of_length(0);
  const Headers& headers = response.headers;
  if (headers.has("Transfer-Encoding")) {
    if (headers.count("Transfer-Encoding") > 1 || headers.has("Content-Length") ||
        !equals_ignoring_case(headers.get("Transfer-Encoding"), "chunked"))
      return broken("its framing");
    return BodyDecoder::chunked(Limits{});
  }
  if (!headers.has("Content-Length")) return BodyDecoder::until_end();
  const auto length = parse_integer<std::uint64_t>(headers.get("Content-Length"));
  if (!length || headers.count("Content-Length") > 1) return broken("its length");
  return BodyDecoder::of_length(*length);
}

}  // namespace

HttpClient::HttpClient(std::unique_ptr<ByteChannel> channel, std::string host, const Clock& clock,
                       const ClientLimits& limits)
    : channel_(std::move(channel)), host_(std::move(host)), clock_(&clock), limits_(limits) {}

Result<ClientResponse> HttpClient::send(const ClientRequest& request) {
  std::string body;
  NETML_TRY(ClientResponse response, send(request, [&](std::string_view piece) -> Status {
              body += piece;
              return {};
            }));
  if (response.body.empty()) response.body = std::move(body);
  return response;
}

Result<ClientResponse> HttpClient::send(const ClientRequest& request, const BodyConsumer& consume) {
  NETML_TRY_VOID(begin(request));
  NETML_TRY_VOID(write_body(request));
  NETML_TRY(ClientResponse response, answer());
  const bool successful = response.status < 300;
  while (true) {
    NETML_TRY(const std::string_view piece, next());
    if (piece.empty()) return response;
    if (successful)
      NETML_TRY_VOID(consume(piece));
    else
      response.body += piece;
  }
}

Status HttpClient::begin(const ClientRequest& head) {
  NETML_ASSERT(reusable_);
  reusable_ = false;  // until the whole exchange has gone well
  began_ = clock_->steady();
  allowance_.reset();
  decoder_.reset();
  head_only_ = head.method == "HEAD";
  answered_ = false;
  NETML_TRY_VOID(write(serialize(head, host_)));
  return {};
}

Status HttpClient::write_body(const ClientRequest& request) {
  const auto* file = std::get_if<FileBody>(&request.body);
  if (file == nullptr) {
    NETML_TRY_VOID(write(std::get<std::string>(request.body)));
    return {};
  }
  UniqueFd copy(::fcntl(file->file.get(), F_DUPFD_CLOEXEC, 0));
  const auto source = file_source({std::move(copy), file->offset, file->length});
  while (true) {
    NETML_TRY(const std::string_view piece, source->next());
    if (piece.empty()) return {};
    NETML_TRY(const bool answered, write(piece));
    if (answered) return {};
  }
}

Result<bool> HttpClient::write(std::string_view bytes) {
  while (!bytes.empty() && !answered_) {
    NETML_TRY(const ByteChannel::Ready ready, wait(true));
    if (ready == ByteChannel::Ready::timed_out)
      return fail(Errc::unavailable, "the server takes no more of the request");
    if (ready == ByteChannel::Ready::to_read) {
      answered_ = true;
      break;
    }
    NETML_TRY(const std::size_t written, channel_->write_some(bytes));
    bytes.remove_prefix(written);
  }
  return answered_;
}

Result<ClientResponse> HttpClient::answer() {
  NETML_TRY(ClientResponse response, read_head());
  for (int interim = 0; response.status < 200; ++interim) {
    if (interim == kInterimAnswersMax) return broken("too many interim answers");
    NETML_TRY(response, read_head());
  }
  NETML_TRY_VOID(begin_body(response));
  return response;
}

Result<ClientResponse> HttpClient::read_head() {
  std::size_t end = received_.find("\r\n\r\n");
  while (end == std::string::npos) {
    if (received_.size() > limits_.header_bytes_max)
      return fail(Errc::too_large, "the answer's header is too long");
    NETML_TRY_VOID(read_more());
    if (ended_) return fail(Errc::unavailable, "the server closed without an answer");
    end = received_.find("\r\n\r\n");
  }
  ResponseHeadParser parser;
  boost::beast::error_code error;
  parser.put(boost::asio::buffer(received_.data(), end + 4), error);
  if (error || !parser.is_header_done()) return broken(error.message());
  received_.erase(0, end + 4);
  return ClientResponse{.status = parser.status, .headers = std::move(parser.headers), .body = {}};
}

Status HttpClient::begin_body(const ClientResponse& response) {
  NETML_TRY(decoder_, decoder_for(response, head_only_));
  if (limits_.bytes_per_second_min > 0) {
    Limits rate;
    rate.transfer_bytes_per_second_min = limits_.bytes_per_second_min;
    rate.transfer_window = limits_.rate_window;
    rate.transfer_grace = std::chrono::milliseconds(0);
    allowance_.emplace(rate);
  }
  body_bytes_max_ = response.status < 300 ? limits_.body_bytes_max : limits_.refusal_bytes_max;
  body_bytes_ = 0;
  keep_open_ = !equals_ignoring_case(response.headers.get("Connection"), "close");
  return {};
}

Result<std::string_view> HttpClient::next() {
  NETML_ASSERT(decoder_.has_value());
  while (!decoder_->done()) {
    if (taken_ == received_.size()) {
      received_.clear();
      taken_ = 0;
      NETML_TRY_VOID(read_more());
    }
    if (ended_) {
      decoder_->ended();
      if (!decoder_->done()) return broken("it ends before its time");
      break;
    }
    std::string_view input = std::string_view(received_).substr(taken_);
    NETML_TRY(const std::string_view piece, decoder_->next(input));
    taken_ = received_.size() - input.size();
    body_bytes_ += piece.size();
    if (body_bytes_ > body_bytes_max_.value)
      return fail(Errc::too_large, beyond_limit("bytes of the answer", body_bytes_max_));
    if (!piece.empty()) return piece;
  }
  received_.erase(0, std::exchange(taken_, 0));
  reusable_ = keep_open_ && !ended_;
  return std::string_view();
}

Status HttpClient::read_more() {
  const auto asked = clock_->steady();
  NETML_TRY(const ByteChannel::Ready ready, wait(false));
  if (ready == ByteChannel::Ready::timed_out)
    return fail(Errc::unavailable,
                allowance_ ? "the answer comes too slowly" : "no answer from the server in time");
  const std::size_t before = received_.size();
  received_.resize(before + kPieceBytes);
  const Result<std::size_t> got = channel_->read_some(std::span(received_).subspan(before));
  received_.resize(before + got.value_or(0));
  if (!got) return tl::make_unexpected(got.error());
  ended_ = *got == 0;
  if (allowance_) allowance_->spend(clock_->steady() - asked, *got);
  return {};
}

// Where patience has ended it does not help the other side that it is always ready.
Result<ByteChannel::Ready> HttpClient::wait(bool to_write) {
  const std::chrono::milliseconds left = patience();
  if (left == std::chrono::milliseconds(0)) return ByteChannel::Ready::timed_out;
  return channel_->wait(to_write, left);
}

std::chrono::milliseconds HttpClient::patience() const {
  auto left = std::chrono::nanoseconds(limits_.total_max) - (clock_->steady() - began_);
  if (allowance_) left = std::min(left, allowance_->left());
  const auto left_ms = std::chrono::duration_cast<std::chrono::milliseconds>(left);
  return std::clamp(left_ms, std::chrono::milliseconds(0), limits_.silence_max);
}

}  // namespace netml::net
