#include "admin/exports/export_stream.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "admin/exports/detail/export_portion.hpp"
#include "codecs/netml/netml_writer.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {

// What one export takes beside its version: texts on their way, and the order of the elements of a
// topology, which is made while its lists grow.
constexpr std::uint64_t kExportMemory = 4 << 20;
constexpr std::uint64_t kMemoryOfElement = 32;
// As many times that where two write at a time: some portions are there beside those on their way.
constexpr std::uint64_t kTimesForTwo = 3;

// Portions that are there at once where a helper writes, too, and how long a part of one is: a
// topology of a thousand elements fits, and all of them into what is reserved.
constexpr std::size_t kPortionsMax = 5;
constexpr std::size_t kPortionBytes = 640 << 10;
// A portion is of about so many elements.
constexpr std::uint64_t kPortionElements = 512;
// A topology of more is written in shares.
constexpr std::uint64_t kLargeElements = 2048;
// Who pulls helps on while fewer are ready.
constexpr std::ptrdiff_t kReadyMin = 2;

class ExportStream final : public net::BodySource, private ExportHelpers::Helped {
 public:
  ExportStream(MemoryBudget& memory, engine::StatePtr state, engine::ExportTree tree,
               ExportPieces* pieces, ExportHelpers* helpers)
      : memory_(memory),
        state_(std::move(state)),
        elements_bytes_(kMemoryOfElement * tree.elements_max),
        helpers_(helpers),
        origin_(state_->graph, pieces),
        writer_(state_->graph, std::move(tree)) {
    spare_.reserve(kPortionsMax);  // so that none is lost where there is no memory
  }
  ~ExportStream() override {
    if (helpers_ != nullptr) helpers_->withdraw(*this);
  }
  ExportStream(const ExportStream&) = delete;
  ExportStream& operator=(const ExportStream&) = delete;

  Result<std::string_view> next() override {
    NETML_TRY_VOID(begin());
    if (std::exchange(over_, true)) return fail(Errc::internal, "the export has failed before");
    newest_ ^= 1;
    Given& given = given_[newest_];
    given.cached.reset();
    bool wrote = false;
    {
      std::unique_lock lock(mutex_);
      Place* const front = front_made(lock);
      over_ = false;
      if (front == nullptr) return std::string_view();
      wrote = front->portion.wrote();
      given.cached = front->portion.take(given.text);
      if (front->portion.whole())
        retire_front();
      else
        front->stage = Stage::begun;
    }
    if (wrote && helpers_ != nullptr) helpers_->offer(*this);
    return given.cached != nullptr ? std::string_view(*given.cached) : given.text.view();
  }

 private:
  enum class Stage : std::uint8_t {
    planned,
    being_made,
    made,   // a part of it can be given
    begun,  // a part was given; the next one is for who pulls
  };
  struct Place {
    explicit Place(ExportOrigin& origin) : portion(origin) {}
    Stage stage = Stage::planned;
    ExportPortion portion;
  };
  using Places = std::deque<std::unique_ptr<Place>>;
  // A topology that is written in shares.
  struct Large {
    ExportPortion::Piece piece;
    ExportPortion::Contents contents;
    std::size_t next = 0;
  };
  // What a call gave: a cached piece, or a text made for it.
  struct Given {
    ExportPieces::Text cached;
    codecs::TextBuffer text;
  };
  using Lock = std::unique_lock<std::mutex>;

  // Not before: many ask for no byte of an export.
  Status begin() {
    if (begun_) return {};
    constexpr std::chrono::seconds kPatience{2};
    const std::uint64_t bytes = kExportMemory + elements_bytes_;
    // Not waiting, it asks beside those who wait for more.
    auto reserved = memory_.reserve(MemoryUse::exports, bytes);
    if (!reserved) reserved = memory_.reserve_within(kPatience, MemoryUse::exports, bytes);
    NETML_TRY(reserved_, std::move(reserved));
    // Two write at a time only where nobody needs the memory: not even a cache is emptied for it.
    if (helpers_ != nullptr && !(memory_.has_spare((kTimesForTwo - 1) * bytes) &&
                                 memory_.grow(reserved_, kTimesForTwo * bytes).has_value()))
      helpers_ = nullptr;
    if (origin_.pieces != nullptr) origin_.content = origin_.pieces->follow(state_->graph);
    begun_ = true;
    return {};
  }

