#include "admin/imports/rules_rehearsal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <optional>
#include <utility>

#include "admin/answers/record_text.hpp"
#include "admin/base/effect_memory.hpp"
#include "admin/history/audit_json.hpp"
#include "admin/imports/import_job.hpp"
#include "admin/settings/rule_json.hpp"
#include "admin/settings/rules.hpp"
#include "engine/base/guarded.hpp"
#include "engine/rehearsal/rules_rehearsal.hpp"

namespace netml::admin {

namespace json = boost::json;
using engine::RulesRehearsal;
using wal::ReplayedTransaction;

namespace {

constexpr std::size_t kExamples = 10;           // of an import
constexpr std::size_t kExamplesAtTheEnd = 100;  // of the whole
constexpr std::uint64_t kToldAfter = 100;       // transactions without an import

// What became of an import.
enum class Outcome : std::uint8_t { planned, refused, carried_over };
constexpr std::array<std::string_view, 3> kOutcomeNames{"planned", "refused", "carried_over"};

// The record of the import that the transaction is; null when it is none.
const engine::EntryChange<engine::ImportRecord>* import_in(const engine::Transaction& transaction) {
  const engine::Cause cause = transaction.provenance.cause;
  if (cause != engine::Cause::import && cause != engine::Cause::poll) return nullptr;
  const auto done = [](const engine::EntryChange<engine::ImportRecord>& change) {
    return change.after != nullptr && (change.after->status == engine::ImportStatus::complete ||
                                       change.after->status == engine::ImportStatus::warnings);
  };
  const auto found = std::ranges::find_if(transaction.imports, done);
  return found == transaction.imports.end() ? nullptr : &*found;
}

void set_difference(json::object& object, const engine::Difference& difference,
                    std::size_t examples) {
  set_counts(object, difference);
  json::array first;
  for (std::size_t i = 0; i < std::min(examples, difference.size()); ++i)
    first.push_back(difference_json(difference.at(i)));
  object["examples"] = std::move(first);
}

// Walks along the history, and tells what it finds as documents.
class RehearsedHistory {
 public:
  RehearsedHistory(Node& node, wal::PastState start, Lsn head, wal::NextTransaction next,
                   RulesRehearsal rehearsal, MemoryReservation memory, json::object first)
      : node_(node),
        from_(start.head.lsn),
        head_(head),
        now_(std::move(start.state)),
        next_(std::move(next)),
        rehearsal_(std::move(rehearsal)),
        memory_(std::move(memory)),
        first_(std::move(first)) {
    set_difference(first_, rehearsal_.difference_after_step(now_->graph), kExamples);
  }

  Result<std::optional<json::object>> document() {
    if (!first_.empty()) return std::exchange(first_, {});
    if (ended_) return std::nullopt;
    for (std::uint64_t done = 0; done < kToldAfter; ++done) {
      NETML_TRY(const std::optional<ReplayedTransaction> step, next_());
      if (!step) return end();
      now_ = step->after;
      if (const auto* import = import_in(step->transaction)) return imported(*step, *import);
      NETML_TRY_VOID(rehearsal_.carry_over({step->transaction, *step->before, *step->after}));
    }
    return json::object{
        {"progress",
         {{"done", now_->lsn.value - from_.value}, {"total", head_.value - from_.value}}}};
  }

 private:
  struct Planned {
    Outcome outcome = Outcome::planned;
    std::string reason;  // why it was not planned
  };

  // An error ends the rehearsal.
  Result<json::object> imported(const ReplayedTransaction& step,
                                const engine::EntryChange<engine::ImportRecord>& import) {
    NETML_TRY(const Planned planned, plan_again(step, *import.after));
    ++imports_[static_cast<std::size_t>(planned.outcome)];
    json::object shown{
        {"lsn", step.after->lsn.value},
        {"time", web::time_text(step.transaction.provenance.wall_time.instant())},
        {"number", import.number},
        {"name", import.after->name},
        {"outcome", kOutcomeNames[static_cast<std::size_t>(planned.outcome)]},
        {"reason", planned.reason.empty() ? json::value() : json::value(planned.reason)}};
    set_difference(shown, rehearsal_.difference_after_step(step.after->graph), kExamples);
    return json::object{{"import", std::move(shown)}};
  }

