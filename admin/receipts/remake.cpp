#include "admin/receipts/remake.hpp"

#include <fmt/format.h>

#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "admin/answers/shared_body.hpp"
#include "admin/base/build_info.hpp"
#include "admin/exports/export_state.hpp"
#include "admin/exports/export_stream.hpp"
#include "admin/receipts/receipts.hpp"
#include "engine/base/sha256.hpp"
#include "wal/format/journal.hpp"

namespace netml::admin {

namespace {

tl::unexpected<Error> impossible(const Receipt& receipt, std::string_view why) {
  return fail(Errc::conflict,
              fmt::format("the bytes of receipt {} cannot be made again: {}", receipt.number, why));
}

// What may pass is given as it is.
tl::unexpected<Error> impossible(const Receipt& receipt, std::string_view why, const Error& error) {
  if (error.code == Errc::unavailable) return tl::make_unexpected(error);
  return impossible(receipt, fmt::format("{}: {}", why, error.text()));
}

// A restored journal may have gone on otherwise, so the hash in the head must be that of then.
Result<engine::StatePtr> state_of_then(Node& node, const Receipt& receipt, std::string_view at) {
  const auto head = wal::parse_head(at);
  if (!head) return impossible(receipt, "it names no head");
  const auto past = node.state_at(head->lsn);
  if (!past)
    return impossible(receipt,
                      fmt::format("the journal no longer leads to LSN {}", head->lsn.value),
                      past.error());
  if (past->head != *head)
    return impossible(receipt,
                      fmt::format("at LSN {} the journal is of another history", head->lsn.value));
  return past->state;
}

// Of the state that was published.
Result<engine::StatePtr> published_then(Node& node, const Receipt& receipt,
                                        const engine::State& then) {
  const auto item = then.catalog.published.find(receipt.published);
  if (item == nullptr)
    return impossible(receipt, fmt::format("there was no publication {}", receipt.published));
  auto past = node.state_at(item->lsn);
  if (!past)
    return impossible(receipt,
                      fmt::format("the journal no longer leads to LSN {}", item->lsn.value),
                      past.error());
  return std::move(past->state);
}

Result<engine::StatePtr> seen_then(Views& views, const Receipt& receipt,
                                   const engine::StoredView& stored,
                                   const engine::StatePtr& state) {
  const auto view = read_stored(stored);
  if (!view) return impossible(receipt, view.error().text());
  auto seen = views.preview(state, *view);
  if (!seen) return impossible(receipt, "what the view shows", seen.error());
  return seen;
}

// As it was when the receipt was left.
Result<std::uint64_t> view_then(const Receipt& receipt, const engine::Catalog& catalog) {
  const std::uint64_t number = catalog.views.find_with<&engine::StoredView::name>(receipt.view);
  const auto stored = catalog.views.find(number);
  if (stored == nullptr || view_hash(*stored) != receipt.view_sha256)
    return impossible(receipt, fmt::format("the view \"{}\" was another one", receipt.view));
  return number;
}

// The state whose export was sent.
Result<engine::StatePtr> delivered_state(Node& node, Views& views, const Receipt& receipt) {
  NETML_TRY(const engine::StatePtr then, state_of_then(node, receipt, receipt.head));
  engine::StatePtr state = then;
  if (receipt.published != 0) {
    NETML_TRY(state, published_then(node, receipt, *then));
  }
  if (receipt.view.empty()) return state;
  NETML_TRY(const std::uint64_t view, view_then(receipt, then->catalog));
  return seen_then(views, receipt, *then->catalog.views.find(view), state);
}

// ---- the bytes ----

using Source = std::unique_ptr<net::BodySource>;

Result<Source> export_of(Node& node, const Receipt& receipt, const engine::StatePtr& state) {
  const auto unable = [&] {
    return impossible(receipt, "there was no map: " + live_export_state(state->graph).reason());
  };
  const auto root = engine::export_root(state->graph);
  if (!root) return unable();
  auto tree = engine::export_tree(state->graph, *root);
  if (!tree) return unable();
  return export_stream(node.memory(), state, *std::move(tree));
}

// Why other bytes came than were sent, as far as that shows.
std::string reason_of_other_bytes(const Node& node, const Receipt& receipt) {
  if (!receipt.view.empty() && receipt.pseudonym_key != pseudonym_key_name(node))
    return "the node has another key than then, and pseudonyms of the view are made with it";
  const std::string_view version = cli::build_info().version;
  if (receipt.version != version)
    return fmt::format("version {} wrote them, and this is {}, which may write them otherwise",
                       receipt.version, version);
  return "other bytes come out";
}

// Passes on what another one gives; an error in the end unless it was what the receipt is of.
class ProvedSource final : public net::BodySource {
 public:
  ProvedSource(const Node& node, Receipt receipt, Source source)
      : node_(node), receipt_(std::move(receipt)), source_(std::move(source)) {}

