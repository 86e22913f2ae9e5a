"""Faults that the tests of net/ must find: each breaks one promise of docs/security.md or
docs/polling.md to whoever runs a node."""

from fault import Area, Fault, Run


def net_tests(*suites):
    """The suites that have to do with it, those that wait for nothing first."""
    return tuple(Run("net_tests", suite) for suite in suites)


HEADS = net_tests("Target.*:HostName.*:HostAllowList.*:ClientGroup.*:IpNetwork.*",
                  "HostileHttpTest.*", "ServerTest.*")
BODIES = net_tests("BodyDecoder.*:TransferAllowance.*:DiscardBudget.*", "HostileHttpTest.*",
                   "DiscardedBodies.*:Refusals.*")
UPLOADS = net_tests("Multipart*", "HostileUploadTest.*:SmallUploadTest.*")
TOKENS = net_tests("PublicApi*", "HostileUploadTest.*")
CLIENT = net_tests("HttpClient.*")
PEERS = net_tests("AddressKinds.*", "Outgoing*")
TLS = net_tests("TlsTest.*")
CROWDS = net_tests("RegistryTest.*:ReceiveBuffer.*:ClientGroup.*")

FAULTS = [
    # ---- heads ----
    Fault("a request may name two hosts", "heads", "net/src/request_head.cpp",
          "    if (headers.count(name) > 1) return", "    if (false) return", HEADS),
    Fault("a header line may be folded", "heads", "net/src/request_head.cpp",
          "      if (folded) return tl::unexpected(refusal(400, \"folded header line\"));\n", "",
          HEADS),
    Fault("a head has as many fields as it likes", "heads", "net/src/request_head.cpp",
          "    if (++lines_ > limits_.header_fields_max + 1)", "    if (++lines_ == 0)", HEADS),
    Fault("a head is as long as it likes", "heads", "net/src/request_head.cpp",
          "    if (scanned_ >= limits_.header_bytes_max)", "    if (false)", HEADS),
    Fault("an address that cannot be read counts as that of the proxy", "heads",
          "net/src/request_head.cpp",
          "    if (!IpAddress::parse(last)) return std::string(kUnknownClient);",
          "    if (!IpAddress::parse(last)) break;", HEADS),
    Fault("anybody may say that the connection is encrypted", "heads", "net/src/request_head.cpp",
          "      peer.tls || (proxied && equals_ignoring_case(",
          "      peer.tls || (equals_ignoring_case(", HEADS),
    Fault("a host that ends like an allowed one is served", "heads", "net/src/uri.cpp",
          "  if (pattern.starts_with('.')) return host.ends_with(pattern) ||",
          "  if (pattern.starts_with('.')) return host.ends_with(pattern.substr(1)) ||", HEADS),
    Fault("a path is looked at before it is decoded", "heads", "net/src/uri.cpp",
          "  if (has_parent_segment(parsed.path))",
          "  if (has_parent_segment(target.substr(0, question)))", HEADS),
    Fault("an encoded slash divides a path", "heads", "net/src/uri.cpp",
          "    if (equals_ignoring_case(escape, \"%2f\") || equals_ignoring_case(escape, \"%5c\"))",
          "    if (escape.empty())", HEADS),
    Fault("a text of ours ends a line of the head", "heads", "net/src/response_head.cpp",
          "    out += control ? ' ' : c;", "    out += control && c != '\\n' ? ' ' : c;", HEADS),
    # ---- bodies ----
    Fault("what stands behind a chunk is not looked at", "bodies", "net/src/body_decoder.cpp",
          "      if (c != '\\r') return malformed();\n      state_ = State::data_lf;",
          "      state_ = State::data_lf;", BODIES),
    Fault("the size of a chunk overflows", "bodies", "net/src/body_decoder.cpp",
          "    if (++line_bytes_ > kHexDigitsMax) return malformed();", "    ++line_bytes_;",
          BODIES),
    Fault("the line of a chunk is as long as it likes", "bodies", "net/src/body_decoder.cpp",
          "  if (++line_bytes_ > chunk_line_bytes_max_) return malformed();\n", "", BODIES),
    Fault("a trailer is as long as it likes", "bodies", "net/src/body_decoder.cpp",
          "  if (++trailer_bytes_ > trailer_bytes_max_) return malformed();\n", "", BODIES),
    Fault("who was fast once may be slow for hours", "bodies", "net/src/transfer_allowance.hpp",
          "    left_ = std::max(left_, std::min(earned, window_));",
          "    left_ = std::max(left_, earned);", BODIES),
    Fault("what is read and dropped after an answer has no end", "bodies",
          "net/src/discard_budget.hpp",
          "    bytes_ -= std::min<std::uint64_t>(bytes_, bytes);\n", "", BODIES),
    Fault("a body that does not come takes its whole buffer", "memory",
          "net/src/receive_buffer.hpp", "std::min(wanted, filled)", "wanted", CROWDS),
    # ---- uploads ----
    Fault("the header of a part is as long as it likes", "uploads", "net/src/multipart.cpp",
          "  if (std::min(end, input.size()) > part_header_bytes_max_)", "  if (false)", UPLOADS),
    Fault("a body has as many parts as it likes", "uploads", "net/src/multipart.cpp",
          "  if (++parts_ > parts_max_)", "  if (++parts_ == 0)", UPLOADS),
    Fault("a file name may be a path", "uploads", "net/src/multipart.cpp",
          " || name.find_first_of(\"/\\\\\") != name.npos)", ")", UPLOADS),
    Fault("a body that is cut off is whole", "uploads", "net/src/multipart.cpp",
          "  if (state_ != State::epilogue) return malformed(", "  if (false) return malformed(",
          UPLOADS),
    Fault("a text field is as long as it likes", "uploads", "net/src/upload_sink.cpp",
          "  if (text_.size() > limits_.multipart_text_field_bytes_max)", "  if (false)", UPLOADS),
    # ---- tokens ----
    Fault("a token for imports opens exports", "tokens", "net/src/public_api.cpp",
          "check_token(ports, request, TokenKind::polling)",
          "check_token(ports, request, TokenKind::import)", TOKENS),
    Fault("exports need no token in production", "tokens", "net/src/public_api.cpp",
          "rule == TokenRule::always || mode == Mode::production;",
          "rule == TokenRule::always;", TOKENS),
    Fault("who guesses tokens keeps the connection", "tokens", "net/src/public_api.cpp",
          "    denied.close = ports.tokens.refused(request.client_address);",
          "    ports.tokens.refused(request.client_address);", TOKENS),
    # ---- the client that polls ----
    Fault("interim answers are not counted", "peers", "net/src/http_client.cpp",
          "    if (interim == kInterimAnswersMax) return broken(\"too many interim answers\");\n",
          "", CLIENT),
    Fault("each byte gives the peer its time again", "peers", "net/src/http_client.cpp",
          "  const auto asked = clock_->steady();\n",
          "  const auto asked = began_ = clock_->steady();\n", CLIENT),
    Fault("who is always ready has no deadline", "peers", "net/src/http_client.cpp",
          "  if (left == std::chrono::milliseconds(0)) return ByteChannel::Ready::timed_out;\n", "",
          CLIENT),
    Fault("a refusal is as long as a map may be", "peers", "net/src/http_client.cpp",
          "      response.status < 300 ? limits_.body_bytes_max : limits_.refusal_bytes_max;",
          "      limits_.body_bytes_max;", CLIENT),
    Fault("an answer that is cut off is whole", "peers", "net/src/http_client.cpp",
          "      if (!decoder.done()) return broken(\"it ends before its time\");\n", "", CLIENT),
    Fault("an answer may have two lengths", "peers", "net/src/http_client.cpp",
          "end != text.data() + text.size() ||\n      headers.count(\"Content-Length\") > 1)",
          "end != text.data() + text.size())", CLIENT),
    Fault("only the first address of a name is judged", "peers", "net/src/outgoing.cpp",
          "objection(address, rules)) return", "objection(addresses->front(), rules)) return",
          PEERS),
    Fault("an internal address inside another one is polled", "peers", "net/src/outgoing.cpp",
          "{\"64:ff9b:1::/48\", 12}, {\"2002::/16\", 2}", "{\"64:ff9b:1::/48\", 12}", PEERS),
    Fault("what is never polled may be allowed", "peers", "net/src/outgoing.cpp",
          "  if (kind == AddressKind::forbidden)\n", "  if (false)\n", PEERS),
    Fault("a certificate that nobody vouches for is taken", "peers", "net/src/tls_channel.cpp",
          "peer.verified ? SSL_VERIFY_PEER : SSL_VERIFY_NONE", "SSL_VERIFY_NONE", PEERS),
    Fault("a certificate of another host is taken", "peers", "net/src/tls_channel.cpp",
          "== 1 && SSL_set1_host(ssl, host.c_str()) == 1;", "== 1;", PEERS),
    Fault("a stop does not wake who waits for a peer", "peers", "net/src/byte_channel.cpp",
          "    void operator()() const { ::shutdown(socket, SHUT_RDWR); }",
          "    void operator()() const {}", PEERS),
    # ---- the rest of the server ----
    Fault("a private key that its group may read is used", "TLS", "net/src/tls.cpp",
          "(S_IRWXG | S_IRWXO)", "S_IRWXO", TLS),
    Fault("each address of an IPv6 network is another client", "crowds", "net/src/address.cpp",
          "kGroupBytes = 8;", "kGroupBytes = 16;", CROWDS),
    Fault("who is known gives way like a stranger", "crowds", "net/src/registry.cpp",
          "connection.known ? kLast : connection", "connection.known ? 1 : connection", CROWDS),
    Fault("who comes from a known address gives way like a stranger", "crowds",
          "net/src/registry.cpp", "? kLate : 1;", "? 1 : 1;", CROWDS),
    Fault("who is known gives way where the first ones compared are known", "crowds",
          "net/src/registry.cpp", "worst != nullptr && is_plain_stranger(*worst)) break;",
          "worst != nullptr) break;", CROWDS),
    Fault("as many may be on their way out as like", "crowds", "net/src/registry.cpp",
          "return given_up_ >= options_.limits.connections_max;", "return false;", CROWDS),
    Fault("an upload whose token was taken comes as slowly as strangers' bodies", "crowds",
          "net/src/connection.cpp", "  moved(read.bytes, now);\n  if (!known) owe(read.bytes);",
          "  owe(read.bytes);", net_tests("HostileConnections.HoldBack*")),
    Fault("strangers are waited for by the threads of known clients", "crowds",
          "net/src/http_server.cpp", "(from_known_address ? io_ : strangers_io_)", "(io_)",
          net_tests("HostileConnections.*Threads*")),
    Fault("an address is known for ever", "crowds", "net/src/known_clients.cpp",
          "return found != served.end() && clock_.steady() - found->second < kRemembered;",
          "return found != served.end();", net_tests("KnownClients.*")),
    Fault("the share of an address stays the same however full it is", "crowds",
          "net/src/registry.cpp", "std::max(kLeastShare, free / 2);",
          "limits.connections_per_address_max;",
          net_tests("RegistryTest.*", "HostileConnections.HaveASmallerShare*")),
]

AREA = Area("net", FAULTS, wall_seconds=300)
