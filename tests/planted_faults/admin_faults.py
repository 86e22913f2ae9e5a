"""Faults that the tests of admin/ must find: each breaks one promise of docs/security.md or
docs/polling.md."""

from fault import Area, Fault, Run


def services(suites):
    return (Run("services_tests", suites),)


def web_api(suites):
    return (Run("web_api_tests", suites),)


CACHE = services("Published.*")
GUESSES = web_api("Guesses.*:ThrottleDamage.*:WebSession.*")
SESSIONS = web_api("WebSession.*")
TOKENS = services("TokensOfANode.*") + web_api("TokenGuesses.*:WebAccess.*")
MEMORY = services("MemoryBudget.*:BoundedNode.*:BoundedMemory.*")
GRAPHQL = web_api("GraphqlQueries.*:LongAnswers.*:Visualization.*")
EXPORTS = services("KeptPieces.*:FewKeptPieces.*:BoundedNode.*")
UPLOADS = services("Uploads.*:SpoolTest.*:Queue.*")
PUBLIC = (Run("public_api_tests", "PublicApi*:HostileUploadTest.*:SmallUploadTest.*"),)
SOURCES = services("Sources.*:PollerTest.SendsNoToken*")
POLLS = services("SourceAuthorityTest.*:PollerTest.*:PollingTest.*:HostilePeers.*")
SLOW = services("SlowPeers.*")
TESTS = services("ConnectionTest.*")

