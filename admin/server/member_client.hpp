// What the commands of clusters ask of a member that runs, at the address that the others have.
//
// Thread: any (no state); all calls block, and Errc::unavailable says that nobody answers there.
#pragma once

#include <string>
#include <vector>

#include "admin/node/secrets.hpp"
#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "net/client/http_client.hpp"
#include "wal/format/journal.hpp"

namespace netml::admin {

struct MemberPlace {
  std::string url;      // "https://alpha.example:8443"
  std::string ca_file;  // PEM, that its certificate leads to; empty: the system's
};

Result<net::HttpClient> connect_to_member(const MemberPlace& place, const Clock& clock);

// GET of what is on its control socket (`path`), proved by the key of the members.
net::ClientRequest control_request(const std::string& path, const Secrets& secrets,
                                   const Clock& clock);

// What it shows, whatever its health. Errc::invalid_input when it is a member of no cluster.
Result<wal::Head> head_of_member(const MemberPlace& place, const Clock& clock);

struct ListedMember {
  std::string name;
  std::string address;
};
// The members that it knows of, itself among them; none when it has not reached the database since
// its start. Errc::denied when it has another key.
Result<std::vector<ListedMember>> members_known_to(const MemberPlace& place, const Secrets& secrets,
                                                   const Clock& clock);

}  // namespace netml::admin
