#include "admin/history/feed_reading.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <utility>

namespace netml::admin {

namespace json = boost::json;

void write_event(FeedForm form, FeedEvent event, std::string& text) {
  if (form == FeedForm::server_sent_events) {
    if (!event.place.empty()) text += fmt::format("id: {}\n", event.place);
    text += fmt::format("event: {}\ndata: {}\n\n", event.type, json::serialize(event.data));
    return;
  }
  json::object line{{"type", event.type}};
  for (auto& [key, value] : event.data) line[key] = std::move(value);
  text += json::serialize(line) + '\n';
}

Result<std::string> FeedReading::next() {
  std::string text;
  while (text.size() < kPieceBytes) {
    if (events_.empty()) {
      NETML_TRY(const bool more, read());
      if (!more) break;
      continue;
    }
    write_event(form_, std::move(events_.front().event), text);
    place_ = std::move(events_.front().end);
    events_.pop_front();
  }
  return text;
}

// The beginning of a transaction, its next frame, or its end. False: nothing is left.
Result<bool> FeedReading::read() {
  if (!inside_) return begin();
  NETML_TRY_VOID(read_frame());
  return true;
}

// A reading ends at the head that the journal had when it began; there may be another by now.
Result<bool> FeedReading::begin() {
  if (reading_ == nullptr) {
    if (place_.after.lsn >= node_.version().state->lsn) return false;
    NETML_TRY(reading_, ChangeReading::open(node_, place_.after));
    next_ = place_;
  } else {
    next_ = {};
  }
  NETML_TRY(inside_, reading_->begin());
  next_.after = reading_->place();
  if (inside_) {
    given_ = std::exchange(next_.changes, next_.changes_before);
    reading_->skip_frames(next_.frame);
    return true;
  }
  const bool is_further = next_.after.lsn > place_.after.lsn;
  place_ = {next_.after};
  reading_.reset();
  return is_further;
}

Status FeedReading::read_frame() {
  NETML_TRY(auto changes, reading_->changes());
  if (!changes) {
    inside_ = false;
    json::object data = of_transaction();
    for (const char* count : {"created", "updated", "deleted", "head"})
      data[count] = reading_->transaction().at(count);
    events_.push_back(
        {{"transaction", std::move(data), to_string(reading_->place())}, {reading_->place()}});
    return {};
  }
  for (json::object& change : *changes) {
    if (++next_.changes <= given_) continue;
    json::object data = of_transaction();
    data["change"] = next_.changes;
    for (auto& [key, value] : change) data[key] = std::move(value);
    events_.push_back({{"change", std::move(data)}, next_});
  }
  ++next_.frame;
  next_.changes_before = next_.changes;
  return {};
}

json::object FeedReading::of_transaction() const {
  json::object data;
  for (const char* field : {"lsn", "time", "cause", "actor_kind"})
    data[field] = reading_->transaction().at(field);
  return data;
}

}  // namespace netml::admin
