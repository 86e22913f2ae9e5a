#include "engine/transaction/field_change.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <optional>

#include "engine/base/sha256.hpp"

namespace netml::engine {

namespace {

FieldValue text_value(std::string_view text) {
  if (text.empty()) return {};
  return std::string(text);
}

// "-63.57": all decimals that count.
std::string micro_text(Micro micro) {
  constexpr std::int64_t kUnit = 1'000'000;
  std::string text = fmt::format("{}{}.{:06}", micro.value < 0 ? "-" : "",
                                 std::abs(micro.value / kUnit), std::abs(micro.value % kUnit));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

FieldValue value_of(bool flag) {
  return text_value(flag ? "true" : "");
}
FieldValue value_of(std::string_view text) {
  return text_value(text);
}
FieldValue value_of(const std::optional<Instant>& instant) {
  if (!instant) return {};
  return format_instant(*instant);
}
FieldValue value_of(const std::optional<Coordinates>& coordinates) {
  if (!coordinates) return {};
  return fmt::format("{}, {}", micro_text(coordinates->latitude),
                     micro_text(coordinates->longitude));
}
FieldValue value_of(const std::optional<Micro>& micro) {
  if (!micro) return {};
  return micro_text(*micro);
}
FieldValue value_of(std::span<const Property> properties) {
  if (properties.empty()) return {};
  std::vector<std::string> texts;
  texts.reserve(properties.size());
  for (const Property& property : properties)
    texts.push_back(fmt::format("{}={}", property.name, property.value));
  return texts;
}

}  // namespace

const char* field_name(Kind kind, Field field) {
  if (kind == Kind::topology && field == Field::topologies) return "parent";
  if (kind == Kind::topology && field == Field::owners) return "owner";
  const char* name = nullptr;
  for_each_attribute([&](const auto& attribute) {
    if (attribute.field == field) name = attribute.name;
  });
  if (name != nullptr) return name;
  constexpr std::array kLists{"properties", "topologies", "owners", "ends", "origin"};
  return kLists[static_cast<std::size_t>(field) - static_cast<std::size_t>(Field::properties)];
}

FieldValue attribute_value(const AttributeFields& fields, Field field) {
  if (field == Field::properties) return value_of(fields.properties);
  std::optional<FieldValue> value;
  for_each_attribute([&](const auto& attribute) {
    if (attribute.field == field) value = value_of(fields.*attribute.member);
  });
  NETML_ASSERT(value && "an association is no attribute");
  return *std::move(value);
}

// ---- catalog entries ----

namespace {

// Gathers the fields of one comparison.
template <class T>
class Comparison {
 public:
  Comparison(const T* before, const T* after) : before_(before), after_(after) {}

  // `value(entry)` gives a FieldValue.
  template <class Value>
  Comparison& field(const char* name, Value&& value) {
    FieldValue before = before_ == nullptr ? FieldValue() : value(*before_);
    FieldValue after = after_ == nullptr ? FieldValue() : value(*after_);
    if (before != after) changes_.push_back({name, std::move(before), std::move(after), false});
    return *this;
  }
  Comparison& text(const char* name, std::string T::* member) {
    return field(name, [member](const T& entry) { return text_value(entry.*member); });
  }
  template <class Number>
  Comparison& number(const char* name, Number T::* member) {
    return field(name,
                 [member](const T& entry) { return FieldValue(fmt::to_string(entry.*member)); });
  }
  Comparison& flag(const char* name, bool T::* member) {
    return field(name,
                 [member](const T& entry) { return text_value(entry.*member ? "true" : "false"); });
  }
  Comparison& instant(const char* name, Instant T::* member) {
    return field(name, [member](const T& entry) { return value_of(std::optional(entry.*member)); });
  }
  Comparison& instant(const char* name, std::optional<Instant> T::* member) {
    return field(name, [member](const T& entry) { return value_of(std::optional(entry.*member)); });
  }
  Comparison& limit(const char* name, std::optional<std::uint32_t> T::* member) {
    return field(name, [member](const T& entry) {
      return entry.*member ? FieldValue(fmt::to_string(*(entry.*member))) : FieldValue();
    });
  }
  // That it changed, and no more.
  template <class Value>
  Comparison& secret(const char* name, Value T::* member) {
    const Value none{};
    const Value& before = before_ == nullptr ? none : before_->*member;
    const Value& after = after_ == nullptr ? none : after_->*member;
    if (before != after) changes_.push_back({name, {}, {}, true});
    return *this;
  }
  std::vector<EntryFieldChange> finish() { return std::move(changes_); }

