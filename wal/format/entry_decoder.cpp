// The half of the entry codec that reads: what is damaged or from a newer program is refused.
#include <fmt/format.h>

#include <limits>
#include <optional>

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

constexpr std::uint64_t kEntryNumberMax = std::uint64_t{1} << 32;

// An enumerant up to `last`; a larger one comes from a newer program.
template <class Enum>
Result<Enum> known(std::uint8_t value, Enum last, const char* what) {
  if (value > static_cast<std::uint8_t>(last))
    return fail(Errc::newer_version,
                fmt::format("{} {} is not known here: written by a newer version", what, value));
  return static_cast<Enum>(value);
}

Result<Token> decode_value(schema::Token::Reader in) {
  Token token;
  token.client_name = view(in.getClientName());
  NETML_TRY(token.kind, known(in.getKind(), engine::TokenKind::none, "token kind"));
  NETML_TRY(token.mac, read_hash(in.getMac()));
  token.ciphertext = view(in.getCiphertext());
  token.created = Instant{in.getCreated()};
  token.shown = in.getShown();
  return token;
}

Result<Setting> decode_value(schema::Setting::Reader in) {
  return Setting{std::string(view(in.getName())), std::string(view(in.getValue()))};
}

Result<ImportRecord> decode_value(schema::Import::Reader in) {
  ImportRecord record;
  NETML_TRY(record.status, known(in.getStatus(), engine::ImportStatus::aborted, "import status"));
  NETML_TRY(record.source, known(in.getSource(), engine::ImportSource::poll, "import source"));
  record.name = view(in.getName());
  record.token_client_name = view(in.getTokenClientName());
  record.token = in.getToken();
  record.parent_topology = RecordId{in.getParentTopology()};
  record.topology_name = view(in.getTopologyName());
  record.imported_at = Instant{in.getImportedAt()};
  NETML_TRY(record.file_hash, read_hash(in.getFileHash()));
  record.file_bytes = in.getFileBytes();
  const auto parsed = in.getParsed();
  const auto imported = in.getImported();
  if (parsed.size() != kKindCount || imported.size() != kKindCount)
    return fail(Errc::corruption, "an import record does not count all kinds");
  for (unsigned kind = 0; kind < kKindCount; ++kind)
    record.counts[kind] = {parsed[kind], imported[kind]};
  record.message = view(in.getMessage());
  return record;
}

Result<PublishedItem> decode_value(schema::Published::Reader in) {
  PublishedItem item;
  NETML_TRY(item.status,
            known(in.getStatus(), engine::PublishedStatus::failed, "published status"));
  item.name = view(in.getName());
  item.description = view(in.getDescription());
  item.version = view(in.getVersion());
  item.file_date = Instant{in.getFileDate()};
  item.lsn = Lsn{in.getLsn()};
  item.failure = view(in.getFailure());
  return item;
}

Result<Account> decode_value(schema::Account::Reader in) {
  Account account;
  account.name = view(in.getName());
  account.email = view(in.getEmail());
  NETML_TRY(account.role, known(in.getRole(), engine::Role::admin, "role"));
  account.enabled = in.getEnabled();
  account.sealed_password = view(in.getSealedPassword());
  account.created = Instant{in.getCreated()};
  return account;
}

Result<Ruleset> decode_value(schema::Ruleset::Reader in) {
  return Ruleset{std::string(view(in.getName())), in.getEnabled(), in.getPriority()};
}

std::vector<RulePart> decode_parts(::capnp::List<schema::RulePart>::Reader in) {
  std::vector<RulePart> parts;
  for (const auto item : in) {
    RulePart part{item.getNumber(), std::string(view(item.getType())), {}};
    for (const auto info : item.getInfos())
      part.infos.push_back(
          {info.getNumber(), std::string(view(info.getKey())), std::string(view(info.getValue()))});
    parts.push_back(std::move(part));
  }
  return parts;
}

Result<Rule> decode_value(schema::Rule::Reader in) {
  Rule rule;
  rule.ruleset = in.getRuleset();
  rule.name = view(in.getName());
  rule.enabled = in.getEnabled();
  rule.priority = in.getPriority();
  rule.last_ordinal = in.getLastOrdinal();
  rule.criteria = decode_parts(in.getCriteria());
  rule.actions = decode_parts(in.getActions());
  return rule;
}