  bool help() noexcept override {
    const Result<bool> helped = guarded([this]() -> Result<bool> {
      Lock lock(mutex_);
      Place* const place = failed_ ? nullptr : next_to_make(lock);
      if (place != nullptr) make(*place, lock);
      return place != nullptr;
    });
    if (helped) return *helped;
    // Who pulls comes to the same place, and fails for itself if it fails again.
    const std::lock_guard lock(mutex_);
    failed_ = true;
    return false;
  }

  // ---- all below with mutex_ held; those that are given the lock open it for a while ----

  // The first portion, once a part of it is made; null at the end of the export.
  Place* front_made(Lock& lock) {
    while (true) {
      if (places_.empty()) {
        if (planning_)
          changed_.wait(lock);
        else if (plan(lock) == nullptr)
          return nullptr;
        continue;
      }
      Place& front = *places_.front();  // until this thread removes it
      if (front.stage == Stage::planned || front.stage == Stage::begun) {
        make(front, lock);
        return &front;
      }
      const bool made = front.stage == Stage::made;
      if (made && (!front.portion.wrote() || ready() >= kReadyMin)) return &front;
      // Two write at a time, whether the first one is ready or the helper has it.
      if (Place* const ahead = next_to_make(lock); ahead != nullptr)
        make(*ahead, lock);
      else if (front.stage == Stage::being_made)
        changed_.wait(lock);
      if (made) return &front;
    }
  }

  std::ptrdiff_t ready() const {
    return std::ranges::count_if(places_,
                                 [](const auto& place) { return place->stage == Stage::made; });
  }

  // Planned before or now; null where enough is ahead, or nothing is left.
  Place* next_to_make(Lock& lock) {
    for (const auto& place : places_)
      if (place->stage == Stage::planned) return place.get();
    const std::size_t places_max = helpers_ != nullptr ? kPortionsMax : 1;
    return places_.size() < places_max && !planning_ ? plan(lock) : nullptr;
  }

  // Puts the next portion behind all others; null at the end of the export. Whatever fails here has
  // taken nothing away: each topology is either in a portion or still to come.
  Place* plan(Lock& lock) {
    if (!large_ && !upcoming_) upcoming_ = writer_.next();
    if (!large_ && !upcoming_) return nullptr;
    const bool large = !large_ && members(*upcoming_) > kLargeElements;
    if (large && in_shares(*upcoming_)) order_elements(lock);
    std::unique_ptr<Place> made = place();
    ExportPortion& portion = made->portion;
    places_.push_back(std::move(made));  // from here on nothing fails before something is in it
    if (large_)
      add_share(portion);
    else if (large)
      portion.set_large(*std::exchange(upcoming_, std::nullopt));
    else
      add_pieces(portion);
    return places_.back().get();
  }

  std::uint64_t members(const ExportPortion::Piece& piece) const {
    return state_->graph.referrers_about(piece.topology);
  }

  // What is or will be cached stays in one piece.
  bool in_shares(const ExportPortion::Piece& piece) const {
    if (helpers_ == nullptr) return false;
    return origin_.pieces == nullptr || (origin_.pieces->find(origin_.content, piece) == nullptr &&
                                         !origin_.pieces->wants(origin_.content, kPortionBytes));
  }

  // Of what comes next, which is large from then on. Takes its time, so others write meanwhile.
  void order_elements(Lock& lock) {
    const ExportPortion::Piece piece = *upcoming_;
    ExportPortion::Contents contents;
    {
      const Opened opened(*this, lock, planning_);
      contents = std::make_shared<const engine::TopologyContents>(
          engine::topology_contents(state_->graph, piece.topology));
    }
    large_ = Large{piece, std::move(contents)};
    upcoming_.reset();
  }

