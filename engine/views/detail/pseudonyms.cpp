#include "engine/views/detail/pseudonyms.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace netml::engine::detail {

namespace {
constexpr std::size_t kIdBytes = 16;
constexpr std::size_t kNameBytes = 8;
}  // namespace

Pseudonyms::Pseudonyms(const PseudonymKey& key) {
  std::array<std::byte, kBlockBytes> padded{};  // RFC 2104
  std::ranges::copy(key, padded.begin());
  std::ranges::transform(padded, std::back_inserter(inner_),
                         [](std::byte byte) { return static_cast<char>(byte ^ std::byte{0x36}); });
  std::ranges::transform(padded, outer_.begin(),
                         [](std::byte byte) { return byte ^ std::byte{0x5c}; });
}

// Kind and field are hashed, too: a node and the institution it is called after are not joined by
// their pseudonyms. Each hash is of one text: of short ones, beginning anew costs most.
std::string Pseudonyms::hash(Kind kind, std::string_view field, std::string_view text,
                             std::size_t bytes) {
  inner_.resize(kBlockBytes);
  inner_.append(kind_name(kind)).append("\n").append(field).append("\n").append(text);
  const Sha256 inner = hasher_.hash(std::as_bytes(std::span(inner_)));
  std::ranges::copy(inner, outer_.begin() + kBlockBytes);
  const Sha256 sum = hasher_.hash(outer_);
  return to_hex(std::span(sum).first(bytes));
}

std::string Pseudonyms::id(Kind kind, std::string_view id) {
  return "p-" + hash(kind, "id", id, kIdBytes);
}

std::string Pseudonyms::name(Kind kind, std::string_view field, std::string_view text) {
  return std::string(kind_name(kind)) + ' ' + hash(kind, field, text, kNameBytes);
}

}  // namespace netml::engine::detail
