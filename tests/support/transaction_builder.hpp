// Builds transactions manually, for tests of what stores them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/transaction/transaction.hpp"

namespace netml::testing {

// Thread: one.
class TransactionBuilder {
 public:
  // `base` must outlive the builder.
  explicit TransactionBuilder(engine::State&& base) = delete;
  explicit TransactionBuilder(const engine::State& base) : base_(base) {
    transaction_.next_id = base.graph.next_id();
    transaction_.next_number = base.graph.next_number();
    transaction_.provenance.actor = "tester";
    transaction_.provenance.source = "test";
    transaction_.provenance.wall_time = WallTime{1704067200000000};
    transaction_.provenance.effective_time = transaction_.provenance.wall_time;
  }

  RecordId topology(std::string_view id, RecordId parent = {}, RecordId owner = {}) {
    engine::RelationFields relations;
    if (parent) relations.topologies = std::span(&parent, 1);
    if (owner) relations.owners = std::span(&owner, 1);
    return create(named(Kind::topology, id), relations);
  }
  RecordId institution(std::string_view id, RecordId topology) {
    engine::AttributeFields fields = named(Kind::institution, id);
    fields.short_name = "inst";
    fields.coordinates = engine::Coordinates{{44650000}, {-63570000}};
    fields.unlocode = "CAHAL";
    fields.address = "1 Example Street";
    engine::RelationFields relations;
    relations.topologies = std::span(&topology, 1);
    return create(fields, relations);
  }
  RecordId node(std::string_view id, RecordId topology, RecordId owner) {
    const engine::Property properties[] = {{"tag", "core"}, {"speed", "100 Gbit/s"}};
    engine::AttributeFields fields = named(Kind::node, id);
    fields.short_name = "n";
    fields.version = Instant{1700000000};
    fields.start = Instant{1600000000};
    fields.end = Instant{1800000000};
    fields.coordinates = engine::Coordinates{{1500000}, {2500000}};
    fields.altitude = engine::Micro{12000000};
    fields.properties = properties;
    engine::RelationFields relations;
    relations.topologies = std::span(&topology, 1);
    relations.owners = std::span(&owner, 1);
    return create(fields, relations);
  }
  RecordId link(std::string_view id, RecordId topology, RecordId owner, RecordId a, RecordId b) {
    const RecordId ends[] = {a, b};
    engine::RelationFields relations;
    relations.topologies = std::span(&topology, 1);
    relations.owners = std::span(&owner, 1);
    relations.ends = ends;
    return create(named(Kind::link, id), relations);
  }
  RecordId create(const engine::AttributeFields& fields, const engine::RelationFields& relations) {
    const RecordId id = transaction_.next_id;
    ++transaction_.next_id.value;
    transaction_.records.push_back(
        {id, {}, {engine::Attributes::make(fields), engine::Relations::make(relations)}});
    transaction_.numberings.push_back({id, transaction_.next_number});
    ++transaction_.next_number.value;
    return id;
  }

  void rename(RecordId id, std::string_view name) {
    const engine::Record before = base_.graph.record(id);
    engine::AttributeFields fields = before.attributes->fields();
    const std::vector<engine::Property> properties = before.attributes->properties();
    fields.name = name;
    fields.properties = properties;
    change(id, {engine::Attributes::make(fields), before.relations});
  }
  void change(RecordId id, engine::Record after) {
    transaction_.records.push_back({id, base_.graph.record(id), std::move(after)});
  }
  void erase(RecordId id) { change(id, {}); }

