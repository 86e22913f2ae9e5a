#include "admin/history/change_reading.hpp"

#include <boost/json.hpp>

namespace netml::admin {

namespace json = boost::json;

Result<std::unique_ptr<ChangeReading>> ChangeReading::open(Node& node, const wal::Head& after) {
  NETML_TRY(wal::JournalReader reader, node.journal());
  return std::make_unique<ChangeReading>(std::move(reader), node.version().state, after);
}

Result<bool> ChangeReading::begin() {
  while (!entry_) {
    if (place_.lsn >= reader_.head()) return false;
    NETML_TRY(entry_, reader_.entry(place_.lsn.next()));
    if (!entry_->committed) end();
  }
  frame_ = 0;
  transaction_ = entry_json(*entry_);
  return true;
}

Result<std::optional<std::vector<json::object>>> ChangeReading::changes() {
  NETML_TRY(const auto effects, reader_.effects_of_frame(entry_->lsn, frame_++));
  if (!effects) {
    end();
    return std::optional<std::vector<json::object>>();
  }
  for (const wal::RecordEffect& effect : effects->records) names_.learn(effect);
  std::vector<json::object> changes;
  for (const wal::RecordEffect& effect : effects->records)
    changes.push_back(effect_json(effect, names_));
  return changes;
}

void ChangeReading::end() {
  place_ = {entry_->lsn, entry_->chain};
  entry_.reset();
}

}  // namespace netml::admin
