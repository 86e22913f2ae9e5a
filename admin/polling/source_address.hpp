// Where a polling source is: its parts are checked one by one and put together, never parsed from a
// URL, so that no text means one host here and another one elsewhere (rule N1;
// docs/requirements/polling-and-publishing.md, section 3).
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.hpp"
#include "engine/catalog/catalog.hpp"

namespace netml::admin {

// Errc::invalid_input unless the text is the name of a host, or an IP address in the one spelling
// that every program reads alike.
Status check_hostname(std::string_view text);
// Segments of letters, digits and - . _ ~, each with a slash after it; none of them "." or "..".
Status check_source_path(std::string_view text);

// "http" and "https"; Errc::invalid_input for others.
Result<engine::Protocol> parse_protocol(std::string_view text);

// "https://peer.example.org:443/path/".
std::string base_url(const engine::PollingSource& source);
// What a poll asks for first; the GRENML alias follows where that is not found.
std::string polling_url(const engine::PollingSource& source);
// A peer has one status, also where its snapshot is what is polled.
std::string status_url(const engine::PollingSource& source);

}  // namespace netml::admin
