#include "admin/history/change_feed.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

#include "admin/answers/json_answers.hpp"
#include "admin/base/listening_stream.hpp"
#include "admin/history/feed_reading.hpp"
#include "admin/history/journal_place.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {

constexpr std::string_view still_here(FeedForm form) {
  return form == FeedForm::server_sent_events ? ": still here\n\n" : "{\"type\":\"still_here\"}\n";
}

// It reads for itself until it stands where others do, and again when it has fallen out there.
class ChangeFeed final : public ListeningStream {
 public:
  ChangeFeed(Node& node, FeedOrder order, FeedEvent first, const wal::Head& after)
      : ListeningStream(node.clock(), order.shared ? &order.shared->of(order.form).bell() : nullptr,
                        std::move(order.goes_on), still_here(order.form)),
        node_(node),
        form_(order.form),
        shared_(order.shared ? &order.shared->of(order.form) : nullptr),
        place_{after} {
    write_event(form_, std::move(first), first_);
  }

  bool gives_way() const override { return shared_ != nullptr; }

 private:
  bool look(Piece& piece) override {
    const Status read = guarded([&] { return gather(piece); });
    if (read) return true;
    std::string text;
    write_event(form_, {"error", {{"error", error_json(read.error(), {})}}}, text);
    piece = std::make_shared<const std::string>(std::move(text));
    return false;
  }

  Status gather(Piece& piece) {
    if (!first_.empty()) {
      piece = std::make_shared<const std::string>(std::exchange(first_, {}));
      return {};
    }
    do {
      if (standing_ != nullptr && take(piece)) return {};
      NETML_TRY_VOID(read(piece));
      if (piece != nullptr || shared_ == nullptr) return {};
      standing_ = shared_->join(place_);
    } while (standing_ != nullptr);
    return {};
  }

  // False: from here on it reads for itself.
  bool take(Piece& piece) {
    auto taken = standing_->take();
    if (!taken || taken->fell_out) {
      standing_.reset();
      return false;
    }
    if (taken->piece == nullptr) return true;
    place_ = taken->piece->end;
    piece = {taken->piece, &taken->piece->text};
    return true;
  }

  Status read(Piece& piece) {
    if (reading_ == nullptr) reading_ = std::make_unique<FeedReading>(node_, form_, place_);
    NETML_TRY(std::string text, reading_->next());
    place_ = reading_->place();
    if (text.empty())
      reading_.reset();
    else
      piece = std::make_shared<const std::string>(std::move(text));
    return {};
  }

  Node& node_;
  const FeedForm form_;
  SharedFeed* const shared_;
  std::string first_;
  FeedPlace place_;  // behind what was given
  std::unique_ptr<FeedReading> reading_;
  std::unique_ptr<SharedFeed::Standing> standing_;
};

// Where it goes on, and whether that is behind the place that was asked for.
struct FeedStart {
  wal::Head after;
  bool is_known = true;
};

Result<FeedStart> feed_start(wal::JournalReader& reader, const std::optional<std::string>& after) {
  const wal::Head& head = reader.head_hash();
  if (!after) return FeedStart{head};
  NETML_TRY(const std::optional<wal::Head> place, find_place(reader, "after", *after));
  return place ? FeedStart{*place} : FeedStart{head, false};
}

}  // namespace

Result<std::unique_ptr<net::BodySource>> open_change_feed(Node& node, FeedOrder order) {
  NETML_TRY(wal::JournalReader reader, node.journal());
  NETML_TRY(const FeedStart start, feed_start(reader, order.after));
  NETML_TRY(const wal::Manifest manifest, node.manifest());
  const std::string place = to_string(start.after);
  FeedEvent first{start.is_known ? "stream" : "reset",
                  {{"stream", to_string(manifest.node)}, {"after", place}},
                  place};
  return std::make_unique<ChangeFeed>(node, std::move(order), std::move(first), start.after);
}

}  // namespace netml::admin
