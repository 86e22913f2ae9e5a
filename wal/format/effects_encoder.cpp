#include "wal/format/effects_encoder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "wal/format/entry_codec.hpp"
#include "wal/format/format.hpp"
#include "wal/format/record_codec.hpp"
#include "wal/schema/wal.capnp.h"

namespace netml::wal {

namespace {

// The root struct and the tags of its lists.
constexpr std::size_t kEffectsRootWords = 40;

template <class T, class Init>
void encode_list(std::span<const T> items, Init&& init) {
  if (items.empty()) return;
  auto list = init(static_cast<unsigned>(items.size()));
  unsigned index = 0;
  for (const T& item : items) encode(item, list[index++]);
}

// Most payloads have none.
void encode_record_texts(std::span<const engine::RecordChange> records,
                         schema::Effects::Builder out) {
  unsigned count = 0;
  for (const engine::RecordChange& record : records) count += count_texts(record);
  if (count == 0) return;
  auto list = out.initTexts(count);
  unsigned next = 0;
  for (unsigned place = 0; place < records.size(); ++place)
    encode_texts(records[place], place, list, next);
}

template <class T>
Status check_each(std::span<const T> items) {
  constexpr std::size_t kWordsMax = format::kPayloadBytesMax / sizeof(std::uint64_t);
  for (const T& item : items)
    if (const std::size_t words = kEffectsRootWords + encoded_words(item); words > kWordsMax)
      return fail(Errc::too_large,
                  fmt::format("one change takes {} bytes in the journal; the limit is {}",
                              words * sizeof(std::uint64_t), format::kPayloadBytesMax));
  return {};
}

}  // namespace

EffectsView EffectsView::of(const engine::Transaction& transaction) {
  EffectsView view;
  view.records = transaction.records;
  view.numberings = transaction.numberings;
  view.renumberings = transaction.renumberings;
  [&]<std::size_t... kTable>(std::index_sequence<kTable...>) {
    constexpr auto kViews = EffectsView::all();
    constexpr auto kChanges = engine::CatalogChanges::all();
    ((view.*std::get<kTable>(kViews) = transaction.*std::get<kTable>(kChanges)), ...);
  }(std::make_index_sequence<std::tuple_size_v<decltype(EffectsView::all())>>());
  return view;
}

bool EffectsView::empty() const {
  return std::apply([](const auto&... list) { return (list.empty() && ...); }, lists_of(*this));
}

template <class T>
void EffectsSlicer::take(std::span<const T>& from, std::span<const T>& into, std::size_t& words) {
  std::size_t count = 0;
  while (count < from.size()) {
    const std::size_t more = encoded_words(from[count]);
    const bool first = words == kEffectsRootWords;
    if (!first && words + more > words_aimed_) break;
    words += more;
    ++count;
  }
  into = from.first(count);
  from = from.subspan(count);
}

EffectsSlicer::Slice EffectsSlicer::next() {
  Slice slice;
  slice.words = kEffectsRootWords;
  auto from = EffectsView::lists_of(rest_);
  auto into = EffectsView::lists_of(slice.effects);
  [&]<std::size_t... kList>(std::index_sequence<kList...>) {
    (take(std::get<kList>(from), std::get<kList>(into), slice.words), ...);
  }(std::make_index_sequence<std::tuple_size_v<decltype(from)>>());
  return slice;
}

Status encode_effects(const EffectsSlicer::Slice& slice, MessageScratch& scratch,
                      const PayloadConsumer& consume) {
  const EffectsView& effects = slice.effects;
  const auto fill = [&](schema::Effects::Builder out) {
    encode_list(effects.records, [&](unsigned n) { return out.initRecords(n); });
    encode_record_texts(effects.records, out);
    encode_list(effects.numberings, [&](unsigned n) { return out.initNumberings(n); });
    encode_list(effects.renumberings, [&](unsigned n) { return out.initRenumberings(n); });
    encode_entries(effects, out);
  };
  return scratch.build<schema::Effects>(slice.words, fill, consume);
}

std::uint16_t format_of(const EffectsView& effects) {
  const bool has_texts = std::ranges::any_of(
      effects.records, [](const engine::RecordChange& change) { return count_texts(change) != 0; });
  return has_texts ? format::kVersion3 : format::kVersion1;
}

OwnedPayload encode_owned(const EffectsSlicer::Slice& slice, MessageScratch& scratch) {
  OwnedPayload owned;
  const Status encoded =
      encode_effects(slice, scratch, [&](std::span<const std::byte> payload) -> Status {
        owned.resize(payload.size() / sizeof(std::uint64_t));
        std::memcpy(owned.data(), payload.data(), payload.size());
        return {};
      });
  NETML_ASSERT(encoded.has_value());  // only the consumer could fail
  return owned;
}

Status check_encodable(const EffectsView& effects) {
  for (const engine::RecordChange& change : effects.records)
    if (change.before && change.after && change.before.kind() != change.after.kind())
      return fail(Errc::internal, fmt::format("record {} would change its kind", change.id.value));
  Status status;
  std::apply(
      [&](const auto&... list) {
        static_cast<void>(((status = check_each(list)).has_value() && ...));
      },
      EffectsView::lists_of(effects));
  return status;
}

}  // namespace netml::wal
