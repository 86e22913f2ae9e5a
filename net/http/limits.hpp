// Every limit of the HTTP layer, with its unit and default
// (docs/requirements/durability-and-security.md, section 3).
//
// All can be set. A server is handed others while it runs; a connection keeps those it began with.
// Thread: any (immutable).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/wording.hpp"

namespace netml::net {

inline constexpr std::size_t kKibibyte = 1024;
inline constexpr std::uint64_t kMebibyte = 1024 * kKibibyte;

struct Limits {
  // One request's head. The receive buffer holds a whole head, so it is what bounds memory.
  std::size_t request_line_bytes_max = 8 * kKibibyte;
  std::size_t header_bytes_max = 16 * kKibibyte;
  std::size_t header_fields_max = 100;
  std::size_t receive_buffer_bytes = 32 * kKibibyte;

  // Bodies. A long one is received in larger pieces: each is handed from thread to thread.
  std::size_t body_buffer_bytes = 512 * kKibibyte;
  std::uint64_t upload_bytes_max = 1024 * kMebibyte;
  std::uint64_t form_bytes_max = 2560 * kKibibyte;      // JSON and form bodies
  std::uint64_t open_form_bytes_max = 256 * kKibibyte;  // the same of anybody, not signed in
  // Of all bodies together whose senders are not signed in.
  std::uint64_t open_body_bytes_per_second_max = 16 * kMebibyte;
  std::size_t chunk_line_bytes_max = 256;          // a chunk's size with its extension
  std::size_t trailer_bytes_max = 16 * kKibibyte;  // read and ignored

  // multipart/form-data.
  std::size_t multipart_parts_max = 16;
  std::size_t multipart_part_header_bytes_max = 8 * kKibibyte;
  std::size_t multipart_text_field_bytes_max = 64 * kKibibyte;
  std::size_t multipart_file_name_bytes_max = 255;

  // Time. A transfer may fall behind the least rate by at most the window; at its start it has
  // the grace time on top.
  std::chrono::milliseconds tls_handshake_max = std::chrono::seconds(10);
  std::chrono::milliseconds header_complete_max = std::chrono::seconds(10);
  std::uint64_t transfer_bytes_per_second_min = 1 * kKibibyte;
  std::chrono::milliseconds transfer_window = std::chrono::seconds(30);
  std::chrono::milliseconds transfer_grace = std::chrono::seconds(10);
  std::chrono::milliseconds keep_alive_idle_max = std::chrono::seconds(60);

  // After a refusal the client's bytes are read and dropped, so that the answer is not lost to a
  // connection reset: the rest of a body up to the longer of upload_bytes_max and
  // discard_bytes_max, no slower than the least rate of transfers; where the framing is broken,
  // or once that body has ended, within the linger bounds.
  std::uint64_t discard_bytes_max = 1024 * kMebibyte;
  std::chrono::milliseconds discard_max = std::chrono::minutes(10);
  std::size_t linger_bytes_max = 64 * kKibibyte;
  std::chrono::milliseconds linger_max = std::chrono::seconds(1);

  // Connections. Some networks are exempt from the limit per address (ServerOptions).
  std::size_t connections_max = 4096;
  std::size_t connections_per_address_max = 512;
  std::size_t requests_per_connection_max = 1000;
  // What all of them keep in memory together: TLS, heads, bodies, answers that are not read yet.
  std::size_t connection_memory_bytes_max = 256 * kMebibyte;

  // Requests that wait for a worker; beyond it 503.
  std::size_t requests_waiting_max = 1024;
};

// The names of those that refuse a request, as --limit takes them and the refusal tells them.
namespace limit_names {
inline constexpr std::string_view kRequestLineBytes = "request_line_bytes_max";
inline constexpr std::string_view kHeaderBytes = "header_bytes_max";
inline constexpr std::string_view kHeaderFields = "header_fields_max";
inline constexpr std::string_view kHeaderSeconds = "header_complete_seconds_max";
inline constexpr std::string_view kUploadBytes = "upload_bytes_max";
inline constexpr std::string_view kFormBytes = "form_bytes_max";
inline constexpr std::string_view kOpenFormBytes = "open_form_bytes_max";
inline constexpr std::string_view kChunkLineBytes = "chunk_line_bytes_max";
inline constexpr std::string_view kTrailerBytes = "trailer_bytes_max";
inline constexpr std::string_view kTransferRate = "transfer_bytes_per_second_min";
inline constexpr std::string_view kMultipartParts = "multipart_parts_max";
inline constexpr std::string_view kMultipartPartHeaderBytes = "multipart_part_header_bytes_max";
inline constexpr std::string_view kMultipartTextFieldBytes = "multipart_text_field_bytes_max";
inline constexpr std::string_view kMultipartFileNameBytes = "multipart_file_name_bytes_max";
inline constexpr std::string_view kRequestsWaiting = "requests_waiting_max";
inline constexpr std::string_view kConnectionMemoryBytes = "connection_memory_bytes_max";
}  // namespace limit_names

// Those that refuse a body.
inline NamedLimit upload_limit(const Limits& limits) {
  return {limit_names::kUploadBytes, limits.upload_bytes_max};
}
inline NamedLimit form_limit(const Limits& limits) {
  return {limit_names::kFormBytes, limits.form_bytes_max};
}
inline NamedLimit open_form_limit(const Limits& limits) {
  return {limit_names::kOpenFormBytes, limits.open_form_bytes_max};
}

}  // namespace netml::net
