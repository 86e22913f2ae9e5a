#include "admin/history/shared_feed.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/guarded.hpp"

namespace netml::admin {

// Where all that stand here are behind the newcomer, as they are slow or have not come yet, it
// reads on for them. When that leaves no room and nobody stands at the end, all of them are slow:
// they fall out, and sharing begins anew with the newcomer.
std::unique_ptr<SharedFeed::Standing> SharedFeed::join(const FeedPlace& place) {
  std::unique_ptr<FeedReading> unused;  // may hold a version, which is freed without the lock
  Lock lock(mutex_);
  if (!spots_.empty() && spots_.back().place.after.lsn < place.after.lsn) {
    if (bytes_ < room_.bytes_max)
      static_cast<void>(make(lock));  // a failure concerns those who stand here
    else if (spots_.back().listeners == 0)
      while (!spots_.empty()) drop_first();
  }
  unused = drop_passed();
  if (spots_.empty()) spots_.push_back({place});
  const std::optional<std::uint64_t> spot = find(place);
  if (!spot) return nullptr;
  auto standing = std::make_unique<Standing>(*this, *spot);
  ++at(*spot).listeners;
  return standing;
}

void SharedFeed::leave(std::uint64_t spot) {
  std::unique_ptr<FeedReading> unused;
  const Lock lock(mutex_);
  if (has_fallen_out(spot)) return;
  --at(spot).listeners;
  unused = drop_passed();
}

Result<SharedFeed::Standing::Taken> SharedFeed::take(std::uint64_t& spot) {
  std::unique_ptr<FeedReading> unused;
  Lock lock(mutex_);
  if (!has_fallen_out(spot) && at(spot).piece == nullptr) NETML_TRY_VOID(make(lock));
  if (has_fallen_out(spot)) return Standing::Taken{nullptr, true};
  Spot& here = at(spot);
  PiecePtr piece = here.piece;
  if (piece != nullptr) {
    --here.listeners;
    ++at(++spot).listeners;
    unused = drop_passed();
  }
  return Standing::Taken{std::move(piece)};
}

// One at a time. Whoever comes meanwhile finds nothing, and is woken when it is done.
Status SharedFeed::make(Lock& lock) {
  const FeedPlace begin = spots_.back().place;
  if (is_making_ || begin.after.lsn >= node_.version().state->lsn) return {};
  is_making_ = true;
  std::unique_ptr<FeedReading> reading = std::move(reading_);
  lock.unlock();
  const Status made = guarded([&] { return make_pieces(reading, begin); });
  lock.lock();
  is_making_ = false;
  if (made && !spots_.empty()) reading_.swap(reading);
  lock.unlock();
  reading.reset();
  bell_.ring();
  lock.lock();
  return made;
}

Status SharedFeed::make_pieces(std::unique_ptr<FeedReading>& reading, const FeedPlace& begin) {
  if (reading == nullptr || reading->place() != begin)
    reading = std::make_unique<FeedReading>(node_, form_, begin);
  bool more = true;
  for (std::size_t made = 0; more && made < room_.ahead;) {
    const FeedPlace place = reading->place();
    NETML_TRY(std::string text, reading->next());
    text.shrink_to_fit();
    made += text.size();
    more = push(place, std::make_shared<const Piece>(Piece{std::move(text), reading->place()}));
  }
  return {};
}

// False: there is no more, or nobody stands there any more.
bool SharedFeed::push(const FeedPlace& begin, PiecePtr piece) {
  const Lock lock(mutex_);
  if (spots_.empty() || spots_.back().place != begin) return false;
  if (piece->text.empty()) {
    spots_.back().place = piece->end;  // behind transactions that were aborted
    return false;
  }
  spots_.push_back({piece->end});
  bytes_ += piece->text.size();
  spots_.at(spots_.size() - 2).piece = std::move(piece);
  while (bytes_ > room_.bytes_max && spots_.size() > 2) drop_first();
  return true;
}

std::optional<std::uint64_t> SharedFeed::find(const FeedPlace& place) const {
  const auto found = std::ranges::find(spots_, place, &Spot::place);
  if (found == spots_.end()) return std::nullopt;
  return first_ + static_cast<std::uint64_t>(found - spots_.begin());
}

// Whoever stands there falls out.
void SharedFeed::drop_first() {
  if (spots_.front().piece != nullptr) bytes_ -= spots_.front().piece->text.size();
  spots_.pop_front();
  ++first_;
}

// Gives the reading that nobody needs then.
std::unique_ptr<FeedReading> SharedFeed::drop_passed() {
  while (!spots_.empty() && spots_.front().listeners == 0) drop_first();
  return spots_.empty() ? std::move(reading_) : nullptr;
}

std::size_t SharedFeed::kept_bytes() const {
  const Lock lock(mutex_);
  return bytes_;
}

}  // namespace netml::admin
