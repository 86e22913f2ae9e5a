// Signatures of checkpoints: who holds the public key can prove how far the journal is the one that
// the node itself wrote (docs/format/signatures.md). Optional; the file grows by a line with each
// checkpoint, and the lines stay when the checkpoints go.
#pragma once

#include <string>
#include <vector>

#include "engine/base/ed25519.hpp"
#include "wal/format/journal.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

inline constexpr std::string_view kSignatureFile = "signatures";

struct SignedCheckpoint {
  std::string node;  // as to_string() writes it
  Head head;
  Sha256 graph{};  // SHA-256 of its files, as the manifest has them
  Sha256 catalog{};
  bool operator==(const SignedCheckpoint&) const = default;
};

struct SignatureLine {
  std::string text;  // without its end
  SignedCheckpoint checkpoint;
  Sha256 previous{};  // SHA-256 of the line before; zeros in the first
  Ed25519PublicKey key{};
  std::string problem;  // why it proves nothing; empty = the signature is that of its key
};

// A line of the file, without its end.
std::string sign(const SignedCheckpoint& checkpoint, const Sha256& previous,
                 const Ed25519Seed& seed);

// Each line with its problem: its own, or that it does not follow the line before. What has no end
// was cut off by a crash and is no line, unless it is whole and other bytes than zeros stand there.
std::vector<SignatureLine> parse_signatures(std::string_view text);
// What a crash left at the end, and the next signature takes the place of.
std::size_t unfinished_bytes(std::string_view text);
// Empty when there is none.
Result<std::string> read_signatures(Storage& data);
// Durably, behind the last whole line; nothing when that one says the same.
Status add_signature(Storage& data, const SignedCheckpoint& checkpoint, const Ed25519Seed& seed);
// Those up to the first of a checkpoint beyond `last`; the rest is forgotten.
Status cut_signatures(Storage& data, Lsn last);

// 64 hexadecimal digits.
std::optional<Ed25519PublicKey> parse_public_key(std::string_view text);

}  // namespace netml::wal
