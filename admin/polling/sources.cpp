#include "admin/polling/sources.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admin/polling/netbox_choice.hpp"
#include "admin/polling/source_address.hpp"
#include "engine/graph/record.hpp"
#include "engine/import/plan_polls.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kSourceNameCharactersMax = 140;
constexpr std::size_t kTokenMax = 32;
constexpr std::size_t kNetboxTokenMax = 128;
constexpr std::size_t kCertificatesMax = std::size_t{64} << 10;
constexpr std::int64_t kPortMax = 65535;
constexpr std::size_t kListedTopologiesMax = 1000;

// As it stands in a header field.
bool is_token(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

Status in_field(const char* name, Status checked) {
  if (checked) return checked;
  return fail(checked.error().code, name, checked.error().text());
}

void warn_of_authority(EventLog& events, const engine::PollingSource& source,
                       engine::SourceAuthority before) {
  if (source.authority == before || source.authority != engine::SourceAuthority::any) return;
  events.warning("source_authority",
                 fmt::format("the maps of source {} may now change the topologies of others, and "
                             "those of this node",
                             source.name));
}

tl::unexpected<Error> no_such_source() {
  return fail(Errc::not_found, "there is no such source");
}

template <class T>
void take(T& into, const std::optional<T>& given) {
  if (given) into = *given;
}

// Whether both reach the same server, in the same privacy.
bool same_server(const engine::PollingSource& a, const engine::PollingSource& b) {
  return a.protocol == b.protocol && a.hostname == b.hostname && a.port == b.port &&
         a.kind == b.kind;
}

Status check_authority(const engine::PollingSource& source) {
  const bool listed = source.authority == engine::SourceAuthority::listed;
  if (source.listed_topologies.size() > kListedTopologiesMax)
    return fail(Errc::invalid_input, "listed_topologies",
                fmt::format("they are at most {}", kListedTopologiesMax));
  for (const std::string& topology : source.listed_topologies)
    if (topology.empty() || engine::character_count(topology) > engine::kIdCharactersMax)
      return fail(Errc::invalid_input, "listed_topologies",
                  fmt::format("an identifier has 1 to {} characters", engine::kIdCharactersMax));
  if (listed && source.listed_topologies.empty())
    return fail(Errc::invalid_input, "listed_topologies",
                "name the topologies that it may change besides its own "
                "(--listed-topology)");
  if (!listed && !source.listed_topologies.empty())
    return fail(Errc::invalid_input, "listed_topologies",
                "they count with the authority \"listed\" alone");
  return {};
}

// What nobody gave anew goes with the kind that it was for.
Status fill_choice(engine::PollingSource& source, const SourceFields& fields) {
  const bool is_netbox = source.kind == engine::SourceKind::netbox;
  NetboxChoice choice = is_netbox ? netbox_choice(source) : NetboxChoice();
  take(choice.filters, fields.filters);
  if (fields.mapping) {
    NETML_TRY(choice.mapping, codecs::netbox::parse_mapping(*fields.mapping));
  }
  if (!is_netbox && !choice.filters.empty())
    return fail(Errc::invalid_input, "filters", "they count with the kind \"netbox\" alone");
  if (!is_netbox && choice.mapping != codecs::netbox::Mapping())
    return fail(Errc::invalid_input, "mapping", "it counts with the kind \"netbox\" alone");
  NETML_TRY_VOID(check_netbox_filters(choice.filters));
  source.filters = std::move(choice.filters);
  source.mapping = codecs::netbox::mapping_text(choice.mapping);
  return {};
}

Status check_token(const engine::PollingSource& source, const std::string& token) {
  const bool is_netbox = source.kind == engine::SourceKind::netbox;
  const std::size_t longest = is_netbox ? kNetboxTokenMax : kTokenMax;
  if (token.size() <= longest && is_token(token)) return {};
  return fail(Errc::invalid_input, "token",
              fmt::format("it has at most {} characters, none of them a blank", longest));
}

}  // namespace

Result<std::string> Sources::sealed(const std::string& token) const {
  if (token.empty()) return std::string();
  return node_.secrets().seal(token, node_.random());
}