Result<KeptPlan> decode_value(schema::Plan::Reader in) {
  KeptPlan plan;
  plan.name = view(in.getName());
  NETML_TRY(plan.source, known(in.getSource(), engine::ImportSource::poll, "import source"));
  plan.token_client_name = view(in.getTokenClientName());
  plan.token = in.getToken();
  plan.parent_topology = RecordId{in.getParentTopology()};
  plan.topology_name = view(in.getTopologyName());
  NETML_TRY(plan.file_hash, read_hash(in.getFileHash()));
  plan.file_bytes = in.getFileBytes();
  plan.planned_at = Instant{in.getPlannedAt()};
  plan.lsn = Lsn{in.getLsn()};
  plan.effects = {in.getEffectsLow(), in.getEffectsHigh()};
  plan.created = in.getCreated();
  plan.updated = in.getUpdated();
  plan.deleted = in.getDeleted();
  plan.import_record = in.getImportRecord();
  plan.held_because = view(in.getHeldBecause());
  return plan;
}

Result<std::optional<std::uint32_t>> decode_limit(std::uint64_t stored) {
  if (stored == 0) return std::optional<std::uint32_t>();
  if (stored - 1 > std::numeric_limits<std::uint32_t>::max())
    return fail(Errc::corruption, fmt::format("a limit of {} is too large", stored - 1));
  return std::optional(static_cast<std::uint32_t>(stored - 1));
}

std::optional<Instant> decode_instant(bool present, std::int64_t seconds) {
  return present ? std::optional(Instant{seconds}) : std::nullopt;
}

Result<PollingSource> decode_value(schema::Source::Reader in) {
  PollingSource source;
  source.name = view(in.getName());
  NETML_TRY(source.protocol, known(in.getProtocol(), engine::Protocol::http, "protocol"));
  source.hostname = view(in.getHostname());
  source.port = in.getPort();
  source.path = view(in.getPath());
  source.active = in.getActive();
  source.sealed_token = view(in.getSealedToken());
  source.plain_http = in.getPlainHttp();
  source.unverified = in.getUnverified();
  source.ca_certificates = view(in.getCaCertificates());
  source.created = Instant{in.getCreated()};
  NETML_TRY(source.deletions_max, decode_limit(in.getDeletionsMax()));
  NETML_TRY(source.deletion_percent_max, decode_limit(in.getDeletionPercentMax()));
  NETML_TRY(source.authority, known(in.getAuthority(), engine::SourceAuthority::any, "authority"));
  for (const auto topology : in.getListedTopologies())
    source.listed_topologies.emplace_back(view(topology));
  return source;
}

Result<PollBatch> decode_value(schema::PollBatch::Reader in) {
  PollBatch batch;
  batch.scheduled = in.getScheduled();
  batch.started = Instant{in.getStarted()};
  batch.finished = in.getFinished();
  batch.milliseconds = in.getMilliseconds();
  return batch;
}

Result<PollRecord> decode_value(schema::PollRecord::Reader in) {
  PollRecord record;
  record.batch = in.getBatch();
  record.source = in.getSource();
  record.status = static_cast<engine::PollStatus>(in.getStatus());
  if (record.status < engine::PollStatus::aborted || record.status > engine::PollStatus::complete)
    return fail(Errc::newer_version,
                fmt::format("poll status {} is not known here: written by a newer version",
                            in.getStatus()));
  record.reason = view(in.getReason());
  record.http_status = in.getHttpStatus();
  record.message = view(in.getMessage());
  record.import_record = in.getImportRecord();
  record.polled_at = decode_instant(in.getHasPolledAt(), in.getPolledAt());
  record.poll_milliseconds = in.getPollMilliseconds();
  record.imported_at = decode_instant(in.getHasImportedAt(), in.getImportedAt());
  record.import_milliseconds = in.getImportMilliseconds();
  return record;
}

