#include "admin/polling/detail/delta_fetch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "codecs/netml/delta/delta_changes.hpp"
#include "net/http/uri.hpp"
#include "wal/format/journal.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kDeltaTakenMax = 64 << 20;
// One that is not small gets room for most, so that what came is not moved as more comes.
constexpr std::size_t kSmallDelta = 256 << 10;
constexpr std::size_t kDeltaExpected = 8 << 20;
constexpr std::uint64_t kMemoryOfDelta = 12;  // times its bytes: with all that it names
constexpr std::string_view kKind = "delta1 ";

// What may be otherwise with another answer of the same peer.
bool is_of_this_answer(const FetchFailure& failure) {
  return failure.reason == "too_large" || failure.reason == "incomplete";
}

// What the delta says, as an import of the file that is known. Nothing: the whole file must be
// made.
Result<std::optional<Fetched>> changes_fetched(const FetchOrder& order, const DeltaMemory& memory,
                                               const std::string& text) {
  constexpr std::size_t kChangesMax = 16;  // kept one upon the other
  if (order.taken == nullptr || order.memory.changes_of.size() >= kChangesMax)
    return std::optional<Fetched>();
  NETML_TRY(const codecs::Delta delta, codecs::read_delta(text));
  codecs::TopologyHasher::Counts counts;
  std::optional<Result<codecs::TakenExport>> after;
  std::optional<engine::Document> document;
  order.parallel->run_both([&] { after = order.taken->after(delta, memory.head, counts); },
                           [&] { document = codecs::document_of(delta, order.page_limits); });
  if (!*after) return tl::unexpected(std::move(after->error()));
  Fetched fetched{nullptr, order.memory};
  fetched.taken = std::make_shared<const codecs::TakenExport>(**std::move(after));
  if (fetched.taken->hash() == order.taken->hash()) return std::optional(std::move(fetched));
  if (!document) return std::optional<Fetched>();
  auto begun = order.begin_upload(ReadWhen::stored);
  if (!begun) return tl::unexpected(std::move(begun.error().error));
  fetched.upload = *std::move(begun);
  Status kept;
  const auto look_up = [&] {
    fetched.changes = codecs::changes_of(delta, *std::move(document), *fetched.taken, counts);
  };
  order.parallel->run_both(look_up, [&] { kept = fetched.upload->write(text); });
  if (!fetched.changes) return std::optional<Fetched>();
  NETML_TRY_VOID(std::move(kept));
  return std::optional(std::move(fetched));
}

// The file that the peer would send now, or what changed in the one that it sent before.
Result<Fetched> fetched_with(const FetchOrder& order, const DeltaMemory& memory,
                             const std::string& text) {
  NETML_TRY(auto fetched, changes_fetched(order, memory, text));
  if (fetched) return *std::move(fetched);
  NETML_TRY(MadeWhole made, order.make_whole(text));
  Fetched whole{std::move(made.upload), order.memory};
  whole.taken = std::move(made.taken);
  return whole;
}

// Where the delta leads from and to, before anything is made of it.
Result<std::string> head_after(const std::string& text, const DeltaMemory& memory) {
  codecs::ExportedText begin(text);
  NETML_TRY(codecs::DeltaLabel label, codecs::take_label(begin));
  if (label.from != memory.head) return fail(Errc::conflict, "the delta leads from another state");
  if (!wal::parse_head(label.to)) return fail(Errc::invalid_input, "the delta leads to no head");
  return std::move(label.to);
}

}  // namespace

std::optional<DeltaMemory> DeltaMemory::parse(std::string_view text) {
  if (!text.starts_with(kKind)) return std::nullopt;
  text.remove_prefix(kKind.size());
  const std::size_t end = text.find(' ');
  if (end == std::string_view::npos) return std::nullopt;
  return DeltaMemory{std::string(text.substr(0, end)), std::string(text.substr(end + 1))};
}

std::string DeltaMemory::text() const {
  const std::string text = fmt::format("{}{} {}", kKind, head, etag);
  return text.size() <= kEtagMax ? text : std::string();
}

std::string DeltaMemory::of(const net::ClientResponse& answer) {
  const std::string_view etag = answer.headers.get("ETag");
  const std::string_view head = answer.headers.get("X-NetML-Head");
  const bool offered = answer.headers.get(codecs::kDeltaHeader) == codecs::kDeltaVersion;
  if (offered && !etag.empty() && wal::parse_head(head))
    return DeltaMemory{std::string(head), std::string(etag)}.text();
  return etag.size() <= kEtagMax ? std::string(etag) : std::string();
}

std::string remembered_etag(const std::string& memory) {
  auto known = DeltaMemory::parse(memory);
  if (!known) return memory;
  return std::move(known->etag);
}

DeltaFetch fetch_delta(const FetchOrder& order, const Clock& clock) {
  auto memory = DeltaMemory::parse(order.memory.etag);
  if (!memory || !order.memory.file_hash) return {};
  std::string delta;
  MemoryReservation reserved = order.memory_budget->account(MemoryUse::imports, 0);
  const auto take = [&](std::string_view piece) -> Status {
    const std::size_t bytes = delta.size() + piece.size();
    if (bytes > kDeltaTakenMax)
      return fail(Errc::too_large, fmt::format("the delta is above {} bytes", kDeltaTakenMax));
    const Status room = order.memory_budget->grow(reserved, kMemoryOfDelta * bytes);
    if (!room) return fail(Errc::too_large, room.error().message);  // the whole map takes less
    if (bytes > kSmallDelta) delta.reserve(std::max(kDeltaExpected, delta.capacity()));
    delta += piece;
    return {};
  };
  const PeerRequest request{.peer = order.peer,
                            .target = fmt::format("/{}netml_export/delta/?from={}", order.path,
                                                  net::percent_encode_value(memory->head)),
                            .token = order.token,
                            .etag = memory->etag,
                            .accept = codecs::kDeltaType,
                            .takes_deltas = true,
                            .rules = order.rules,
                            .limits = order.limits,
                            .stop = order.stop};
  const PeerAnswer answer = ask_peer(request, take, clock);
  if (!answer && is_of_this_answer(answer.error())) return {std::nullopt, answer.error().text};
  if (!answer) return {tl::unexpected(answer.error()), {}};
  Fetched fetched{nullptr, order.memory};
  if (const std::string_view head = answer->headers.get("X-NetML-Head"); answer->status == 304) {
    if (wal::parse_head(head)) memory->head = head;  // which shows the same
    fetched.memory.etag = memory->text();
    return {std::move(fetched), {}};
  }
  if (answer->status != 200) return {};
  const auto head = head_after(delta, *memory);
  if (!head) return {std::nullopt, head.error().text()};
  auto made = fetched_with(order, *memory, delta);
  if (!made) return {std::nullopt, made.error().text()};
  memory->head = *head;
  memory->etag = answer->headers.get("ETag");
  made->memory.etag = memory->text();
  made->delta = std::move(delta);
  made->memory_of_delta = std::move(reserved);
  return {*std::move(made), {}};
}

}  // namespace netml::admin
