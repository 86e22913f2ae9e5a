// The short ways of an import: its file is one that is kept already, and what it does is known; or
// it says what changed since one of which that is known. What they leave is what the long way
// leaves; where one cannot be gone to its end, it leaves nothing.
#include <algorithm>

#include "admin/imports/detail/import_file.hpp"
#include "admin/imports/import_job.hpp"
#include "engine/base/guarded.hpp"
#include "engine/base/sha256.hpp"

namespace netml::admin {

namespace {
constexpr const char* kMustBeRead = "the file must be read";  // nobody sees it
constexpr std::uint64_t kElementsOfRecord = 20;               // of XML, of one that says much
}  // namespace

// Where records have changed it must be read anyhow, best while it arrives. What is declared counts
// what is around the file, too; it may be less for one that comes compressed.
std::shared_ptr<const KnownUpload> ImportJob::likely_file() const {
  constexpr std::uint64_t kAround = 64 << 10;
  if (known_ == nullptr) return nullptr;
  auto known = known_->find(request_);
  if (known == nullptr || known->is_changes || !known_->holds(*known, node_.contents()))
    return nullptr;
  return request_.file_bytes <= known->file.bytes + kAround ? known : nullptr;
}

// The same with a plan that was made without the document. Where that is not possible on the newest
// state, nothing has happened yet.
std::optional<ImportOutcome> ImportJob::commit_known(const AlsoChange& also) {
  const SpooledFile* const file = known_ == nullptr ? nullptr : file_->kept_unread();
  if (file == nullptr) return std::nullopt;
  const auto known = likely_ != nullptr ? likely_ : known_->find(request_);
  if (known == nullptr || known->is_changes || known->file.hash != file->hash ||
      !is_of_request(*known))
    return std::nullopt;
  bool must_be_read = false;
  const PlanOn plan_on = [&](const engine::State& state) {
    auto planned = guarded([&] { return plan_known(state, *known); });
    must_be_read = !planned;
    return planned;
  };
  Result<ImportResult> tried = try_commit(*file, plan_on, also);
  if (must_be_read) return std::nullopt;
  if (tried) known_->note(request_, *known);  // it may have come from elsewhere before
  return concluded(*file, std::move(tried), also);
}

// Whether it was read as this one would be, and what it left is there.
bool ImportJob::is_of_request(const KnownUpload& known) const {
  return known.topology_name == request_.topology_name && known.owner == request_.owner &&
         known.parameters == codecs::parameters_in(request_.format) &&
         known_->holds(known, node_.contents());
}

Result<engine::ImportPlan> ImportJob::plan_known(const engine::State& state,
                                                 const KnownUpload& known) const {
  if (!known_->holds(known, node_.contents())) return fail(Errc::conflict, kMustBeRead);
  tell(ImportStep::planning, 0, known.plan->records());
  NETML_TRY(const engine::ImportOptions options, options_on(state, known.plan->outline));
  auto plan = engine::plan_known_file(state, *known.plan, options);
  if (!plan) return fail(Errc::conflict, kMustBeRead);
  return *std::move(plan);
}

std::optional<ImportOutcome> ImportJob::commit_changes(const engine::FileChanges& changes,
                                                       std::vector<std::string> changes_of,
                                                       const AlsoChange& also) {
  const auto began = node_.clock().steady();
  changes_of_ = std::move(changes_of);
  std::optional<ImportOutcome> outcome = commit_changes_now(changes, also);
  if (outcome) {
    note_end(*outcome, began);
  } else {
    changes_of_.clear();
    held_.reset();
  }
  return outcome;
}

// What is held for an administrator is held with its whole file.
std::optional<ImportOutcome> ImportJob::commit_changes_now(const engine::FileChanges& changes,
                                                           const AlsoChange& also) {
  const auto known = known_ == nullptr ? nullptr : known_->find(request_);
  if (known == nullptr || to_hex(known->file.hash) != changes_of_.back() || !is_of_request(*known))
    return std::nullopt;
  if (!can_be_kept_so(changes, *known)) return std::nullopt;
  const Result<SpooledFile> file = store();
  if (!file) return tl::unexpected(ImportFailure{.error = file.error()});
  bool must_be_read = false;
  const PlanOn plan_on = [&](const engine::State& state) -> Result<engine::ImportPlan> {
    auto planned = guarded([&] { return plan_changed(state, *known, changes); });
    must_be_read = !planned;
    return planned;
  };
  Result<ImportResult> tried = try_commit(*file, plan_on, also);
  if (must_be_read || held_) return std::nullopt;
  return concluded(*file, std::move(tried), also);
}

// The files that it changes are there, and what they make is within the limits.
bool ImportJob::can_be_kept_so(const engine::FileChanges& changes, const KnownUpload& known) const {
  std::uint64_t records = known.plan->records();
  for (const std::uint64_t added : changes.added) records += added;
  if (records > node_.file_limits().xml.elements / kElementsOfRecord) return false;
  return std::ranges::all_of(changes_of_, [this](const std::string& piece) {
    const auto hash = parse_sha256(piece);
    if (!hash) return false;
    node_.spare_upload(*hash);  // no record may name it any more
    return node_.open_upload(*hash).has_value();
  });
}

Result<engine::ImportPlan> ImportJob::plan_changed(const engine::State& state,
                                                   const KnownUpload& known,
                                                   const engine::FileChanges& changes) const {
  if (!known_->holds(known, node_.contents())) return fail(Errc::conflict, kMustBeRead);
  tell(ImportStep::planning, 0, changes.document.elements.size());
  NETML_TRY(const engine::ImportOptions options, options_on(state, known.plan->outline));
  auto plan = engine::plan_changed_file(state, *known.plan, changes, options);
  if (!plan) return fail(Errc::conflict, kMustBeRead);
  return *std::move(plan);
}

}  // namespace netml::admin