Result<PeerState> decode_value(schema::PeerState::Reader in) {
  PeerState peer;
  peer.url = view(in.getUrl());
  peer.by_alias = in.getByAlias();
  peer.etag = view(in.getEtag());
  NETML_TRY(peer.file_hash, read_hash(in.getFileHash()));
  peer.root = RecordId{in.getRoot()};
  peer.parent = RecordId{in.getParent()};
  peer.failures = in.getFailures();
  peer.succeeded_at = decode_instant(in.getHasSucceededAt(), in.getSucceededAt());
  peer.failed_at = decode_instant(in.getHasFailedAt(), in.getFailedAt());
  peer.waits_until = decode_instant(in.getHasWaitsUntil(), in.getWaitsUntil());
  if (!in.getHasTopologies()) return peer;
  peer.topologies.emplace();
  for (const std::uint32_t topology : in.getTopologies())
    peer.topologies->push_back(RecordId{topology});
  return peer;
}

Result<WebSession> decode_value(schema::Session::Reader in) {
  WebSession session;
  NETML_TRY(session.secret_hash, read_hash(in.getSecretHash()));
  session.account = in.getAccount();
  session.created = Instant{in.getCreated()};
  session.ended = Instant{in.getEnded()};
  session.address = view(in.getAddress());
  return session;
}

Result<AllowedOrigin> decode_value(schema::Origin::Reader in) {
  AllowedOrigin origin;
  origin.name = view(in.getName());
  origin.origin = view(in.getOrigin());
  origin.active = in.getActive();
  return origin;
}

Result<ExternalIdentity> decode_value(schema::Identity::Reader in) {
  ExternalIdentity identity;
  identity.eppn = view(in.getEppn());
  identity.email = view(in.getEmail());
  identity.display_name = view(in.getDisplayName());
  identity.given_name = view(in.getGivenName());
  identity.family_name = view(in.getFamilyName());
  identity.account = in.getAccount();
  return identity;
}

template <class T, class Reader>
Result<EntryChange<T>> decode_change(Reader in) {
  EntryChange<T> change;
  change.number = in.getNumber();
  // An empty table would otherwise grow to whatever a damaged number says.
  if (change.number == 0 || change.number > kEntryNumberMax)
    return fail(Errc::corruption, fmt::format("entry number {}", change.number));
  if (in.hasBefore()) {
    NETML_TRY(T value, decode_value(in.getBefore()));
    change.before = std::make_shared<const T>(std::move(value));
  }
  if (in.hasAfter()) {
    NETML_TRY(T value, decode_value(in.getAfter()));
    change.after = std::make_shared<const T>(std::move(value));
  }
  return change;
}

}  // namespace

Result<EntryChange<Token>> decode(schema::TokenChange::Reader in) {
  return decode_change<Token>(in);
}
Result<EntryChange<Setting>> decode(schema::SettingChange::Reader in) {
  return decode_change<Setting>(in);
}
Result<EntryChange<ImportRecord>> decode(schema::ImportChange::Reader in) {
  return decode_change<ImportRecord>(in);
}
Result<EntryChange<PublishedItem>> decode(schema::PublishedChange::Reader in) {
  return decode_change<PublishedItem>(in);
}
Result<EntryChange<Account>> decode(schema::AccountChange::Reader in) {
  return decode_change<Account>(in);
}

Result<EntryChange<Ruleset>> decode(schema::RulesetChange::Reader in) {
  return decode_change<Ruleset>(in);
}
Result<EntryChange<Rule>> decode(schema::RuleChange::Reader in) {
  return decode_change<Rule>(in);
}
Result<EntryChange<KeptPlan>> decode(schema::PlanChange::Reader in) {
  return decode_change<KeptPlan>(in);
}
Result<EntryChange<PollingSource>> decode(schema::SourceChange::Reader in) {
  return decode_change<PollingSource>(in);
}
Result<EntryChange<PollBatch>> decode(schema::PollBatchChange::Reader in) {
  return decode_change<PollBatch>(in);
}
Result<EntryChange<PollRecord>> decode(schema::PollRecordChange::Reader in) {
  return decode_change<PollRecord>(in);
}
Result<EntryChange<PeerState>> decode(schema::PeerStateChange::Reader in) {
  return decode_change<PeerState>(in);
}
Result<EntryChange<WebSession>> decode(schema::SessionChange::Reader in) {
  return decode_change<WebSession>(in);
}
Result<EntryChange<AllowedOrigin>> decode(schema::OriginChange::Reader in) {
  return decode_change<AllowedOrigin>(in);
}
Result<EntryChange<ExternalIdentity>> decode(schema::IdentityChange::Reader in) {
  return decode_change<ExternalIdentity>(in);
}

}  // namespace netml::wal
