#include "admin/imports/kept_map.hpp"

#include <utility>

#include "admin/node/kept_file.hpp"
#include "codecs/netml/delta/apply_delta.hpp"
#include "engine/base/sha256.hpp"

namespace netml::admin {

namespace {

// The whole one first.
Result<std::vector<Sha256>> pieces_of(const KeptMap& map) {
  std::vector<Sha256> pieces;
  for (const std::string& piece : map.changes_of) {
    const auto hash = parse_sha256(piece);
    if (!hash) return fail(Errc::corruption, "no hash of a file: " + piece);
    pieces.push_back(*hash);
  }
  pieces.push_back(map.hash);
  return pieces;
}

}  // namespace

Result<codecs::TakenExport> replay_kept_map(Node& node, const KeptMap& map, std::string_view delta,
                                            const std::function<Status(std::string_view)>& take) {
  NETML_TRY(const std::vector<Sha256> pieces, pieces_of(map));
  std::vector<std::string> texts;
  for (const Sha256& piece : pieces) {
    NETML_TRY(std::string text, read_kept_file(node, piece));
    texts.push_back(std::move(text));
  }
  std::vector<codecs::Delta> changes;
  for (std::size_t i = 1; i < texts.size(); ++i) {
    NETML_TRY(codecs::Delta change, codecs::read_delta(texts[i]));
    changes.push_back(std::move(change));
  }
  if (!delta.empty()) {
    NETML_TRY(codecs::Delta change, codecs::read_delta(delta));
    changes.push_back(std::move(change));
  }
  if (changes.empty()) {
    NETML_TRY_VOID(take(texts.front()));
    return codecs::TakenExport::of(texts.front());
  }
  if (changes.size() == 1)  // which may say what several may not
    return codecs::apply_delta(texts.front(), changes.front(), changes.front().label.from, take);
  NETML_TRY(const codecs::Delta all, codecs::combined(changes));
  return codecs::apply_delta(texts.front(), all, all.label.from, take);
}

Result<std::uint64_t> kept_bytes(Node& node, const KeptMap& map) {
  NETML_TRY(const std::vector<Sha256> pieces, pieces_of(map));
  std::uint64_t bytes = 0;
  for (const Sha256& piece : pieces) {
    NETML_TRY(const auto file, node.open_upload(piece));
    NETML_TRY(const std::uint64_t size, file->size());
    bytes += size;
  }
  return bytes;
}

}  // namespace netml::admin
