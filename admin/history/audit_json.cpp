#include "admin/history/audit_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "admin/answers/json_answers.hpp"
#include "admin/settings/settings.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/sha256.hpp"

namespace netml::admin {

namespace json = boost::json;
using engine::FieldValue;

namespace {

class DocumentStream : public net::BodySource {
 public:
  DocumentStream(NextDocument next, DocumentPieces pieces)
      : next_(std::move(next)), piece_bytes_(pieces == DocumentPieces::large ? kLargePiece : 1) {}

  Result<std::string_view> next() override {
    buffer_.clear();
    while (!done_ && buffer_.size() < piece_bytes_) {
      const Result<std::optional<json::object>> document = guarded([&] { return next_(); });
      done_ = !document || !*document;
      if (!document)
        add({{"error", error_json(document.error(), {})}});
      else if (*document)
        add(**document);
    }
    return std::string_view(buffer_);
  }

 private:
  static constexpr std::size_t kLargePiece = 64 << 10;

  void add(const json::object& document) {
    buffer_ += json::serialize(document);
    buffer_ += '\n';
  }

  NextDocument next_;
  const std::size_t piece_bytes_;
  bool done_ = false;
  std::string buffer_;
};

constexpr std::array kActionNames{"created", "updated", "deleted"};

// A text, a list of texts, or null; records by what they are called.
class ValueJson {
 public:
  explicit ValueJson(RecordNames* names) : names_(names) {}
  json::value operator()(std::monostate) const { return nullptr; }
  json::value operator()(const std::string& text) const { return json::value(text); }
  json::value operator()(const std::vector<std::string>& texts) const {
    return json::value_from(texts);
  }
  json::value operator()(const std::vector<RecordId>& records) const {
    json::array array;
    for (const RecordId record : records) array.emplace_back(names_->name(record));
    return array;
  }

