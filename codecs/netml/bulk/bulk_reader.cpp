#include "codecs/netml/bulk/bulk_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace netml::codecs {

namespace {

// Long enough that the hand-over costs nothing, short enough to stay in a core's cache.
constexpr std::size_t kSliceBytes = 256 << 10;
// An element that is longer has no business in a network map.
constexpr std::size_t kSliceBytesMax = 3 * kSliceBytes;

// Of the end tags that are searched for: a prefix comes from a prologue of limited length.
constexpr std::size_t kTagBytesMax = 16 << 10;

constexpr std::array kSliceEnds = {Element::node, Element::link, Element::institution,
                                   Element::topology};

}  // namespace

// What a slice holds without being cut never exceeds these, so they need no watching.
bool BulkReader::serves(const ReadLimits& limits) {
  return limits.attributes >= 2 && limits.name_bytes >= 64 &&
         limits.markup_bytes >= 2 * kSliceBytesMax;
}

BulkReader::BulkReader(const ReadLimits& limits, unsigned threads)
    : limits_(limits),
      queue_(limits, prologue_, threads),
      assembler_(limits),
      full_at_(kSliceBytes) {}

bool BulkReader::feed(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    std::string& text = queue_.tail().text;
    const std::size_t count = std::min(bytes.size(), full_at_ - text.size());
    text.append(reinterpret_cast<const char*>(bytes.data()), count);
    bytes = bytes.subspan(count);
    if (!prologue_read_ && !read_prologue_if_there()) return false;
    if (text.size() == full_at_ && !send_slice()) return false;
  }
  return true;
}

bool BulkReader::read_prologue_if_there() {
  const PrologueState state = read_prologue(queue_.tail().text, limits_, prologue_);
  if (state == PrologueState::refused) return false;
  if (state == PrologueState::incomplete) return true;
  prologue_read_ = true;
  for (const Element element : kSliceEnds)
    end_tags_.push_back(fmt::format("</{}>", prologue_.names[element]));
  return true;
}

// ---- slices ----

// Behind the last end tag in `text` that a slice may end with; 0 if there is none.
std::size_t BulkReader::find_cut(std::string_view text) const {
  for (std::size_t at = text.rfind('<'); at != std::string_view::npos && at >= searched_;
       at = text.rfind('<', at - 1)) {
    for (const std::string& tag : end_tags_)
      if (text.substr(at).starts_with(tag)) return at + tag.size();
    if (at == 0) break;
  }
  return 0;
}

// The tail is full: all but its unfinished last element goes on its way.
bool BulkReader::send_slice() {
  std::string& text = queue_.tail().text;
  const std::size_t cut = find_cut(text);
  if (cut == 0) {
    searched_ = text.size() - std::min(text.size(), kTagBytesMax);
    full_at_ += kSliceBytes;
    return full_at_ <= kSliceBytesMax;
  }
  rest_.assign(text, cut);
  text.resize(cut);
  if (!push_slice()) return false;
  queue_.tail().text = rest_;
  searched_ = 0;
  full_at_ = rest_.size() + kSliceBytes;
  return true;
}

// Sends the tail on its way and makes room for the next one.
bool BulkReader::push_slice() {
  queue_.push();
  while (Slice* slice = queue_.ready_front())
    if (!assemble(*slice)) return false;
  while (!queue_.has_room())
    if (!assemble(queue_.wait_front())) return false;
  return true;
}

bool BulkReader::assemble(Slice& slice) {
  const bool accepted =
      slice.understood && assembler_.add(slice.parser->recording(), slice.parser->elements());
  queue_.pop();
  return accepted;
}

std::optional<engine::Document> BulkReader::finish() {
  if (!prologue_read_ || !push_slice()) return std::nullopt;
  while (!queue_.empty())
    if (!assemble(queue_.wait_front())) return std::nullopt;
  return std::move(assembler_).take();
}

}  // namespace netml::codecs
