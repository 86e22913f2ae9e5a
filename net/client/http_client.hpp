// A small blocking HTTP/1.1 client: for the command line over the control socket, and for tests.
// It follows no redirects, keeps no cookies and reads no environment.
//
// A client owns one connection and sends one request after another over it. After an error, and
// when the server closed, make a new one (reusable() tells).
//
// Failure: unavailable when the server cannot be reached or does not answer in time, too_large
// beyond a limit, io_error for a broken connection or an answer that is not HTTP; an error of the
// consumer is passed on.
// Thread: one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "net/http/address.hpp"
#include "net/http/body_decoder.hpp"
#include "net/http/http.hpp"
#include "net/http/limits.hpp"
#include "net/http/transfer_allowance.hpp"

namespace netml::net {

struct ClientLimits {
  // The longest wait for the other side to take or give the next byte. An import answers only
  // when it is durable, so this is long.
  std::chrono::milliseconds silence_max = std::chrono::seconds(300);
  // A body may fall behind this rate by at most the window; 0 = it need not keep one.
  std::uint64_t bytes_per_second_min = 0;
  std::chrono::milliseconds rate_window = std::chrono::seconds(60);
  // Of the whole exchange, which nothing that the other side sends makes longer.
  std::chrono::milliseconds total_max = std::chrono::minutes(30);
  std::size_t header_bytes_max = 16 * kKibibyte;
  NamedLimit body_bytes_max = 1024 * kMebibyte;
  NamedLimit refusal_bytes_max = 1024 * kMebibyte;  // of answers from 300 on, kept in memory
};

struct ClientRequest {
  std::string method = "GET";
  std::string target = "/";
  Headers headers;  // Host and Content-Length are added unless present
  std::variant<std::string, FileBody> body;
};

struct ClientResponse {
  int status = 0;
  Headers headers;
  std::string body;  // empty when it went to a consumer
};

using BodyConsumer = std::function<Status(std::string_view piece)>;

// A connected stream of bytes. What was taken goes out while somebody waits, whatever for.
class ByteChannel {
 public:
  virtual ~ByteChannel() = default;
  enum class Ready : std::uint8_t { to_read, to_write, timed_out };
  // Waits until there is something to read, or room to write if that is wanted.
  virtual Result<Ready> wait(bool to_write, std::chrono::milliseconds at_most) = 0;
  // 0 = the other side has ended.
  virtual Result<std::size_t> read_some(std::span<char> into) = 0;
  virtual Result<std::size_t> write_some(std::string_view from) = 0;
};

// To an address, no name. A stop that is requested ends the connection at once, also while it is
// being made: whoever waits for it finds it broken.
Result<std::unique_ptr<ByteChannel>> connect_tcp(const TcpAddress& address,
                                                 std::chrono::milliseconds at_most,
                                                 const std::stop_token& stop = {});
Result<std::unique_ptr<ByteChannel>> connect_unix(const std::string& path);

class HttpClient {
 public:
  // `clock` must outlive the client; `host` goes into the Host field.
  HttpClient(std::unique_ptr<ByteChannel> channel, std::string host, const Clock& clock,
             const ClientLimits& limits = {});

  // The body of the answer into memory, or piece by piece to `consume`; what the server refuses
  // (300 and above) always comes in memory, so that a consumer never takes it for the thing wanted.
  Result<ClientResponse> send(const ClientRequest& request);
  Result<ClientResponse> send(const ClientRequest& request, const BodyConsumer& consume);

  // The same in steps, for who hands on what arrives: begin(), write() until the body is sent or
  // the server has begun to answer, answer(), next() until it gives nothing. The head says how long
  // the body is; what `head` holds of one is not sent.
  Status begin(const ClientRequest& head);
  Result<bool> write(std::string_view bytes);  // true: the rest need not be sent
  Result<ClientResponse> answer();             // without its body
  Result<std::string_view> next();             // valid until the next call; empty: that was all

  bool reusable() const { return reusable_; }
  // Whether the other side has ended the connection.
  bool ended() const { return ended_; }

 private:
  Status write_body(const ClientRequest& request);
  Result<ClientResponse> read_head();
  Status begin_body(const ClientResponse& response);
  Status read_more();  // into received_; an error at the end of the stream
  Result<ByteChannel::Ready> wait(bool to_write);
  std::chrono::milliseconds patience() const;

  std::unique_ptr<ByteChannel> channel_;
  std::string host_;
  const Clock* clock_;
  ClientLimits limits_;
  std::chrono::nanoseconds began_{0};
  std::optional<TransferAllowance> allowance_;  // while a body comes that must keep a rate
  std::string received_;
  std::size_t taken_ = 0;  // of received_, by the last piece
  bool head_only_ = false;
  bool answered_ = false;               // before all was sent
  std::optional<BodyDecoder> decoder_;  // while a body comes
  NamedLimit body_bytes_max_ = 0;
  std::uint64_t body_bytes_ = 0;
  bool keep_open_ = true;  // by the head of the answer
  bool reusable_ = true;
  bool ended_ = false;
};

}  // namespace netml::net