 private:
  RecordNames* names_;
};

json::array fields_json(Kind kind, const std::vector<engine::FieldChange>& changes,
                        RecordNames* names) {
  const ValueJson value(names);
  json::array fields;
  for (const engine::FieldChange& change : changes)
    fields.push_back(json::object{{"field", engine::field_name(kind, change.field)},
                                  {"before", std::visit(value, change.before)},
                                  {"after", std::visit(value, change.after)}});
  return fields;
}

// With a fraction where there is one: dates that were given have none.
std::string time_text(WallTime time) {
  constexpr std::int64_t kSecond = 1'000'000;
  const std::int64_t fraction = ((time.microseconds % kSecond) + kSecond) % kSecond;
  std::string text = format_instant(time.instant());
  if (fraction != 0) text.insert(text.size() - 6, fmt::format(".{:06}", fraction));
  return text;
}

}  // namespace

const char* actor_kind_name(engine::ActorKind kind) {
  constexpr std::array kNames{"system", "command_line", "token", "account", "schedule"};
  const auto index = static_cast<std::size_t>(kind);
  return index < kNames.size() ? kNames[index] : "";
}

std::unique_ptr<net::BodySource> document_stream(NextDocument next, DocumentPieces pieces) {
  return std::make_unique<DocumentStream>(std::move(next), pieces);
}

net::Response document_answer(std::unique_ptr<net::BodySource> documents) {
  net::Response response;
  response.headers.set("Content-Type", "application/x-ndjson");
  response.body = net::StreamBody{std::move(documents), std::nullopt};
  return response;
}

void RecordNames::learn(const wal::RecordEffect& effect) {
  if (now_->graph.contains(effect.id)) return;  // which name() looks at first
  for (const engine::FieldChange& change : effect.fields) {
    if (change.field != engine::Field::id) continue;
    const auto* text = std::get_if<std::string>(&change.after);
    if (text == nullptr) text = std::get_if<std::string>(&change.before);
    if (text != nullptr) known_[effect.id] = *text;
  }
}

std::string RecordNames::name(RecordId record) {
  if (now_->graph.contains(record)) return std::string(now_->graph.attributes(record).id());
  if (const auto found = known_.find(record); found != known_.end()) return found->second;
  const auto identity = reader_.identity(record, reader_.head());
  const bool named = identity && *identity;
  return known_[record] = named ? (*identity)->identifier : fmt::format("record {}", record.value);
}

json::object entry_json(const wal::HistoryEntry& entry) {
  if (!entry.committed)
    return {{"lsn", entry.lsn.value}, {"committed", false}, {"reason", entry.abort_reason}};
  const engine::Provenance& who = entry.provenance;
  return {{"lsn", entry.lsn.value},
          {"committed", true},
          {"time", time_text(who.wall_time)},
          {"effective_time", time_text(who.effective_time)},
          {"actor_kind", actor_kind_name(who.actor_kind)},
          {"actor", who.actor},
          {"cause", engine::cause_name(who.cause)},
          {"source", who.source},
          {"file_hash", who.file_hash ? json::value(to_hex(*who.file_hash)) : nullptr},
          {"request_id", who.request_id},
          {"batch", who.batch},
          {"created", entry.counts.created},
          {"updated", entry.counts.updated},
          {"deleted", entry.counts.deleted},
          {"head", to_string(wal::Head{entry.lsn, entry.chain})}};
}

json::object effect_json(const wal::RecordEffect& effect, RecordNames& names) {
  return {{"record", effect.id.value},
          {"kind", kind_name(effect.kind)},
          {"id", names.name(effect.id)},
          {"action", action_name(effect.action)},
          {"fields", fields_json(effect.kind, effect.fields, &names)}};
}

namespace {
// Of the name of a setting, which may be stored under a former one.
FieldValue as_called_now(FieldValue name) {
  if (auto* text = std::get_if<std::string>(&name)) *text = setting_name(*text);
  return name;
}
}  // namespace

json::object effect_json(const wal::EntryEffect& effect) {
  const ValueJson value(nullptr);
  const bool of_setting = effect.entry == std::string_view("setting");
  json::array fields;
  for (const engine::EntryFieldChange& change : effect.fields) {
    json::object field{{"field", change.field}};
    if (change.secret) {
      field["secret"] = true;
    } else {
      const bool names_setting = of_setting && change.field == "name";
      field["before"] =
          std::visit(value, names_setting ? as_called_now(change.before) : change.before);
      field["after"] =
          std::visit(value, names_setting ? as_called_now(change.after) : change.after);
    }
    fields.push_back(std::move(field));
  }
  return {{"entry", effect.entry},
          {"number", effect.number},
          {"action", action_name(effect.action)},
          {"fields", std::move(fields)}};
}

const char* action_name(wal::EffectAction action) {
  return kActionNames.at(static_cast<std::size_t>(action));
}

std::optional<wal::EffectAction> parse_action(std::string_view name) {
  const auto found = std::ranges::find(kActionNames, name);
  if (found == kActionNames.end()) return std::nullopt;
  return static_cast<wal::EffectAction>(found - kActionNames.begin());
}

wal::EffectAction action_between(RecordId before, RecordId after) {
  if (!before) return wal::EffectAction::created;
  return after ? wal::EffectAction::updated : wal::EffectAction::deleted;
}

json::object difference_json(const engine::ElementDifference& element) {
  return {{"kind", kind_name(element.kind)},
          {"id", element.identifier},
          {"name", element.name},
          {"action", action_name(action_between(element.before, element.after))},
          {"fields", fields_json(element.kind, element.fields, nullptr)}};
}

json::object counts_json(const engine::Difference& difference) {
  const auto one = [&](Kind kind) {
    const engine::ChangeCounts& counts = difference.counts(kind);
    return json::object{
        {"created", counts.created}, {"updated", counts.updated}, {"deleted", counts.deleted}};
  };
  return {{"topologies", one(Kind::topology)},
          {"institutions", one(Kind::institution)},
          {"nodes", one(Kind::node)},
          {"links", one(Kind::link)}};
}

void set_counts(json::object& object, const engine::Difference& difference) {
  const engine::ChangeCounts counts = difference.counts();
  object["created"] = counts.created;
  object["updated"] = counts.updated;
  object["deleted"] = counts.deleted;
}

std::unique_ptr<net::BodySource> difference_stream(engine::Difference difference, json::object head,
                                                   std::shared_ptr<const void> held,
                                                   const Page& page) {
  struct Differences {
    std::shared_ptr<const void> held;
    engine::Difference difference;
    json::object head;
    std::size_t next;
    std::size_t end;
  };
  set_counts(head, difference);
  const std::size_t first = std::min(page.first, difference.size());
  const std::size_t end = first + std::min(page.count_max, difference.size() - first);
  auto shown = std::make_shared<Differences>(
      Differences{std::move(held), std::move(difference), std::move(head), first, end});
  return document_stream([shown]() -> Result<std::optional<json::object>> {
    if (!shown->head.empty()) return std::exchange(shown->head, {});
    if (shown->next == shown->end) return std::nullopt;
    return difference_json(shown->difference.at(shown->next++));
  });
}

}  // namespace netml::admin