 private:
  const T* before_;
  const T* after_;
  std::vector<EntryFieldChange> changes_;
};

const char* token_kind_name(TokenKind kind) {
  switch (kind) {
    case TokenKind::polling:
      return "polling";
    case TokenKind::import:
      return "import";
    case TokenKind::none:
      return "none";
  }
  return "";
}

const char* published_status_name(PublishedStatus status) {
  switch (status) {
    case PublishedStatus::pending:
      return "pending";
    case PublishedStatus::success:
      return "success";
    case PublishedStatus::failed:
      return "failed";
  }
  return "";
}

FieldValue rule_parts_value(const std::vector<RulePart>& parts) {
  if (parts.empty()) return {};
  std::vector<std::string> texts;
  for (const RulePart& part : parts) {
    std::string text = part.type;
    for (const RuleInfo& info : part.infos)
      text += fmt::format("{}{}={}", text.size() == part.type.size() ? ": " : ", ", info.key,
                          info.value);
    texts.push_back(std::move(text));
  }
  return texts;
}

FieldValue counts_value(const ImportRecord& record) {
  std::vector<std::string> texts;
  for (const Kind kind : kKinds) {
    const ImportCounts& counts = record.counts[static_cast<std::size_t>(kind)];
    if (counts == ImportCounts()) continue;
    texts.push_back(
        fmt::format("{}: {} parsed, {} imported", kind_name(kind), counts.parsed, counts.imported));
  }
  if (texts.empty()) return {};
  return texts;
}

}  // namespace

std::vector<EntryFieldChange> compare_entries(const Token* before, const Token* after) {
  return Comparison(before, after)
      .text("name", &Token::client_name)
      .field("kind", [](const Token& token) { return text_value(token_kind_name(token.kind)); })
      .instant("created", &Token::created)
      .secret("value", &Token::mac)
      .number("shown", &Token::shown)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const Setting* before, const Setting* after) {
  return Comparison(before, after)
      .text("name", &Setting::name)
      .text("value", &Setting::value)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const ImportRecord* before,
                                              const ImportRecord* after) {
  return Comparison(before, after)
      .field("status",
             [](const ImportRecord& record) {
               return text_value(import_status_phrase(record.status));
             })
      .text("name", &ImportRecord::name)
      .text("token", &ImportRecord::token_client_name)
      .text("topology_name", &ImportRecord::topology_name)
      .instant("imported_at", &ImportRecord::imported_at)
      .field("file",
             [](const ImportRecord& record) {
               return text_value(record.file_hash == Sha256() ? "" : to_hex(record.file_hash));
             })
      .number("file_bytes", &ImportRecord::file_bytes)
      .field("counts", counts_value)
      .text("message", &ImportRecord::message)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const PublishedItem* before,
                                              const PublishedItem* after) {
  return Comparison(before, after)
      .text("name", &PublishedItem::name)
      .text("description", &PublishedItem::description)
      .field(
          "status",
          [](const PublishedItem& item) { return text_value(published_status_name(item.status)); })
      .text("version", &PublishedItem::version)
      .instant("file_date", &PublishedItem::file_date)
      .field("lsn",
             [](const PublishedItem& item) { return FieldValue(fmt::to_string(item.lsn.value)); })
      .text("failure", &PublishedItem::failure)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const Account* before, const Account* after) {
  return Comparison(before, after)
      .text("name", &Account::name)
      .text("email", &Account::email)
      .field("role", [](const Account& account) { return text_value(role_name(account.role)); })
      .flag("enabled", &Account::enabled)
      .instant("created", &Account::created)
      .secret("password", &Account::sealed_password)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const Ruleset* before, const Ruleset* after) {
  return Comparison(before, after)
      .text("name", &Ruleset::name)
      .flag("enabled", &Ruleset::enabled)
      .number("priority", &Ruleset::priority)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const Rule* before, const Rule* after) {
  return Comparison(before, after)
      .number("ruleset", &Rule::ruleset)
      .text("name", &Rule::name)
      .flag("enabled", &Rule::enabled)
      .number("priority", &Rule::priority)
      .field("criteria", [](const Rule& rule) { return rule_parts_value(rule.criteria); })
      .field("actions", [](const Rule& rule) { return rule_parts_value(rule.actions); })
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const KeptPlan* before, const KeptPlan* after) {
  return Comparison(before, after)
      .text("name", &KeptPlan::name)
      .text("token", &KeptPlan::token_client_name)
      .text("topology_name", &KeptPlan::topology_name)
      .field("file", [](const KeptPlan& plan) { return FieldValue(to_hex(plan.file_hash)); })
      .number("file_bytes", &KeptPlan::file_bytes)
      .instant("planned_at", &KeptPlan::planned_at)
      .field("lsn", [](const KeptPlan& plan) { return FieldValue(fmt::to_string(plan.lsn.value)); })
      .number("created", &KeptPlan::created)
      .number("updated", &KeptPlan::updated)
      .number("deleted", &KeptPlan::deleted)
      .text("held_because", &KeptPlan::held_because)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const PollingSource* before,
                                              const PollingSource* after) {
  return Comparison(before, after)
      .text("name", &PollingSource::name)
      .field("protocol",
             [](const PollingSource& source) {
               return text_value(source.protocol == Protocol::https ? "https" : "http");
             })
      .text("hostname", &PollingSource::hostname)
      .number("port", &PollingSource::port)
      .text("path", &PollingSource::path)
      .flag("active", &PollingSource::active)
      .flag("plain_http", &PollingSource::plain_http)
      .flag("unverified", &PollingSource::unverified)
      .text("ca_certificates", &PollingSource::ca_certificates)
      .instant("created", &PollingSource::created)
      .limit("deletions_max", &PollingSource::deletions_max)
      .limit("deletion_percent_max", &PollingSource::deletion_percent_max)
      .field(
          "authority",
          [](const PollingSource& source) { return text_value(authority_name(source.authority)); })
      .field("listed_topologies",
             [](const PollingSource& source) {
               return source.listed_topologies.empty() ? FieldValue()
                                                       : FieldValue(source.listed_topologies);
             })
      .secret("token", &PollingSource::sealed_token)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const PollBatch* before, const PollBatch* after) {
  return Comparison(before, after)
      .flag("scheduled", &PollBatch::scheduled)
      .instant("started", &PollBatch::started)
      .flag("finished", &PollBatch::finished)
      .number("milliseconds", &PollBatch::milliseconds)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const PollRecord* before, const PollRecord* after) {
  return Comparison(before, after)
      .number("batch", &PollRecord::batch)
      .number("source", &PollRecord::source)
      .field("status",
             [](const PollRecord& record) {
               return FieldValue(fmt::to_string(static_cast<int>(record.status)));
             })
      .text("reason", &PollRecord::reason)
      .number("http_status", &PollRecord::http_status)
      .text("message", &PollRecord::message)
      .number("import_record", &PollRecord::import_record)
      .instant("polled_at", &PollRecord::polled_at)
      .number("poll_milliseconds", &PollRecord::poll_milliseconds)
      .instant("imported_at", &PollRecord::imported_at)
      .number("import_milliseconds", &PollRecord::import_milliseconds)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const PeerState* before, const PeerState* after) {
  return Comparison(before, after)
      .text("url", &PeerState::url)
      .flag("by_alias", &PeerState::by_alias)
      .text("etag", &PeerState::etag)
      .field("file_hash",
             [](const PeerState& peer) {
               return peer.file_hash == Sha256{} ? FieldValue()
                                                 : FieldValue(to_hex(peer.file_hash));
             })
      .field("root",
             [](const PeerState& peer) { return FieldValue(fmt::to_string(peer.root.value)); })
      .field("parent",
             [](const PeerState& peer) { return FieldValue(fmt::to_string(peer.parent.value)); })
      .number("failures", &PeerState::failures)
      .instant("succeeded_at", &PeerState::succeeded_at)
      .instant("failed_at", &PeerState::failed_at)
      .instant("waits_until", &PeerState::waits_until)
      .field("topologies",
             [](const PeerState& peer) {
               if (!peer.topologies) return FieldValue();
               std::vector<std::string> numbers;
               numbers.reserve(peer.topologies->size());
               for (const RecordId topology : *peer.topologies)
                 numbers.push_back(fmt::to_string(topology.value));
               return FieldValue(std::move(numbers));
             })
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const WebSession* before, const WebSession* after) {
  return Comparison(before, after)
      .number("account", &WebSession::account)
      .instant("created", &WebSession::created)
      .field("ended",
             [](const WebSession& session) {
               if (session.ended == Instant()) return FieldValue();
               return FieldValue(format_instant(session.ended));
             })
      .text("address", &WebSession::address)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const AllowedOrigin* before,
                                              const AllowedOrigin* after) {
  return Comparison(before, after)
      .text("name", &AllowedOrigin::name)
      .text("origin", &AllowedOrigin::origin)
      .flag("active", &AllowedOrigin::active)
      .finish();
}

std::vector<EntryFieldChange> compare_entries(const ExternalIdentity* before,
                                              const ExternalIdentity* after) {
  return Comparison(before, after)
      .text("eppn", &ExternalIdentity::eppn)
      .text("email", &ExternalIdentity::email)
      .text("display_name", &ExternalIdentity::display_name)
      .text("first_name", &ExternalIdentity::given_name)
      .text("last_name", &ExternalIdentity::family_name)
      .number("account", &ExternalIdentity::account)
      .finish();
}

}  // namespace netml::engine