  void renumber(RecordId topology, std::uint64_t members) {
    transaction_.renumberings.push_back({topology, transaction_.next_number, members});
    transaction_.next_number.value += members;
  }
  void token(std::string name, std::string ciphertext = "sealed") {
    engine::Token token;
    token.client_name = std::move(name);
    token.kind = engine::TokenKind::import;
    token.mac.fill(std::byte{7});
    token.ciphertext = std::move(ciphertext);
    token.created = Instant{1704067200};
    transaction_.tokens.push_back({base_.catalog.tokens.next_number() + transaction_.tokens.size(),
                                   nullptr,
                                   std::make_shared<const engine::Token>(std::move(token))});
  }
  void setting(std::string name, std::string value) {
    transaction_.settings.push_back(
        {base_.catalog.settings.next_number() + transaction_.settings.size(), nullptr,
         std::make_shared<const engine::Setting>(
             engine::Setting{std::move(name), std::move(value)})});
  }
  void import_record(std::string name, const Sha256& file_hash = {},
                     std::vector<std::string> changes_of = {}) {
    engine::ImportRecord record;
    record.status = engine::ImportStatus::complete;
    record.name = std::move(name);
    record.message = "Import complete\n";
    record.counts[2] = {3, 2};
    record.file_hash = file_hash;
    record.changes_of = std::move(changes_of);
    transaction_.imports.push_back(
        {base_.catalog.imports.next_number() + transaction_.imports.size(), nullptr,
         std::make_shared<const engine::ImportRecord>(std::move(record))});
  }
  void publish(std::string name, Lsn published = {}) {
    engine::PublishedItem item;
    item.status = engine::PublishedStatus::success;
    item.name = std::move(name);
    item.version = "2024-01-01T000000";
    item.lsn = published;
    transaction_.published.push_back(
        {base_.catalog.published.next_number() + transaction_.published.size(), nullptr,
         std::make_shared<const engine::PublishedItem>(std::move(item))});
  }

  void account(std::string name) {
    engine::Account account;
    account.name = std::move(name);
    account.email = "someone@example.org";
    account.role = engine::Role::editor;
    account.enabled = false;
    account.sealed_password = std::string("sealed\0bytes", 12);
    account.created = Instant{1704067200};
    transaction_.accounts.push_back(
        {base_.catalog.accounts.next_number() + transaction_.accounts.size(), nullptr,
         std::make_shared<const engine::Account>(std::move(account))});
  }

  void ruleset(std::string name) {
    transaction_.rulesets.push_back(
        {base_.catalog.rulesets.next_number() + transaction_.rulesets.size(), nullptr,
         std::make_shared<const engine::Ruleset>(engine::Ruleset{std::move(name), false, -7})});
  }
  void rule(std::string name, std::uint64_t ruleset) {
    engine::Rule rule;
    rule.ruleset = ruleset;
    rule.name = std::move(name);
    rule.enabled = false;
    rule.priority = -32768;
    rule.last_ordinal = 4;
    rule.criteria = {{11, "Match Nodes by ID", {{12, "ID", "urn:x"}}}};
    rule.actions = {{13, "a type of a later version", {{14, "key", "value"}, {15, "key", "other"}}},
                    {16, "Delete Node", {}}};
    transaction_.rules.push_back({base_.catalog.rules.next_number() + transaction_.rules.size(),
                                  nullptr, std::make_shared<const engine::Rule>(std::move(rule))});
  }

