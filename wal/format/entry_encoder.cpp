// The half of the entry codec that writes.
#include "wal/format/entry_codec.hpp"

namespace netml::wal {

using engine::Account;
using engine::AllowedOrigin;
using engine::EntryChange;
using engine::ExternalIdentity;
using engine::ImportRecord;
using engine::KeptPlan;
using engine::PeerState;
using engine::PollBatch;
using engine::PollingSource;
using engine::PollRecord;
using engine::PublishedItem;
using engine::Rule;
using engine::RulePart;
using engine::Ruleset;
using engine::Setting;
using engine::Token;
using engine::WebSession;

namespace {

// Generous: the inline parts of a change and of its two values.
constexpr std::size_t kEntryWords = 64;

void set_data(::capnp::Data::Builder out, std::span<const std::byte> bytes) {
  copy_bytes(out, bytes.data(), bytes.size());
}
unsigned size_of(std::string_view text) {
  return static_cast<unsigned>(text.size());
}

std::size_t words(const Token& token) {
  return text_words(token.client_name.size()) + text_words(token.ciphertext.size()) +
         text_words(token.mac.size());
}
std::size_t words(const Setting& setting) {
  return text_words(setting.name.size()) + text_words(setting.value.size());
}
std::size_t words(const ImportRecord& record) {
  return text_words(record.name.size()) + text_words(record.token_client_name.size()) +
         text_words(record.topology_name.size()) + text_words(record.message.size()) +
         text_words(record.file_hash.size());
}
std::size_t words(const PublishedItem& item) {
  return text_words(item.name.size()) + text_words(item.description.size()) +
         text_words(item.version.size()) + text_words(item.failure.size());
}
std::size_t words(const Account& account) {
  return text_words(account.name.size()) + text_words(account.email.size()) +
         text_words(account.sealed_password.size());
}

std::size_t words(const Ruleset& ruleset) {
  return text_words(ruleset.name.size());
}
std::size_t words(const std::vector<RulePart>& parts) {
  constexpr std::size_t kPartWords = 4;  // with the tag of its list
  constexpr std::size_t kInfoWords = 3;
  std::size_t sum = 0;
  for (const RulePart& part : parts) {
    sum += kPartWords + text_words(part.type.size());
    for (const engine::RuleInfo& info : part.infos)
      sum += kInfoWords + text_words(info.key.size()) + text_words(info.value.size());
  }
  return sum;
}
std::size_t words(const Rule& rule) {
  return text_words(rule.name.size()) + words(rule.criteria) + words(rule.actions);
}
std::size_t words(const KeptPlan& plan) {
  return text_words(plan.name.size()) + text_words(plan.token_client_name.size()) +
         text_words(plan.topology_name.size()) + text_words(plan.file_hash.size()) +
         text_words(plan.held_because.size());
}

std::size_t words(const PollingSource& source) {
  std::size_t sum = text_words(source.name.size()) + text_words(source.hostname.size()) +
                    text_words(source.path.size()) + text_words(source.sealed_token.size()) +
                    text_words(source.ca_certificates.size());
  for (const std::string& topology : source.listed_topologies)
    sum += 1 + text_words(topology.size());
  return sum;
}
std::size_t words(const PollBatch&) {
  return 0;
}
std::size_t words(const PollRecord& record) {
  return text_words(record.reason.size()) + text_words(record.message.size());
}
std::size_t words(const PeerState& peer) {
  return text_words(peer.url.size()) + text_words(peer.etag.size()) +
         text_words(peer.file_hash.size()) + (peer.topologies ? peer.topologies->size() : 0);
}

std::size_t words(const WebSession& session) {
  return text_words(session.secret_hash.size()) + text_words(session.address.size());
}
std::size_t words(const AllowedOrigin& origin) {
  return text_words(origin.name.size()) + text_words(origin.origin.size());
}
std::size_t words(const ExternalIdentity& identity) {
  return text_words(identity.eppn.size()) + text_words(identity.email.size()) +
         text_words(identity.display_name.size()) + text_words(identity.given_name.size()) +
         text_words(identity.family_name.size());
}

void encode_value(const Token& token, schema::Token::Builder out) {
  copy_bytes(out.initClientName(size_of(token.client_name)), token.client_name.data(),
             token.client_name.size());
  out.setKind(static_cast<std::uint8_t>(token.kind));
  set_data(out.initMac(static_cast<unsigned>(token.mac.size())), token.mac);
  set_data(out.initCiphertext(size_of(token.ciphertext)),
           std::as_bytes(std::span(token.ciphertext)));
  out.setCreated(token.created.seconds);
  out.setShown(token.shown);
}

void encode_value(const Setting& setting, schema::Setting::Builder out) {
  copy_bytes(out.initName(size_of(setting.name)), setting.name.data(), setting.name.size());
  copy_bytes(out.initValue(size_of(setting.value)), setting.value.data(), setting.value.size());
}

void encode_value(const ImportRecord& record, schema::Import::Builder out) {
  out.setStatus(static_cast<std::uint8_t>(record.status));
  out.setSource(static_cast<std::uint8_t>(record.source));
  copy_bytes(out.initName(size_of(record.name)), record.name.data(), record.name.size());
  copy_bytes(out.initTokenClientName(size_of(record.token_client_name)),
             record.token_client_name.data(), record.token_client_name.size());
  out.setToken(record.token);
  out.setParentTopology(record.parent_topology.value);
  copy_bytes(out.initTopologyName(size_of(record.topology_name)), record.topology_name.data(),
             record.topology_name.size());
  out.setImportedAt(record.imported_at.seconds);
  set_data(out.initFileHash(static_cast<unsigned>(record.file_hash.size())), record.file_hash);
  out.setFileBytes(record.file_bytes);
  auto parsed = out.initParsed(kKindCount);
  auto imported = out.initImported(kKindCount);
  for (unsigned kind = 0; kind < kKindCount; ++kind) {
    parsed.set(kind, record.counts[kind].parsed);
    imported.set(kind, record.counts[kind].imported);
  }
  copy_bytes(out.initMessage(size_of(record.message)), record.message.data(),
             record.message.size());
}

void encode_value(const PublishedItem& item, schema::Published::Builder out) {
  out.setStatus(static_cast<std::uint8_t>(item.status));
  copy_bytes(out.initName(size_of(item.name)), item.name.data(), item.name.size());
  copy_bytes(out.initDescription(size_of(item.description)), item.description.data(),
             item.description.size());
  copy_bytes(out.initVersion(size_of(item.version)), item.version.data(), item.version.size());
  out.setFileDate(item.file_date.seconds);
  out.setLsn(item.lsn.value);
  copy_bytes(out.initFailure(size_of(item.failure)), item.failure.data(), item.failure.size());
}

void encode_value(const Account& account, schema::Account::Builder out) {
  copy_bytes(out.initName(size_of(account.name)), account.name.data(), account.name.size());
  copy_bytes(out.initEmail(size_of(account.email)), account.email.data(), account.email.size());
  out.setRole(static_cast<std::uint8_t>(account.role));
  out.setEnabled(account.enabled);
  set_data(out.initSealedPassword(size_of(account.sealed_password)),
           std::as_bytes(std::span(account.sealed_password)));
  out.setCreated(account.created.seconds);
}

void encode_value(const Ruleset& ruleset, schema::Ruleset::Builder out) {
  copy_bytes(out.initName(size_of(ruleset.name)), ruleset.name.data(), ruleset.name.size());
  out.setEnabled(ruleset.enabled);
  out.setPriority(ruleset.priority);
}

void encode_parts(const std::vector<RulePart>& parts,
                  ::capnp::List<schema::RulePart>::Builder list) {
  unsigned index = 0;
  for (const RulePart& part : parts) {
    auto out = list[index++];
    out.setNumber(part.number);
    copy_bytes(out.initType(size_of(part.type)), part.type.data(), part.type.size());
    auto infos = out.initInfos(static_cast<unsigned>(part.infos.size()));
    unsigned info_index = 0;
    for (const engine::RuleInfo& info : part.infos) {
      auto to = infos[info_index++];
      to.setNumber(info.number);
      copy_bytes(to.initKey(size_of(info.key)), info.key.data(), info.key.size());
      copy_bytes(to.initValue(size_of(info.value)), info.value.data(), info.value.size());
    }
  }
}

void encode_value(const Rule& rule, schema::Rule::Builder out) {
  out.setRuleset(rule.ruleset);
  copy_bytes(out.initName(size_of(rule.name)), rule.name.data(), rule.name.size());
  out.setEnabled(rule.enabled);
  out.setPriority(rule.priority);
  out.setLastOrdinal(rule.last_ordinal);
  encode_parts(rule.criteria, out.initCriteria(static_cast<unsigned>(rule.criteria.size())));
  encode_parts(rule.actions, out.initActions(static_cast<unsigned>(rule.actions.size())));
}

void encode_value(const KeptPlan& plan, schema::Plan::Builder out) {
  copy_bytes(out.initName(size_of(plan.name)), plan.name.data(), plan.name.size());
  out.setSource(static_cast<std::uint8_t>(plan.source));
  copy_bytes(out.initTokenClientName(size_of(plan.token_client_name)),
             plan.token_client_name.data(), plan.token_client_name.size());
  out.setToken(plan.token);
  out.setParentTopology(plan.parent_topology.value);
  copy_bytes(out.initTopologyName(size_of(plan.topology_name)), plan.topology_name.data(),
             plan.topology_name.size());
  set_data(out.initFileHash(static_cast<unsigned>(plan.file_hash.size())), plan.file_hash);
  out.setFileBytes(plan.file_bytes);
  out.setPlannedAt(plan.planned_at.seconds);
  out.setLsn(plan.lsn.value);
  out.setEffectsLow(plan.effects.low);
  out.setEffectsHigh(plan.effects.high);
  out.setCreated(plan.created);
  out.setUpdated(plan.updated);
  out.setDeleted(plan.deleted);
  out.setImportRecord(plan.import_record);
  copy_bytes(out.initHeldBecause(size_of(plan.held_because)), plan.held_because.data(),
             plan.held_because.size());
}

std::uint64_t encode_limit(const std::optional<std::uint32_t>& limit) {
  return limit ? std::uint64_t{*limit} + 1 : 0;
}

void encode_value(const PollingSource& source, schema::Source::Builder out) {
  copy_bytes(out.initName(size_of(source.name)), source.name.data(), source.name.size());
  out.setProtocol(static_cast<std::uint8_t>(source.protocol));
  copy_bytes(out.initHostname(size_of(source.hostname)), source.hostname.data(),
             source.hostname.size());
  out.setPort(source.port);
  copy_bytes(out.initPath(size_of(source.path)), source.path.data(), source.path.size());
  out.setActive(source.active);
  set_data(out.initSealedToken(size_of(source.sealed_token)),
           std::as_bytes(std::span(source.sealed_token)));
  out.setPlainHttp(source.plain_http);
  out.setUnverified(source.unverified);
  copy_bytes(out.initCaCertificates(size_of(source.ca_certificates)), source.ca_certificates.data(),
             source.ca_certificates.size());
  out.setCreated(source.created.seconds);
  out.setDeletionsMax(encode_limit(source.deletions_max));
  out.setDeletionPercentMax(encode_limit(source.deletion_percent_max));
  out.setAuthority(static_cast<std::uint8_t>(source.authority));
  if (source.listed_topologies.empty()) return;
  auto listed = out.initListedTopologies(static_cast<unsigned>(source.listed_topologies.size()));
  for (unsigned i = 0; i < listed.size(); ++i) {
    const std::string& topology = source.listed_topologies[i];
    copy_bytes(listed.init(i, size_of(topology)), topology.data(), topology.size());
  }
}

void encode_value(const PollBatch& batch, schema::PollBatch::Builder out) {
  out.setScheduled(batch.scheduled);
  out.setStarted(batch.started.seconds);
  out.setFinished(batch.finished);
  out.setMilliseconds(batch.milliseconds);
}

void encode_value(const PollRecord& record, schema::PollRecord::Builder out) {
  out.setBatch(record.batch);
  out.setSource(record.source);
  out.setStatus(static_cast<std::int8_t>(record.status));
  copy_bytes(out.initReason(size_of(record.reason)), record.reason.data(), record.reason.size());
  out.setHttpStatus(record.http_status);
  copy_bytes(out.initMessage(size_of(record.message)), record.message.data(),
             record.message.size());
  out.setImportRecord(record.import_record);
  out.setHasPolledAt(record.polled_at.has_value());
  out.setPolledAt(record.polled_at.value_or(Instant{}).seconds);
  out.setPollMilliseconds(record.poll_milliseconds);
  out.setHasImportedAt(record.imported_at.has_value());
  out.setImportedAt(record.imported_at.value_or(Instant{}).seconds);
  out.setImportMilliseconds(record.import_milliseconds);
}

void encode_value(const PeerState& peer, schema::PeerState::Builder out) {
  copy_bytes(out.initUrl(size_of(peer.url)), peer.url.data(), peer.url.size());
  out.setByAlias(peer.by_alias);
  copy_bytes(out.initEtag(size_of(peer.etag)), peer.etag.data(), peer.etag.size());
  set_data(out.initFileHash(static_cast<unsigned>(peer.file_hash.size())), peer.file_hash);
  out.setRoot(peer.root.value);
  out.setParent(peer.parent.value);
  out.setFailures(peer.failures);
  out.setHasSucceededAt(peer.succeeded_at.has_value());
  out.setSucceededAt(peer.succeeded_at.value_or(Instant{}).seconds);
  out.setHasFailedAt(peer.failed_at.has_value());
  out.setFailedAt(peer.failed_at.value_or(Instant{}).seconds);
  out.setHasWaitsUntil(peer.waits_until.has_value());
  out.setWaitsUntil(peer.waits_until.value_or(Instant{}).seconds);
  out.setHasTopologies(peer.topologies.has_value());
  if (!peer.topologies || peer.topologies->empty()) return;
  auto topologies = out.initTopologies(static_cast<unsigned>(peer.topologies->size()));
  for (unsigned i = 0; i < topologies.size(); ++i) topologies.set(i, (*peer.topologies)[i].value);
}

void encode_value(const WebSession& session, schema::Session::Builder out) {
  set_data(out.initSecretHash(static_cast<unsigned>(session.secret_hash.size())),
           session.secret_hash);
  out.setAccount(session.account);
  out.setCreated(session.created.seconds);
  out.setEnded(session.ended.seconds);
  copy_bytes(out.initAddress(size_of(session.address)), session.address.data(),
             session.address.size());
}

void encode_value(const AllowedOrigin& origin, schema::Origin::Builder out) {
  copy_bytes(out.initName(size_of(origin.name)), origin.name.data(), origin.name.size());
  copy_bytes(out.initOrigin(size_of(origin.origin)), origin.origin.data(), origin.origin.size());
  out.setActive(origin.active);
}

void encode_value(const ExternalIdentity& identity, schema::Identity::Builder out) {
  copy_bytes(out.initEppn(size_of(identity.eppn)), identity.eppn.data(), identity.eppn.size());
  copy_bytes(out.initEmail(size_of(identity.email)), identity.email.data(), identity.email.size());
  copy_bytes(out.initDisplayName(size_of(identity.display_name)), identity.display_name.data(),
             identity.display_name.size());
  copy_bytes(out.initGivenName(size_of(identity.given_name)), identity.given_name.data(),
             identity.given_name.size());
  copy_bytes(out.initFamilyName(size_of(identity.family_name)), identity.family_name.data(),
             identity.family_name.size());
  out.setAccount(identity.account);
}

template <class T, class Builder>
void encode_change(const EntryChange<T>& change, Builder out) {
  out.setNumber(change.number);
  if (change.before) encode_value(*change.before, out.initBefore());
  if (change.after) encode_value(*change.after, out.initAfter());
}

template <class T>
std::size_t change_words(const EntryChange<T>& change) {
  return kEntryWords + (change.before ? words(*change.before) : 0) +
         (change.after ? words(*change.after) : 0);
}

}  // namespace

std::size_t encoded_words(const EntryChange<Token>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<Setting>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<ImportRecord>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<PublishedItem>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<Account>& change) {
  return change_words(change);
}

std::size_t encoded_words(const EntryChange<Ruleset>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<Rule>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<KeptPlan>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<PollingSource>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<PollBatch>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<PollRecord>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<PeerState>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<WebSession>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<AllowedOrigin>& change) {
  return change_words(change);
}
std::size_t encoded_words(const EntryChange<ExternalIdentity>& change) {
  return change_words(change);
}

void encode(const EntryChange<Token>& change, schema::TokenChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<Setting>& change, schema::SettingChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<ImportRecord>& change, schema::ImportChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<PublishedItem>& change, schema::PublishedChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<Account>& change, schema::AccountChange::Builder out) {
  encode_change(change, out);
}

void encode(const EntryChange<Ruleset>& change, schema::RulesetChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<Rule>& change, schema::RuleChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<KeptPlan>& change, schema::PlanChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<PollingSource>& change, schema::SourceChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<PollBatch>& change, schema::PollBatchChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<PollRecord>& change, schema::PollRecordChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<PeerState>& change, schema::PeerStateChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<WebSession>& change, schema::SessionChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<AllowedOrigin>& change, schema::OriginChange::Builder out) {
  encode_change(change, out);
}
void encode(const EntryChange<ExternalIdentity>& change, schema::IdentityChange::Builder out) {
  encode_change(change, out);
}

}  // namespace netml::wal
