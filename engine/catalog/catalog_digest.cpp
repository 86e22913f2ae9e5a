#include "engine/catalog/catalog_digest.hpp"

#include <concepts>
#include <optional>
#include <span>
#include <string>

namespace netml::engine {

namespace {
class FieldBytes {
 public:
  FieldBytes& number(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      bytes_ += static_cast<char>(static_cast<unsigned char>(value >> shift));
    return *this;
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  FieldBytes& number(Enum value) {
    return number(static_cast<std::uint64_t>(value));
  }
  FieldBytes& time(Instant instant) { return number(static_cast<std::uint64_t>(instant.seconds)); }
  FieldBytes& time(const std::optional<Instant>& instant) {
    number(std::uint64_t{instant.has_value()});
    return time(instant.value_or(Instant{}));
  }
  FieldBytes& limit(const std::optional<std::uint32_t>& value) {
    return number(value ? std::uint64_t{*value} + 1 : 0);
  }
  FieldBytes& text(std::string_view text) {
    number(text.size());
    bytes_ += text;
    return *this;
  }
  FieldBytes& parts(const std::vector<RulePart>& parts) {
    number(parts.size());
    for (const RulePart& part : parts) {
      number(part.number).text(part.type).number(part.infos.size());
      for (const RuleInfo& info : part.infos) number(info.number).text(info.key).text(info.value);
    }
    return *this;
  }
  FieldBytes& raw(std::span<const std::byte> bytes) {
    return text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  Digest digest(DigestRole role, std::uint64_t key) const {
    return digest_of(role, key, std::as_bytes(std::span(bytes_)));
  }

 private:
  std::string bytes_;
};
}  // namespace

// What an entry lacks that versions before did not know adds nothing to its digest, so it is as it
// was then: how often a token was shown, the authority of a source, the topologies of a peer.
Digest entry_digest(std::uint64_t number, const Token& token) {
  FieldBytes bytes;
  bytes.text(token.client_name)
      .number(token.kind)
      .raw(token.mac)
      .text(token.ciphertext)
      .time(token.created);
  if (token.shown != 0) bytes.number(token.shown);
  return bytes.digest(DigestRole::token, number);
}

Digest entry_digest(std::uint64_t number, const Setting& setting) {
  return FieldBytes().text(setting.name).text(setting.value).digest(DigestRole::setting, number);
}

Digest entry_digest(std::uint64_t number, const ImportRecord& record) {
  FieldBytes bytes;
  bytes.number(record.status)
      .number(record.source)
      .text(record.name)
      .text(record.token_client_name)
      .number(record.token)
      .number(record.parent_topology.value)
      .text(record.topology_name)
      .time(record.imported_at)
      .raw(record.file_hash)
      .number(record.file_bytes);
  for (const ImportCounts& counts : record.counts)
    bytes.number(counts.parsed).number(counts.imported);
  return bytes.text(record.message).digest(DigestRole::import_record, number);
}

Digest entry_digest(std::uint64_t number, const PublishedItem& item) {
  return FieldBytes()
      .number(item.status)
      .text(item.name)
      .text(item.description)
      .text(item.version)
      .time(item.file_date)
      .number(item.lsn.value)
      .text(item.failure)
      .digest(DigestRole::published_item, number);
}

Digest entry_digest(std::uint64_t number, const Account& account) {
  return FieldBytes()
      .text(account.name)
      .text(account.email)
      .number(account.role)
      .number(std::uint64_t{account.enabled})
      .text(account.sealed_password)
      .time(account.created)
      .digest(DigestRole::account, number);
}

Digest entry_digest(std::uint64_t number, const Ruleset& ruleset) {
  return FieldBytes()
      .text(ruleset.name)
      .number(std::uint64_t{ruleset.enabled})
      .number(static_cast<std::uint64_t>(ruleset.priority))
      .digest(DigestRole::ruleset, number);
}

Digest entry_digest(std::uint64_t number, const Rule& rule) {
  return FieldBytes()
      .number(rule.ruleset)
      .text(rule.name)
      .number(std::uint64_t{rule.enabled})
      .number(static_cast<std::uint64_t>(rule.priority))
      .number(std::uint64_t{rule.last_ordinal})
      .parts(rule.criteria)
      .parts(rule.actions)
      .digest(DigestRole::rule, number);
}

Digest entry_digest(std::uint64_t number, const KeptPlan& plan) {
  return FieldBytes()
      .text(plan.name)
      .number(plan.source)
      .text(plan.token_client_name)
      .number(plan.token)
      .number(std::uint64_t{plan.parent_topology.value})
      .text(plan.topology_name)
      .raw(plan.file_hash)
      .number(plan.file_bytes)
      .time(plan.planned_at)
      .number(plan.lsn.value)
      .number(plan.effects.low)
      .number(plan.effects.high)
      .number(plan.created)
      .number(plan.updated)
      .number(plan.deleted)
      .number(plan.import_record)
      .text(plan.held_because)
      .digest(DigestRole::kept_plan, number);
}

Digest entry_digest(std::uint64_t number, const PollingSource& source) {
  FieldBytes bytes;
  bytes.text(source.name)
      .number(source.protocol)
      .text(source.hostname)
      .number(std::uint64_t{source.port})
      .text(source.path)
      .number(std::uint64_t{source.active})
      .text(source.sealed_token)
      .number(std::uint64_t{source.plain_http})
      .number(std::uint64_t{source.unverified})
      .text(source.ca_certificates)
      .time(source.created)
      .limit(source.deletions_max)
      .limit(source.deletion_percent_max);
  if (source.authority != SourceAuthority::own || !source.listed_topologies.empty()) {
    bytes.number(source.authority).number(source.listed_topologies.size());
    for (const std::string& topology : source.listed_topologies) bytes.text(topology);
  }
  return bytes.digest(DigestRole::source, number);
}

Digest entry_digest(std::uint64_t number, const PollBatch& batch) {
  return FieldBytes()
      .number(std::uint64_t{batch.scheduled})
      .time(batch.started)
      .number(std::uint64_t{batch.finished})
      .number(batch.milliseconds)
      .digest(DigestRole::poll_batch, number);
}

Digest entry_digest(std::uint64_t number, const PollRecord& record) {
  return FieldBytes()
      .number(record.batch)
      .number(record.source)
      .number(record.status)
      .text(record.reason)
      .number(std::uint64_t{record.http_status})
      .text(record.message)
      .number(record.import_record)
      .time(record.polled_at)
      .number(record.poll_milliseconds)
      .time(record.imported_at)
      .number(record.import_milliseconds)
      .digest(DigestRole::poll_record, number);
}

Digest entry_digest(std::uint64_t number, const PeerState& peer) {
  FieldBytes bytes;
  bytes.text(peer.url)
      .number(std::uint64_t{peer.by_alias})
      .text(peer.etag)
      .raw(peer.file_hash)
      .number(std::uint64_t{peer.root.value})
      .number(std::uint64_t{peer.parent.value})
      .number(peer.failures)
      .time(peer.succeeded_at)
      .time(peer.failed_at)
      .time(peer.waits_until);
  if (peer.topologies) {
    bytes.number(peer.topologies->size());
    for (const RecordId topology : *peer.topologies) bytes.number(std::uint64_t{topology.value});
  }
  return bytes.digest(DigestRole::peer_state, number);
}

Digest entry_digest(std::uint64_t number, const WebSession& session) {
  return FieldBytes()
      .raw(session.secret_hash)
      .number(session.account)
      .time(session.created)
      .time(session.ended)
      .text(session.address)
      .digest(DigestRole::session, number);
}

Digest entry_digest(std::uint64_t number, const AllowedOrigin& origin) {
  return FieldBytes()
      .text(origin.name)
      .text(origin.origin)
      .number(std::uint64_t{origin.active})
      .digest(DigestRole::allowed_origin, number);
}

Digest entry_digest(std::uint64_t number, const ExternalIdentity& identity) {
  return FieldBytes()
      .text(identity.eppn)
      .text(identity.email)
      .text(identity.display_name)
      .text(identity.given_name)
      .text(identity.family_name)
      .number(identity.account)
      .digest(DigestRole::identity, number);
}

}  // namespace netml::engine
