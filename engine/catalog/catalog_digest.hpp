// The digest contributions of catalog entries (docs/format/digest.md): each field in order, numbers
// as 8 bytes little-endian, texts as their length and bytes.
#pragma once

#include "engine/base/digest.hpp"
#include "engine/catalog/catalog.hpp"

namespace netml::engine {

Digest entry_digest(std::uint64_t number, const Token& token);
Digest entry_digest(std::uint64_t number, const Setting& setting);
Digest entry_digest(std::uint64_t number, const ImportRecord& record);
Digest entry_digest(std::uint64_t number, const PublishedItem& item);
Digest entry_digest(std::uint64_t number, const Account& account);
Digest entry_digest(std::uint64_t number, const Ruleset& ruleset);
Digest entry_digest(std::uint64_t number, const Rule& rule);
Digest entry_digest(std::uint64_t number, const KeptPlan& plan);
Digest entry_digest(std::uint64_t number, const PollingSource& source);
Digest entry_digest(std::uint64_t number, const PollBatch& batch);
Digest entry_digest(std::uint64_t number, const PollRecord& record);
Digest entry_digest(std::uint64_t number, const PeerState& peer);

Digest entry_digest(std::uint64_t number, const WebSession& session);
Digest entry_digest(std::uint64_t number, const AllowedOrigin& origin);
Digest entry_digest(std::uint64_t number, const ExternalIdentity& identity);

}  // namespace netml::engine