Status Sources::fill(engine::PollingSource& source, const SourceFields& fields) const {
  if (fields.port) {
    if (*fields.port < 1 || *fields.port > kPortMax)
      return fail(Errc::invalid_input, "port",
                  fmt::format("it is a number from 1 to {}", kPortMax));
    source.port = static_cast<std::uint16_t>(*fields.port);
  }
  take(source.name, fields.name);
  take(source.protocol, fields.protocol);
  take(source.hostname, fields.hostname);
  take(source.path, fields.path);
  take(source.active, fields.active);
  take(source.plain_http, fields.plain_http);
  if (source.protocol == engine::Protocol::https) source.plain_http = false;
  take(source.unverified, fields.unverified);
  take(source.ca_certificates, fields.ca_certificates);
  take(source.deletions_max, fields.deletions_max);
  take(source.deletion_percent_max, fields.deletion_percent_max);
  take(source.authority, fields.authority);
  take(source.listed_topologies, fields.listed_topologies);
  take(source.kind, fields.kind);
  NETML_TRY_VOID(fill_choice(source, fields));
  if (fields.token) NETML_TRY_VOID(check_token(source, *fields.token));
  // A list that nobody gave anew goes with the authority that it was for.
  if (source.authority != engine::SourceAuthority::listed && !fields.listed_topologies)
    source.listed_topologies.clear();
  return check(source);
}

Status Sources::check(const engine::PollingSource& source) const {
  if (source.name.empty() || engine::character_count(source.name) > kSourceNameCharactersMax)
    return fail(Errc::invalid_input, "name",
                fmt::format("it has 1 to {} characters", kSourceNameCharactersMax));
  NETML_TRY_VOID(in_field("hostname", check_hostname(source.hostname)));
  NETML_TRY_VOID(in_field("path", check_source_path(source.path)));
  if (source.ca_certificates.size() > kCertificatesMax ||
      (!source.ca_certificates.empty() &&
       source.ca_certificates.find("-----BEGIN CERTIFICATE-----") == std::string::npos))
    return fail(Errc::invalid_input, "ca_certificates",
                fmt::format("they are PEM text of at most {} KiB", kCertificatesMax >> 10));
  if (source.deletion_percent_max.value_or(0) > 100)
    return fail(Errc::invalid_input, "deletion_percent_max", "it is a number from 0 to 100");
  NETML_TRY_VOID(check_authority(source));
  const bool plain = source.protocol == engine::Protocol::http;
  if (plain && !source.plain_http && rule_ == SourceRule::production)
    return fail(Errc::invalid_input, "protocol",
                "with http the token and the map travel in clear; use https, or say that this is "
                "meant (--plain-http, \"plain_http\")");
  if (source.unverified && rule_ != SourceRule::development)
    return fail(Errc::invalid_input, "unverified",
                "certificates may be left unchecked in development mode only; name "
                "those that are "
                "to be trusted (--ca-file, \"ca_certificates\")");
  return {};
}

Result<std::uint64_t> Sources::create(const Caller& caller, const SourceFields& fields) {
  engine::PollingSource source;
  NETML_TRY_VOID(fill(source, fields));
  NETML_TRY(source.sealed_token, sealed(fields.token.value_or("")));
  std::uint64_t number = 0;
  const auto plan = [&](const engine::State& state, WallTime now) {
    source.created = now.instant();
    number = state.catalog.sources.next_number();
    return plan_source_create(state, source);
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::source, plan));
  warn_of_authority(node_.events(), source, engine::SourceAuthority::own);
  return number;
}

Status Sources::update(const Caller& caller, std::uint64_t number, const SourceFields& fields) {
  std::optional<std::string> token;
  if (fields.token) {
    NETML_TRY(token, sealed(*fields.token));
  }
  engine::PollingSource source;
  auto authority = engine::SourceAuthority::own;
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    const auto stored = state.catalog.sources.find(number);
    if (stored == nullptr) return no_such_source();
    source = *stored;
    authority = stored->authority;
    take(source.sealed_token, token);
    NETML_TRY_VOID(fill(source, fields));
    if (!token && !same_server(source, *stored)) source.sealed_token.clear();
    return plan_source_update(state, number, source);
  };
  NETML_TRY_VOID(node_.commit(caller, engine::Cause::source, plan));
  warn_of_authority(node_.events(), source, authority);
  return {};
}

Status Sources::remove(const Caller& caller, std::uint64_t number) {
  const auto plan = [&](const engine::State& state, WallTime) -> Result<engine::Transaction> {
    const auto stored = state.catalog.sources.find(number);
    if (stored == nullptr) return no_such_source();
    return plan_source_delete(state, stored->name);
  };
  return node_.commit(caller, engine::Cause::source, plan);
}

Result<std::optional<std::string>> Sources::token(const engine::PollingSource& source) const {
  if (source.sealed_token.empty()) return std::optional<std::string>();
  std::optional<std::string> token = node_.secrets().open(source.sealed_token);
  if (!token)
    return fail(Errc::conflict,
                "the token cannot be read: the node has another key; set the token again");
  return token;
}

}  // namespace netml::admin