  Result<Planned> plan_again(const ReplayedTransaction& step, const engine::ImportRecord& record) {
    const RulesRehearsal::Happened happened{step.transaction, *step.before, *step.after};
    const auto refused = [&](std::string reason) {
      rehearsal_.refuse(happened);
      return Planned{Outcome::refused, std::move(reason)};
    };
    const auto parent = rehearsal_.counterpart(step.before->graph, record.parent_topology);
    if (!parent) return refused("the topology that it went below would not have been there");
    auto file = read(record, *parent, step.transaction.provenance.wall_time.instant());
    if (!file) {
      const Errc code = file.error().code;
      if (code == Errc::unavailable || code == Errc::too_large) return tl::unexpected(file.error());
      // What was done with a file can be taken over without it, and what it says cannot be known.
      NETML_TRY_VOID(rehearsal_.carry_over(happened));
      return Planned{Outcome::carried_over, file.error().text()};
    }
    const engine::State base = rehearsal_.base(*step.before);
    engine::InputErrors misfits;  // the error names the first
    auto plan = guarded([&] { return file->job->plan(base, file->content, misfits); });
    if (!plan && is_refusal(plan.error().code)) return refused(plan.error().text());
    if (!plan) return tl::unexpected(std::move(plan).error());
    NETML_TRY_VOID(reserve_effects(node_.memory(), effects_, plan->transaction));
    NETML_TRY_VOID(rehearsal_.import(happened, plan->transaction));
    effects_.release();
    return Planned{};
  }

  static bool is_refusal(Errc code) {
    return code == Errc::conflict || code == Errc::invalid_input || code == Errc::not_found;
  }

  struct ReadFile {
    std::unique_ptr<ImportJob> job;
    FileContent content;
  };
  Result<ReadFile> read(const engine::ImportRecord& record, RecordId parent, Instant time) {
    NETML_TRY(auto job, ImportJob::once_more(node_, record, parent, time));
    auto content = job->read();
    if (!content) return tl::unexpected(std::move(content.error().error));
    return ReadFile{std::move(job), std::move(*content)};
  }

  std::optional<json::object> end() {
    ended_ = true;
    const engine::Difference difference(now_->graph, rehearsal_.graph());
    json::object imports;
    for (std::size_t i = 0; i < imports_.size(); ++i) imports[kOutcomeNames[i]] = imports_[i];
    json::object shown{{"lsn", now_->lsn.value},
                       {"imports", std::move(imports)},
                       {"left_out", rehearsal_.left_out()},
                       {"counts", counts_json(difference)}};
    set_difference(shown, difference, kExamplesAtTheEnd);
    return json::object{{"end", std::move(shown)}};
  }

  Node& node_;
  const Lsn from_;
  const Lsn head_;
  engine::StatePtr now_;  // of the history
  wal::NextTransaction next_;
  RulesRehearsal rehearsal_;
  MemoryReservation memory_;   // of its graph
  MemoryReservation effects_;  // of the import that is planned
  json::object first_;
  bool ended_ = false;
  std::array<std::uint64_t, kOutcomeNames.size()> imports_{};
};

}  // namespace

tl::expected<std::unique_ptr<net::BodySource>, codecs::RulesRefused> rehearse_rules(
    Node& node, Audit& audit, Slots& at_once, std::string_view rules, std::string_view since) {
  auto place = at_once.take();
  if (!place)
    return fail(Errc::unavailable,
                fmt::format("{} rehearsals are under way; try again later", at_once.max()));
  const engine::StatePtr now = node.version().state;
  NETML_TRY(Rules::Stored stored, Rules::stored_on(*now, rules));
  NETML_TRY(MemoryReservation memory, node.memory().reserve(MemoryUse::past, node.map_bytes()));
  NETML_TRY(wal::PastState start, audit.state_before(since));
  NETML_TRY(wal::NextTransaction next, node.transactions_after(start));
  NETML_TRY(RulesRehearsal rehearsal,
            guarded([&] { return RulesRehearsal::begin(*start.state, stored.state.catalog); }));
  json::object first = imported_file_json(stored.imported);
  first["from"] = start.head.lsn.value;
  first["to"] = now->lsn.value;
  const auto history =
      std::make_shared<RehearsedHistory>(node, std::move(start), now->lsn, std::move(next),
                                         std::move(rehearsal), std::move(memory), std::move(first));
  return document_stream([history, place = std::move(place)] { return history->document(); },
                         DocumentPieces::single);
}

}  // namespace netml::admin
