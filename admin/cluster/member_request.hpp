// Requests that members of a cluster send each other: who asked, and the proof that a member says
// so. The proof is an HMAC under the key that all members have in common (node.key), over the
// method, the target and all that is said, with the time; so nobody else can give a request another
// client's address, and none can be sent again minutes later. The body is not covered: where the
// address of a member is http, whoever is on the way can change it, or send another within that
// time, as they could read the client's own token there. So members talk over https unless nobody
// is on the way (docs/cluster.md, "On several machines").
//
//   X-NetML-Forwarded: member=beta&id=9f86d081&client=192.0.2.7&...&time=1764000000&mac=...
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

#include "admin/node/secrets.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

inline constexpr std::string_view kForwardedHeader = "X-NetML-Forwarded";

// Whose request it is, as the member knows that it came to.
struct RequestOrigin {
  std::string member;          // that forwards it
  std::string request_id;      // in logs and audits of all members
  std::string client_address;  // see net::Request
  std::string peer_address;
  std::string host;      // as the client named the member
  bool secure = false;   // the client came over TLS
  bool control = false;  // by the control socket, or a command of a member that has the key
};

RequestOrigin origin_of(const net::Request& request, std::string member);

// The target as it stands in the request that is sent: path and query.
std::string target_of(const net::Request& request);

// The value of the header.
std::string sign(const Secrets& secrets, const net::Request& request, const RequestOrigin& origin,
                 WallTime now);

// What the header of `request` says. Errc::denied when it was not made with the same key, for
// another request, or more than five minutes from `now`.
Result<RequestOrigin> verify(const Secrets& secrets, const net::Request& request, WallTime now);

// The request as it came to that member.
net::Request as_asked(const net::Request& request, const RequestOrigin& origin);

}  // namespace netml::admin
