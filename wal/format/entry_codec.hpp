// Changes of catalog entries as the journal and checkpoints keep them: whole values.
#pragma once

#include "engine/transaction/transaction.hpp"
#include "wal/format/message.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

std::size_t encoded_words(const engine::EntryChange<engine::Token>& change);
std::size_t encoded_words(const engine::EntryChange<engine::Setting>& change);
std::size_t encoded_words(const engine::EntryChange<engine::ImportRecord>& change);
std::size_t encoded_words(const engine::EntryChange<engine::PublishedItem>& change);
std::size_t encoded_words(const engine::EntryChange<engine::Account>& change);
std::size_t encoded_words(const engine::EntryChange<engine::Ruleset>& change);
std::size_t encoded_words(const engine::EntryChange<engine::Rule>& change);
std::size_t encoded_words(const engine::EntryChange<engine::KeptPlan>& change);
std::size_t encoded_words(const engine::EntryChange<engine::PollingSource>& change);
std::size_t encoded_words(const engine::EntryChange<engine::PollBatch>& change);
std::size_t encoded_words(const engine::EntryChange<engine::PollRecord>& change);
std::size_t encoded_words(const engine::EntryChange<engine::PeerState>& change);
std::size_t encoded_words(const engine::EntryChange<engine::WebSession>& change);
std::size_t encoded_words(const engine::EntryChange<engine::AllowedOrigin>& change);
std::size_t encoded_words(const engine::EntryChange<engine::ExternalIdentity>& change);

void encode(const engine::EntryChange<engine::Token>& change, schema::TokenChange::Builder out);
void encode(const engine::EntryChange<engine::Setting>& change, schema::SettingChange::Builder out);
void encode(const engine::EntryChange<engine::ImportRecord>& change,
            schema::ImportChange::Builder out);
void encode(const engine::EntryChange<engine::PublishedItem>& change,
            schema::PublishedChange::Builder out);
void encode(const engine::EntryChange<engine::Account>& change, schema::AccountChange::Builder out);
void encode(const engine::EntryChange<engine::Ruleset>& change, schema::RulesetChange::Builder out);
void encode(const engine::EntryChange<engine::Rule>& change, schema::RuleChange::Builder out);
void encode(const engine::EntryChange<engine::KeptPlan>& change, schema::PlanChange::Builder out);
void encode(const engine::EntryChange<engine::PollingSource>& change,
            schema::SourceChange::Builder out);
void encode(const engine::EntryChange<engine::PollBatch>& change,
            schema::PollBatchChange::Builder out);
void encode(const engine::EntryChange<engine::PollRecord>& change,
            schema::PollRecordChange::Builder out);
void encode(const engine::EntryChange<engine::PeerState>& change,
            schema::PeerStateChange::Builder out);
void encode(const engine::EntryChange<engine::WebSession>& change,
            schema::SessionChange::Builder out);
void encode(const engine::EntryChange<engine::AllowedOrigin>& change,
            schema::OriginChange::Builder out);
void encode(const engine::EntryChange<engine::ExternalIdentity>& change,
            schema::IdentityChange::Builder out);

Result<engine::EntryChange<engine::Token>> decode(schema::TokenChange::Reader in);
Result<engine::EntryChange<engine::Setting>> decode(schema::SettingChange::Reader in);
Result<engine::EntryChange<engine::ImportRecord>> decode(schema::ImportChange::Reader in);
Result<engine::EntryChange<engine::PublishedItem>> decode(schema::PublishedChange::Reader in);
Result<engine::EntryChange<engine::Account>> decode(schema::AccountChange::Reader in);
Result<engine::EntryChange<engine::Ruleset>> decode(schema::RulesetChange::Reader in);
Result<engine::EntryChange<engine::Rule>> decode(schema::RuleChange::Reader in);
Result<engine::EntryChange<engine::KeptPlan>> decode(schema::PlanChange::Reader in);
Result<engine::EntryChange<engine::PollingSource>> decode(schema::SourceChange::Reader in);
Result<engine::EntryChange<engine::PollBatch>> decode(schema::PollBatchChange::Reader in);
Result<engine::EntryChange<engine::PollRecord>> decode(schema::PollRecordChange::Reader in);
Result<engine::EntryChange<engine::PeerState>> decode(schema::PeerStateChange::Reader in);
Result<engine::EntryChange<engine::WebSession>> decode(schema::SessionChange::Reader in);
Result<engine::EntryChange<engine::AllowedOrigin>> decode(schema::OriginChange::Reader in);
Result<engine::EntryChange<engine::ExternalIdentity>> decode(schema::IdentityChange::Reader in);

}  // namespace netml::wal