  void plan(std::string name) {
    engine::KeptPlan plan;
    plan.name = std::move(name);
    plan.source = engine::ImportSource::api;
    plan.token_client_name = "peer";
    plan.token = 3;
    plan.parent_topology = RecordId{5};
    plan.topology_name = "Renamed";
    plan.file_hash.fill(std::byte{9});
    plan.file_bytes = 1234;
    plan.planned_at = Instant{1704067200};
    plan.lsn = Lsn{17};
    plan.effects = {1, 0xffffffffffffffff};
    plan.created = 10;
    plan.updated = 20;
    plan.deleted = 30;
    plan.import_record = 4;
    plan.held_because = "it would delete 30 elements";
    transaction_.plans.push_back({base_.catalog.plans.next_number() + transaction_.plans.size(),
                                  nullptr,
                                  std::make_shared<const engine::KeptPlan>(std::move(plan))});
  }
  void source(std::string name) {
    engine::PollingSource source;
    source.name = std::move(name);
    source.protocol = engine::Protocol::http;
    source.hostname = "peer.example.org";
    source.port = 8443;
    source.path = "map/";
    source.active = false;
    source.sealed_token = std::string("sealed\0token", 12);
    source.plain_http = true;
    source.unverified = true;
    source.ca_certificates = "-----BEGIN CERTIFICATE-----";
    source.created = Instant{1704067200};
    source.deletions_max = 0;
    source.deletion_percent_max = 80;
    source.authority = engine::SourceAuthority::listed;
    source.listed_topologies = {"urn:one", "urn:two"};
    source.kind = engine::SourceKind::netbox;
    source.filters = {"region=europe", "tag=backbone"};
    transaction_.sources.push_back(
        {base_.catalog.sources.next_number() + transaction_.sources.size(), nullptr,
         std::make_shared<const engine::PollingSource>(std::move(source))});
  }
  // A batch with a record, and what is known of the peer: `source` exists.
  void poll(std::uint64_t source) {
    const engine::PollBatch batch{true, Instant{1704067200}, true, 1500};
    engine::PollRecord record;
    record.batch = base_.catalog.poll_batches.next_number();
    record.source = source;
    record.status = engine::PollStatus::aborted;
    record.reason = "denied";
    record.http_status = 403;
    record.message = "Polling error: access denied [HTTP status 403]";
    record.import_record = 7;
    record.polled_at = Instant{1704067201};
    record.poll_milliseconds = 250;
    record.imported_at = Instant{1704067202};
    record.import_milliseconds = 1000;
    engine::PeerState peer;
    peer.url = "https://peer.example.org:443/";
    peer.by_alias = true;
    peer.etag = "\"v1\"";
    peer.file_hash.fill(std::byte{5});
    peer.root = RecordId{3};
    peer.parent = RecordId{1};
    peer.failures = 2;
    peer.changes_of = {std::string(64, 'a')};
    peer.succeeded_at = Instant{1704067200};
    peer.failed_at = Instant{1704067201};
    peer.waits_until = Instant{1704070801};
    peer.topologies = {RecordId{3}, RecordId{4}};
    transaction_.poll_batches.push_back(
        {record.batch, nullptr, std::make_shared<const engine::PollBatch>(batch)});
    transaction_.poll_records.push_back({base_.catalog.poll_records.next_number(), nullptr,
                                         std::make_shared<const engine::PollRecord>(record)});
    transaction_.peer_states.push_back(
        {source, nullptr, std::make_shared<const engine::PeerState>(std::move(peer))});
  }

  void session(std::uint64_t account) {
    engine::WebSession session;
    session.secret_hash.fill(std::byte{7});
    session.account = account;
    session.created = Instant{1704067200};
    session.ended = Instant{1704070800};
    session.address = "192.0.2.7";
    transaction_.sessions.push_back(
        {base_.catalog.sessions.next_number() + transaction_.sessions.size(), nullptr,
         std::make_shared<const engine::WebSession>(std::move(session))});
  }
  void identity(std::string eppn) {
    transaction_.identities.push_back(
        {base_.catalog.identities.next_number() + transaction_.identities.size(), nullptr,
         std::make_shared<const engine::ExternalIdentity>(engine::ExternalIdentity{
             std::move(eppn), "ada@example.org", "Ada L.", "Ada", "Lovelace", 3})});
  }
  void origin(std::string name) {
    transaction_.origins.push_back(
        {base_.catalog.origins.next_number() + transaction_.origins.size(), nullptr,
         std::make_shared<const engine::AllowedOrigin>(
             engine::AllowedOrigin{std::move(name), "https://portal.example.org", false})});
  }

  engine::Transaction& transaction() { return transaction_; }
  engine::Transaction finish() {
    std::ranges::sort(transaction_.records, {}, &engine::RecordChange::id);
    return std::move(transaction_);
  }

 private:
  static engine::AttributeFields named(Kind kind, std::string_view id) {
    engine::AttributeFields fields;
    fields.kind = kind;
    fields.id = id;
    fields.name = id;
    return fields;
  }

  const engine::State& base_;
  engine::Transaction transaction_;
};

// What an import of one topology does: an institution, `nodes` nodes, links between neighbours.
inline engine::Transaction import_topology(const engine::State& base, std::string_view name,
                                           std::size_t nodes) {
  TransactionBuilder builder(base);
  const RecordId topology = builder.topology(fmt::format("urn:{}", name));
  const RecordId owner = builder.institution(fmt::format("urn:{}:institution", name), topology);
  RecordId last;
  for (std::size_t i = 0; i < nodes; ++i) {
    const RecordId node = builder.node(fmt::format("urn:{}:node:{}", name, i), topology, owner);
    if (last) builder.link(fmt::format("urn:{}:link:{}", name, i), topology, owner, last, node);
    last = node;
  }
  builder.import_record(fmt::format("{}.xml", name));
  return builder.finish();
}

}  // namespace netml::testing