FAULTS = [
    # ---- the cache of published snapshots ----
    Fault("a cached file is sent unchecked", "cache", "admin/exports/published_cache.cpp",
          "    if (read_.bytes < written_.bytes || read_.checksum == written_.checksum) return",
          "    if (!name_.empty() || read_.checksum == written_.checksum) return", CACHE),
    Fault("a cached file that changed is believed, as it was right once", "cache",
          "admin/exports/published_cache.cpp",
          "    return found != files_.end() && found->second == identity;",
          "    return found != files_.end();", CACHE),
    Fault("a cached file is checked before it is sent only", "cache",
          "admin/exports/published_cache.cpp",
          "                         net::StreamBody{.source = std::make_unique<CheckedFile>(\n"
          "                                             *std::move(file), name, parsed->written, "
          "checked_),",
          "                         net::StreamBody{.source = net::file_source(*std::move(file)),",
          CACHE),
    Fault("the name of a cached file does not tell of whom it is", "cache",
          "admin/exports/published_cache.cpp",
          "    if (!parsed || parsed->prefix != prefix || !holds", "    if (!parsed || !holds",
          CACHE),
    # ---- signing in ----
    Fault("the checksum of the throttle's file is not looked at", "throttle",
          "admin/access/throttle_file.cpp",
          "  if (end == std::string_view::npos || text.substr(end) != checksum_line("
          "text.substr(0, end)))",
          "  if (end == std::string_view::npos)", GUESSES),
    Fault("a clock that is put forward makes failures forgotten", "throttle",
          "admin/access/sign_in_throttle.cpp",
          "std::clamp<std::int64_t>(span, 0, kLongestDelay.count())",
          "std::max<std::int64_t>(span, 0)", GUESSES),
    Fault("a clock that is put back closes an account for as long", "throttle",
          "admin/access/sign_in_throttle.cpp",
          "std::clamp<std::int64_t>(span, 0, kLongestDelay.count())",
          "std::min<std::int64_t>(span, kLongestDelay.count())", GUESSES),
    Fault("failures are counted by the wall clock", "throttle", "admin/access/sign_in_throttle.cpp",
          "  accounts_[account] = {before + 1, now};",
          "  accounts_[account] = {before + 1, std::chrono::seconds("
          "node_.clock().wall().instant().seconds)};", GUESSES),
    Fault("guesses close an account for a day", "throttle", "admin/access/sign_in_throttle.cpp",
          "  return std::min(kFirstDelay * (1 << doublings), kLongestDelay);",
          "  return kFirstDelay * (1 << doublings);", GUESSES),
    Fault("guesses of strangers close signing in for those who were here", "throttle",
          "admin/access/sign_in_throttle.cpp",
          "      known_.contains(group) ? std::chrono::nanoseconds() : wait_of(",
          "      known_.empty() ? std::chrono::nanoseconds() : wait_of(", GUESSES),
    Fault("each address of an IPv6 network may guess", "throttle",
          "admin/access/sign_in_throttle.cpp",
          "  add_to(addresses_[net::client_group(address)], now);",
          "  add_to(addresses_[address], now);", GUESSES),
    Fault("names that nobody has make failures forgotten", "throttle",
          "admin/access/sign_in_throttle.cpp",
          "      return std::tuple(each.second.count, each.second.last);",
          "      return std::tuple(-each.second.count, each.second.last);", GUESSES),
    Fault("a session goes on for ever", "sessions", "admin/access/sessions.cpp",
          "  if (now - use.began >= kAgeMax || now - use.last > kIdleMax) return std::nullopt;",
          "  if (now - use.last > kIdleMax) return std::nullopt;", SESSIONS),
    Fault("a cookie that nobody uses goes on", "sessions", "admin/access/sessions.cpp",
          "  if (now - use.began >= kAgeMax || now - use.last > kIdleMax) return std::nullopt;",
          "  if (now - use.began >= kAgeMax) return std::nullopt;", SESSIONS),
    Fault("a restart revives sessions", "sessions", "admin/access/sessions.cpp",
          "    use.began = use.last = now - age;", "    use.began = use.last = now;", SESSIONS),
    Fault("a session may have begun in the future", "sessions", "admin/access/sessions.cpp",
          "    if (age < std::chrono::seconds(0)) return std::nullopt;\n", "", SESSIONS),
    Fault("the cookie from before a sign-in still counts", "sessions", "admin/access/sessions.cpp",
          "                         return each == former;",
          "                         return false;", SESSIONS),
    Fault("a page of another site may change something", "sessions",
          "admin/api/site/calls/calls.cpp",
          "    const bool meant = !by_cookie ||", "    const bool meant = by_cookie ||", SESSIONS),
    Fault("an identity that came twice is believed", "sessions",
          "admin/api/site/calls/identity.cpp",
          "    return misspelled || found > 1;", "    return misspelled;",
          web_api("IdentityHeaders.*")),
    # ---- tokens ----
    Fault("a token opens what it is not for", "tokens", "admin/access/tokens.cpp",
          " || token->kind != wanted) return", ") return", TOKENS),
    Fault("an index finds entries by what they were before", "tokens", "engine/catalog/table.hpp",
          "        if (before) set.erase(", "        if (before == after) set.erase(",
          (Run("engine_tests", "TableIndexes.*"),)),
    Fault("guesses of tokens end no connection", "tokens", "admin/access/tokens.cpp",
          "  return count > kRefusedPerMinute;", "  return count == 0;", TOKENS),
    Fault("counting guesses takes memory without end", "tokens",
          "admin/base/minute_counts.hpp", " || counts_.size() >= kClientsMax) {", ") {",
          TOKENS),
    # ---- memory ----
    Fault("there is always memory left", "memory", "admin/base/memory_budget.cpp",
          "    return bytes <= limit_ - std::min(limit_, used);",
          "    return bytes <= limit_ || used == 0;", MEMORY),
    Fault("the system is not asked for memory", "memory", "admin/base/memory_budget.cpp",
          "  if (system_ == nullptr || bytes <= system_->room()) return true;\n",
          "  if (bytes > 0) return true;\n", MEMORY),
    Fault("what a reservation grows by is given back at once", "memory",
          "admin/base/memory_budget.cpp",
          "  reservation.bytes_ += std::exchange(more.bytes_, 0);",
          "  reservation.bytes_ += more.bytes_;", MEMORY),
    Fault("caches keep what others need", "memory", "admin/base/memory_budget.cpp",
          "    empty_caches();\n    if (take())", "    if (take())", MEMORY),
    Fault("an export takes memory that it did not reserve", "memory",
          "admin/exports/export_stream.cpp",
          "    NETML_TRY(reserved_, std::move(reserved));\n", "", MEMORY),
    Fault("questions take what an import waits for", "memory", "admin/base/memory_budget.cpp",
          "|| (waiting_ > 0 && gives_way(use))) return false;", ") return false;", MEMORY),
    # ---- queries ----
    Fault("aliases of a query are not counted", "GraphQL", "admin/api/graphql/graphql_plan.cpp",
          "    if (field.key != selection.name && ++aliases_ > kAliasesMax)", "    if (false)",
          GRAPHQL),
    Fault("selections of a query are not counted", "GraphQL", "admin/api/graphql/graphql_plan.cpp",
          "      if (++selections_ > kSelectionsMax) return", "      if (false) return", GRAPHQL),
    Fault("a query goes as deep as it likes", "GraphQL", "admin/api/graphql/graphql_plan.cpp",
          "        if (next.depth == depth_max) return", "        if (false) return", GRAPHQL),
    Fault("records of an answer are not counted", "GraphQL", "admin/api/graphql/graphql_writer.cpp",
          "  records_ += records;\n", "", GRAPHQL),
    Fault("an answer is as long as it likes", "GraphQL", "admin/api/graphql/graphql_answers.cpp",
          "    if (bytes > limits_.bytes_max)", "    if (false)", GRAPHQL),
    Fault("an answer is counted for as long as it takes", "GraphQL",
          "admin/api/graphql/graphql_answers.cpp",
          "    if (clock_.steady() > deadline)\n", "    if (false)\n", GRAPHQL),
    Fault("as many long answers are counted at once as are asked for", "GraphQL",
          "admin/api/graphql/graphql_answers.cpp",
          "  const std::shared_ptr<void> counted = counted_.take();",
          "  const auto counted = std::make_shared<bool>();", GRAPHQL),
    Fault("an answer is counted for a client that has left", "GraphQL",
          "admin/api/graphql/graphql_answers.cpp",
          "  while (more) {\n    if (client.has_left()) return left();\n", "  while (more) {\n",
          GRAPHQL),
    # ---- exports ----
    Fault("an export holds what a topology was before", "export", "admin/exports/export_pieces.cpp",
          "    pieces_.erase(key({topology, false}));\n", "", EXPORTS),
    Fault("cached pieces of exports are as many as there are", "export",
          "admin/exports/export_pieces.cpp",
          "         pieces_.bytes() + bytes <= bytes_max_ && memory_.has_spare(bytes);",
          "         memory_.has_spare(bytes);", EXPORTS),
    # ---- imports ----
    Fault("a stored upload is imported unchecked", "import", "admin/node/kept_file.cpp",
          "  if (bytes == accepted.bytes && hasher.finish() == accepted.hash) return {};",
          "  if (hasher.finish() == accepted.hash || bytes > 0) return {};", UPLOADS),
    Fault("as many uploads are received at once as are sent", "import",
          "admin/imports/intake.cpp",
          "    if (!receiving) return tl::unexpected(too_many_received());\n",
          "    if (!receiving) receiving = std::make_shared<bool>();\n", UPLOADS),
    Fault("as many imports wait as are sent", "import", "admin/imports/import_queue.cpp",
          "  if (waiting < kWaitingMax) return {};", "  if (waiting <= 2 * kWaitingMax) return {};",
          UPLOADS),
    # ---- public endpoints ----
    Fault("an import record is shown to any token", "public", "admin/api/public/public_api.cpp",
          "  if (record && record->token == holder->token) {", "  if (record) {", PUBLIC),
    Fault("a text field is as long as it likes", "public", "admin/api/public/upload_sink.cpp",
          "  if (text_.size() > limits_.multipart_text_field_bytes_max)", "  if (false)", PUBLIC),
    Fault("a token for imports opens exports", "public", "admin/api/public/public_api.cpp",
          "check_token(services, request, engine::TokenKind::polling)",
          "check_token(services, request, engine::TokenKind::import)", PUBLIC),
    Fault("exports need no token in production", "public", "admin/api/public/public_api.cpp",
          "rule == TokenRule::always || token == ExportToken::needed;",
          "rule == TokenRule::always;", PUBLIC),
    Fault("who guesses tokens keeps the connection", "public", "admin/api/public/public_api.cpp",
          "    denied.close = services.tokens.refused(request.client_address);",
          "    services.tokens.refused(request.client_address);", PUBLIC),
    # ---- peers ----
    Fault("a token goes to another host", "peers", "admin/polling/sources.cpp",
          "a.protocol == b.protocol && a.hostname == b.hostname && a.port == b.port;",
          "a.protocol == b.protocol && a.port == b.port;", SOURCES),
    Fault("a token that was given for https goes over http", "peers", "admin/polling/sources.cpp",
          "a.protocol == b.protocol && a.hostname == b.hostname && a.port == b.port;",
          "a.hostname == b.hostname && a.port == b.port;", SOURCES),
    Fault("a map may change what belongs to others", "peers", "admin/imports/import_job_plans.cpp",
          "  if (auto reason = beyond_authority(state, plan, request_.polled_source)) return",
          "  if (auto reason = beyond_authority(state, plan, 0); false) return", POLLS),
    Fault("what a peer brought is forgotten with its address", "peers",
          "admin/polling/detail/poll_run.cpp",
          "  peer.topologies = stored->topologies;\n", "", POLLS),
    Fault("a map that was overwritten is unchanged", "peers", "admin/polling/detail/poll_run.cpp",
          "  return known && still_stands(chosen, fetched.memory);", "  return known;", POLLS),
    Fault("a peer is believed that nothing changed, though others overwrote it", "peers",
          "admin/polling/detail/poll_run.cpp",
          "  if (fetched && !fetched->upload && !still_stands(chosen, fetched->memory))",
          "  if (false)", POLLS),
    Fault("the map of a source that was deleted is imported", "peers",
          "admin/polling/detail/poll_run.cpp",
          "  if (node_.version().state->catalog.sources.find(chosen.number) == nullptr)",
          "  if (false)", SLOW),
    Fault("a fault of this node counts as one of the peer", "peers",
          "admin/polling/detail/poll_run.cpp",
          "    if (failure.reason != \"local\") learn_failure(peer, now);",
          "    learn_failure(peer, now);", POLLS),
    Fault("a compressed answer is imported", "peers", "admin/polling/detail/peer_fetch.cpp",
          "  if (!encoding.empty() && !equals_ignoring_case(encoding, \"identity\"))",
          "  if (false)", POLLS),
    Fault("a peer says that nothing changed, without having been asked", "peers",
          "admin/polling/detail/peer_fetch.cpp",
          "  if (answer.status == 304 && !order.memory.etag.empty()) return",
          "  if (answer.status == 304) return", POLLS),
    Fault("the time for the connection does not count", "peers",
          "admin/polling/detail/peer_request.cpp",
          "  limits.total_max -= std::chrono::floor<std::chrono::milliseconds>("
          "clock.steady() - began);\n", "", SLOW),
    Fault("connections are tested as often as somebody likes", "peers", "admin/polling/polling.cpp",
          "  if (tests_.size() >= kTestsPerMinute) return false;\n", "", TESTS),
    Fault("a slow peer delays those after it", "peers", "admin/polling/detail/poll_run.cpp",
          "    if (!begun_[i] || now - *begun_[i] < poll_rules_.order_patience) break;",
          "    break;", SLOW),
    Fault("a poll goes on when its batch is deleted", "peers", "admin/polling/detail/poll_run.cpp",
          "  return stop_.stop_requested() ||\n"
          "         node_.version().state->catalog.poll_batches.find(batch_) == nullptr;",
          "  return stop_.stop_requested();", POLLS),
    Fault("what this node cannot store is a fault of the peer", "peers",
          "admin/polling/detail/peer_request.cpp", "    taken = done.has_value();\n", "", SLOW),
]

AREA = Area("admin", FAULTS, wall_seconds=300)