  void add_share(ExportPortion& portion) {
    const std::size_t first = large_->next;
    const std::size_t count = codecs::element_count(*large_->contents);
    const std::size_t last = std::min<std::size_t>(count, first + kPortionElements);
    large_->next = last;
    portion.set_share(large_->piece, large_->contents, {first, last});
    if (last == count) large_.reset();
  }

  void add_pieces(ExportPortion& portion) {
    std::uint64_t elements = 0;
    do {
      const ExportPortion::Piece piece = *std::exchange(upcoming_, writer_.next());
      portion.add(piece);
      elements += members(piece) + 1;
    } while (upcoming_ && portion.size() < ExportPortion::kPiecesMax &&
             elements < kPortionElements && members(*upcoming_) <= kLargeElements);
  }

  // One that was used before, if there is one.
  std::unique_ptr<Place> place() {
    if (spare_.empty()) return std::make_unique<Place>(origin_);
    std::unique_ptr<Place> spare = std::move(spare_.back());
    spare_.pop_back();
    return spare;
  }
  void retire_front() {
    places_.front()->portion.clear();
    places_.front()->stage = Stage::planned;
    spare_.push_back(std::move(places_.front()));
    places_.pop_front();
  }

  void make(Place& place, Lock& lock) {
    // The first part is short, because a client waits for it.
    const bool first = !std::exchange(made_any_, true);
    const std::size_t bytes_max = first || helpers_ == nullptr ? kSentBytes : kPortionBytes;
    place.stage = Stage::being_made;
    Making making(place);
    const Opened opened(*this, lock, making.under_way);
    place.portion.write(bytes_max);
    making.done = true;
  }

  // While it lives the lock is open, and `under_way` says why.
  class Opened {
   public:
    Opened(ExportStream& stream, Lock& lock, bool& under_way)
        : stream_(stream), lock_(lock), under_way_(under_way) {
      under_way_ = true;
      lock_.unlock();
    }
    ~Opened() {
      lock_.lock();
      under_way_ = false;
      stream_.changed_.notify_all();
    }
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;

   private:
    ExportStream& stream_;
    Lock& lock_;
    bool& under_way_;
  };
  // How it went, once the lock is taken again.
  struct Making {
    explicit Making(Place& made) : place(made) {}
    Making(const Making&) = delete;
    Making& operator=(const Making&) = delete;
    ~Making() {
      place.stage = done ? Stage::made : Stage::planned;
      if (!done) place.portion.restart();
    }
    Place& place;
    bool under_way = false;
    bool done = false;
  };

  MemoryBudget& memory_;
  const engine::StatePtr state_;
  const std::uint64_t elements_bytes_;
  // Of who pulls.
  bool begun_ = false;
  bool over_ = false;           // what failed once does not go on
  MemoryReservation reserved_;  // once it has begun
  std::array<Given, 2> given_;  // by the last two calls
  std::size_t newest_ = 0;
  // As they are from begin() on.
  ExportHelpers* helpers_;
  ExportOrigin origin_;

  std::mutex mutex_;
  std::condition_variable changed_;  // a portion was made, or planned
  // All below guarded by mutex_.
  codecs::NetmlWriter writer_;
  std::optional<ExportPortion::Piece> upcoming_;  // taken from the writer, and in no portion yet
  std::optional<Large> large_;                    // goes before it
  Places places_;                                 // in the order of the export
  std::vector<std::unique_ptr<Place>> spare_;
  bool planning_ = false;  // somebody does, without the lock
  bool made_any_ = false;
  bool failed_ = false;  // for a helper
};

}  // namespace

std::unique_ptr<net::BodySource> export_stream(MemoryBudget& memory, engine::StatePtr state,
                                               engine::ExportTree tree, ExportPieces* pieces,
                                               ExportHelpers* helpers) {
  return std::make_unique<ExportStream>(memory, std::move(state), std::move(tree), pieces, helpers);
}

}  // namespace netml::admin
