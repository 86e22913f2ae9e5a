// A file as the body of a call on the control socket. The command names the file and the server
// reads it itself, which spares both of them to pass its bytes through the socket.
//
// A name says which file is meant: its path, and the device, inode and size that the command saw.
// A server that finds another file there, or may not read it, wants the bytes sent instead.
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "net/http/http.hpp"

namespace netml::admin::cli {

inline constexpr std::string_view kBodyFileHeader = "X-NetML-Body-File";
inline constexpr int kSendTheBytes = 412;  // the answer of a server that cannot use the name

// Errc::io_error when it cannot be opened, Errc::invalid_input when it is no regular file.
Result<net::FileBody> open_body_file(const std::string& path);

// "DEVICE:INODE:BYTES:PATH", the path absolute and percent-encoded.
Result<std::string> name_of_body_file(const std::string& path, const net::FileBody& body);

// Errc::not_found unless it is the file that was named.
Result<net::FileBody> open_named_body_file(std::string_view name);

}  // namespace netml::admin::cli