  Result<std::string_view> next() override {
    auto piece = source_->next();
    if (!piece) return impossible(receipt_, "they cannot be read", piece.error());
    if (!piece->empty())
      hasher_.add(std::as_bytes(std::span(*piece)));
    else if (to_hex(hasher_.finish()) != receipt_.sha256)
      return impossible(receipt_, reason_of_other_bytes(node_, receipt_));
    return piece;
  }

 private:
  const Node& node_;
  const Receipt receipt_;
  const Source source_;
  Sha256Hasher hasher_;
};

Status pull_all(net::BodySource& source) {
  while (true) {
    NETML_TRY(const std::string_view piece, source.next());
    if (piece.empty()) return {};
  }
}

Result<net::Body> remade_whole(Node& node, Views& views, const Receipt& receipt) {
  NETML_TRY(const engine::StatePtr state, delivered_state(node, views, receipt));
  const auto proved = [&]() -> Result<Source> {
    NETML_TRY(Source source, export_of(node, receipt, state));
    return std::make_unique<ProvedSource>(node, receipt, std::move(source));
  };
  NETML_TRY(const Source first, proved());
  NETML_TRY_VOID(pull_all(*first));
  NETML_TRY(Source source, proved());
  return net::StreamBody{std::move(source), receipt.bytes};
}

// One of the two states of a delta. The view may have been another one where the delta begins.
Result<ExportedState> exported_then(Views& views, const Receipt& receipt, std::uint64_t view,
                                    Version whole) {
  if (receipt.view.empty()) return exported_whole(whole);
  const auto stored = whole.state->catalog.views.find(view);
  if (stored == nullptr) return impossible(receipt, "where it begins there was no such view");
  NETML_TRY(engine::StatePtr seen, seen_then(views, receipt, *stored, whole.state));
  auto exported = exported_through(views, view, std::move(whole), std::move(seen));
  if (!exported) return impossible(receipt, "what the view shows", exported.error());
  return exported;
}

Result<net::Body> remade_delta(Node& node, Views& views, ExportDeltas& deltas,
                               const Receipt& receipt) {
  NETML_TRY(const engine::StatePtr before, state_of_then(node, receipt, receipt.from));
  NETML_TRY(const engine::StatePtr after, state_of_then(node, receipt, receipt.head));
  std::uint64_t view = kWholeMap;
  if (!receipt.view.empty()) {
    NETML_TRY(view, view_then(receipt, after->catalog));
  }
  NETML_TRY(const ExportedState from, exported_then(views, receipt, view, {before, receipt.from}));
  NETML_TRY(const ExportedState to, exported_then(views, receipt, view, {after, receipt.head}));
  const auto delta = deltas.between(from, to);
  if (!delta) return impossible(receipt, "the delta", delta.error());
  const std::string_view text = (*delta)->text.view();
  if (to_hex(Sha256Hasher().hash(std::as_bytes(std::span(text)))) != receipt.sha256)
    return impossible(receipt, reason_of_other_bytes(node, receipt));
  return shared_body(*delta, text);
}

}  // namespace

Result<net::Body> remade(Node& node, Views& views, ExportDeltas& deltas, const Receipt& receipt) {
  return receipt.from.empty() ? remade_whole(node, views, receipt)
                              : remade_delta(node, views, deltas, receipt);
}

}  // namespace netml::admin
