#include "wal/checkpoint/signatures.hpp"

#include <fmt/format.h>

#include "engine/base/hex.hpp"
#include "engine/base/sha256.hpp"

namespace netml::wal {

namespace {

constexpr std::string_view kBeginning = "netml-checkpoint-1";
constexpr std::size_t kFields = 8;
constexpr std::uint64_t kBytesMax = 1ULL << 30;
constexpr std::uint64_t kTailBytes = 4096;  // several lines

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t blank = line.find(' ');
    fields.push_back(line.substr(0, blank));
    if (blank == std::string_view::npos) return fields;
    line.remove_prefix(blank + 1);
  }
}

SignatureLine parse_line(std::string_view text) {
  SignatureLine line;
  line.text = text;
  const std::vector<std::string_view> fields = fields_of(text);
  SignedCheckpoint& checkpoint = line.checkpoint;
  Ed25519Signature signature;
  const auto head = fields.size() == kFields ? parse_head(fields[2]) : std::nullopt;
  if (!head || fields[0] != kBeginning || !parse_hex(fields[3], checkpoint.graph) ||
      !parse_hex(fields[4], checkpoint.catalog) || !parse_hex(fields[5], line.previous) ||
      !parse_hex(fields[6], line.key) || !parse_hex(fields[7], signature)) {
    line.problem = "this is no signature of a checkpoint";
    return line;
  }
  checkpoint.node = fields[1];
  checkpoint.head = *head;
  const std::string_view message = text.substr(0, text.rfind(' '));
  if (!ed25519_verify(line.key, bytes_of(message), signature))
    line.problem = "the signature is not that of its key";
  return line;
}

// A crash leaves zeros behind a line that is whole, or nothing. Anything else stood there as its
// end.
std::optional<std::string_view> line_with_damaged_end(std::string_view rest) {
  const std::size_t last = rest.find_last_not_of('\0');
  if (last == std::string_view::npos) return std::nullopt;
  const std::string_view line = rest.substr(0, last);
  return parse_line(line).problem.empty() ? std::optional(line) : std::nullopt;
}

Sha256 hash_of(std::string_view line) {
  return Sha256Hasher().hash(bytes_of(line));
}

struct LastLine {
  std::string text;       // empty when there is none
  std::uint64_t end = 0;  // of it in the file
  bool end_damaged = false;
};

Result<LastLine> read_last_line(File& file) {
  NETML_TRY(const std::uint64_t size, file.size());
  const std::uint64_t begin = size - std::min(size, kTailBytes);
  std::vector<std::byte> bytes(size - begin);
  NETML_TRY_VOID(read_exactly(file, begin, bytes));
  std::string text = text_of(bytes);
  const std::size_t end = text.rfind('\n');
  const std::size_t rest = end + 1;  // npos + 1 is 0
  if (const auto line = line_with_damaged_end(std::string_view(text).substr(rest)))
    return LastLine{std::string(*line), begin + rest + line->size() + 1, true};
  if (end == std::string::npos) {
    if (begin == 0) return LastLine();
    return fail(Errc::corruption, file.path() + ": there is no signature at its end");
  }
  text.resize(end);
  return LastLine{text.substr(text.rfind('\n') + 1), begin + rest};
}

// The end of the line comes when the rest is durable: a line that has one is whole.
Status append_line(File& file, std::uint64_t at, std::string_view line) {
  NETML_TRY_VOID(file.truncate(at));
  NETML_TRY_VOID(file.write(at, bytes_of(line)));
  NETML_TRY_VOID(file.sync());
  NETML_TRY_VOID(file.write(at + line.size(), bytes_of("\n")));
  return file.sync();
}

}  // namespace

std::string sign(const SignedCheckpoint& checkpoint, const Sha256& previous,
                 const Ed25519Seed& seed) {
  const std::string message =
      fmt::format("{} {} {} {} {} {} {}", kBeginning, checkpoint.node, to_string(checkpoint.head),
                  to_hex(checkpoint.graph), to_hex(checkpoint.catalog), to_hex(previous),
                  to_hex(ed25519_public_key(seed)));
  return fmt::format("{} {}", message, to_hex(ed25519_sign(seed, bytes_of(message))));
}

std::vector<SignatureLine> parse_signatures(std::string_view text) {
  std::vector<SignatureLine> lines;
  Sha256 previous{};
  for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
    SignatureLine line = parse_line(text.substr(0, end));
    if (line.problem.empty() && line.previous != previous)
      line.problem = "it does not follow the line before it: lines are missing, or were changed";
    previous = hash_of(line.text);
    lines.push_back(std::move(line));
    text.remove_prefix(end + 1);
  }
  if (const auto last = line_with_damaged_end(text)) {
    lines.push_back(parse_line(*last));
    lines.back().problem = "its end is damaged; the next signature mends it";
  }
  return lines;
}

std::size_t unfinished_bytes(std::string_view text) {
  const std::string_view rest = text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
  return line_with_damaged_end(rest) ? 0 : rest.size();
}

Result<std::string> read_signatures(Storage& data) {
  const Result<std::vector<std::byte>> bytes = read_file(data, kSignatureFile, kBytesMax);
  if (!bytes && bytes.error().code == Errc::not_found) return std::string();
  if (!bytes) return tl::unexpected(bytes.error());
  return text_of(*bytes);
}

Status add_signature(Storage& data, const SignedCheckpoint& checkpoint, const Ed25519Seed& seed) {
  const auto file = data.open(kSignatureFile, OpenMode::write);
  if (!file && file.error().code != Errc::not_found) return tl::unexpected(file.error());
  if (!file) return replace_file(data, kSignatureFile, bytes_of(sign(checkpoint, {}, seed) + '\n'));
  NETML_TRY(const LastLine last, read_last_line(**file));
  if (last.end_damaged) NETML_TRY_VOID((*file)->write(last.end - 1, bytes_of("\n")));
  if (last.text.empty()) return append_line(**file, last.end, sign(checkpoint, {}, seed));
  const SignatureLine before = parse_line(last.text);
  if (before.problem.empty() && before.checkpoint == checkpoint &&
      before.key == ed25519_public_key(seed))
    return last.end_damaged ? (*file)->sync() : Status();  // the same checkpoint in another role
  return append_line(**file, last.end, sign(checkpoint, hash_of(last.text), seed));
}

Status cut_signatures(Storage& data, Lsn last) {
  NETML_TRY(const std::string before, read_signatures(data));
  std::string after;
  for (const SignatureLine& line : parse_signatures(before)) {
    if (line.checkpoint.head.lsn > last) break;
    after += line.text + '\n';
  }
  if (after == before) return {};
  return replace_file(data, kSignatureFile, bytes_of(after));
}

std::optional<Ed25519PublicKey> parse_public_key(std::string_view text) {
  Ed25519PublicKey key;
  return parse_hex(text, key) ? std::optional(key) : std::nullopt;
}

}  // namespace netml::wal
