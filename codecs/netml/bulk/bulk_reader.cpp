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

// In other encodings a slice can be twice as long in the file as it is in UTF-8.
constexpr std::size_t kDecodedMarkupBytesMin = 4 * kSliceBytesMax;

// Of the end tags that are searched for: a prefix comes from a prologue of limited length.
constexpr std::size_t kTagBytesMax = 16 << 10;

// How far before an end tag the comment is searched for that it may lie in. Where that is not far
// enough, the slice ends in a comment and is not understood.
constexpr std::size_t kCommentBytesMax = 4 << 10;

// Where the comment begins that `at` seems to lie in; npos if in none.
std::size_t comment_around(std::string_view text, std::size_t at) {
  const std::size_t from = at - std::min(at, kCommentBytesMax);
  const std::string_view before = text.substr(from, at - from);
  const std::size_t begin = before.rfind("<!--");
  if (begin == std::string_view::npos || before.find("-->", begin) != std::string_view::npos)
    return std::string_view::npos;
  return from + begin;
}

constexpr std::array kSliceEnds = {Element::node, Element::link, Element::institution,
                                   Element::topology};

}  // namespace

// What a slice holds without being cut never exceeds these, so they need no watching.
bool BulkReader::serves(const ReadLimits& limits) {
  return limits.attributes >= 2 && limits.name_bytes >= 64 &&
         limits.markup_bytes >= 2 * kSliceBytesMax;
}

BulkReader::BulkReader(const ReadLimits& limits, unsigned threads, std::uint64_t bytes)
    : limits_(limits),
      bytes_(bytes),
      decoder_(TextEncoding::utf8),
      queue_(limits, prologue_, threads),
      assembler_(limits),
      full_at_(kSliceBytes) {}

bool BulkReader::feed(std::span<const std::byte> bytes) {
  std::string_view left(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!left.empty()) {
    std::string& text = queue_.tail().text;
    const std::string_view piece = left.substr(0, bytes_to_take());
    if (!decoder_.append(piece, text)) return false;
    left.remove_prefix(piece.size());
    if (!prologue_read_ && !read_prologue_if_there()) return false;
    if (text.size() >= full_at_ && !send_slice()) return false;
  }
  return true;
}

// So many that the tail is hardly longer than it should be once they are decoded.
std::size_t BulkReader::bytes_to_take() const {
  const std::size_t room = full_at_ - queue_.tail().text.size();
  return prologue_read_ && decoder_.encoding() == TextEncoding::utf8 ? room
                                                                     : room / kDecodedGrowthMax + 1;
}

bool BulkReader::read_prologue_if_there() {
  const PrologueState state = read_prologue(queue_.tail().text, limits_, prologue_);
  if (state == PrologueState::refused) return false;
  if (state == PrologueState::incomplete) return true;
  prologue_read_ = true;
  searched_ = prologue_.bytes;
  for (const Element element : kSliceEnds)
    end_tags_.push_back(fmt::format("</{}>", prologue_.names[element]));
  return prologue_.encoding == TextEncoding::utf8 || decode_tail();
}

// What came before the encoding was known.
bool BulkReader::decode_tail() {
  if (limits_.markup_bytes < kDecodedMarkupBytesMin) return false;
  decoder_ = TextDecoder(prologue_.encoding);
  rest_ = std::exchange(queue_.tail().text, {});
  return decoder_.append(rest_, queue_.tail().text);
}

// ---- slices ----

// Behind the last end tag in `text` that a slice may end with, but for those in a comment; 0 if
// there is none.
std::size_t BulkReader::find_cut(std::string_view text) const {
  for (std::size_t at = text.rfind('<'); at != std::string_view::npos && at >= searched_;
       at = text.rfind('<', at - 1)) {
    for (const std::string& tag : end_tags_) {
      if (!text.substr(at).starts_with(tag)) continue;
      const std::size_t comment = comment_around(text, at);
      if (comment == std::string_view::npos) return at + tag.size();
      at = comment;
      break;
    }
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
  // Once, with room for a rest that is longer than this one.
  queue_.tail().text.reserve(kSliceBytes + kSliceBytes / 8);
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
  assembled_ += slice.text.size();
  if (accepted) assembler_.make_room(assembled_, bytes_);
  queue_.pop();
  return accepted;
}

std::optional<engine::Document> BulkReader::finish() {
  if (!prologue_read_ || !decoder_.complete() || !push_slice()) return std::nullopt;
  while (!queue_.empty())
    if (!assemble(queue_.wait_front())) return std::nullopt;
  return std::move(assembler_).take();
}

}  // namespace netml::codecs
