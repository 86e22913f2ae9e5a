// A connected byte stream, plain or TLS, behind one small interface: the connection loop is
// compiled once and knows no socket type. Plain streams serve TCP and UNIX-domain sockets alike.
//
// Thread: its connection's strand, except write_now().
#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/system/error_code.hpp>
#include <memory>
#include <string_view>

#include "net/connection/tls.hpp"
#include "net/http/unique_fd.hpp"

namespace netml::net {

namespace asio = boost::asio;
using boost::system::error_code;

struct IoResult {
  error_code error;
  std::size_t bytes = 0;
};

// Empty buffers at the end are allowed.
using WriteBuffers = std::array<asio::const_buffer, 3>;

inline WriteBuffers buffers(std::string_view a, std::string_view b = {}, std::string_view c = {}) {
  return {asio::buffer(a), asio::buffer(b), asio::buffer(c)};
}

class Stream {
 public:
  virtual ~Stream() = default;

  virtual asio::awaitable<error_code> handshake() = 0;
  virtual asio::awaitable<IoResult> read_some(asio::mutable_buffer into) = 0;
  virtual asio::awaitable<IoResult> write_some(const WriteBuffers& from) = 0;
  // Writes what the socket takes at once, on any thread, while nothing else is written. 0 where
  // that is nothing, or the stream has to be asked on its strand: write_some() does the rest.
  virtual std::size_t write_now(const WriteBuffers&) { return 0; }
  // Tells the other end that nothing more will be sent.
  virtual asio::awaitable<void> close_sending() = 0;
  // Reads bytes only to throw them away, below TLS.
  virtual asio::awaitable<IoResult> discard_some(asio::mutable_buffer into) = 0;
  // What is awaited ends with operation_aborted.
  virtual void cancel() = 0;
  // The socket, which stays open as long as this lives.
  virtual int descriptor() = 0;
};

// `socket`: connected and non-blocking; `family`: AF_INET, AF_INET6 or AF_UNIX.
std::unique_ptr<Stream> make_plain_stream(const asio::any_io_executor& strand, int family,
                                          UniqueFd socket);
std::unique_ptr<Stream> make_tls_stream(const asio::any_io_executor& strand, int family,
                                        UniqueFd socket, std::shared_ptr<TlsContext> context);

}  // namespace netml::net
