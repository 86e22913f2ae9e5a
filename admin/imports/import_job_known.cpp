// The short way of an import: its file is one that is kept already, and what it does is known. What
// it leaves is what the long way leaves; where it cannot be gone to its end, it leaves nothing.
#include "admin/imports/detail/import_file.hpp"
#include "admin/imports/import_job.hpp"
#include "engine/base/guarded.hpp"

namespace netml::admin {

// Where records have changed it must be read anyhow, best while it arrives. What is declared counts
// what is around the file, too; it may be less for one that comes compressed.
std::shared_ptr<const KnownUpload> ImportJob::likely_file() const {
  constexpr std::uint64_t kAround = 64 << 10;
  if (known_ == nullptr) return nullptr;
  auto known = known_->find(request_);
  if (known == nullptr || known->contents != node_.contents()) return nullptr;
  return request_.file_bytes <= known->file.bytes + kAround ? known : nullptr;
}

// The same with a plan that was made without the document. Where that is not possible on the newest
// state, nothing has happened yet.
std::optional<ImportOutcome> ImportJob::commit_known(const AlsoChange& also) {
  const SpooledFile* const file = known_ == nullptr ? nullptr : file_->kept_unread();
  if (file == nullptr) return std::nullopt;
  const auto known = likely_ != nullptr ? likely_ : known_->find(request_);
  if (known == nullptr || known->file.hash != file->hash ||
      known->topology_name != request_.topology_name || known->owner != request_.owner ||
      known->parameters != codecs::parameters_in(request_.format) ||
      known->contents != node_.contents())
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

Result<engine::ImportPlan> ImportJob::plan_known(const engine::State& state,
                                                 const KnownUpload& known) const {
  constexpr const char* kMustBeRead = "the file must be read";  // nobody sees it
  if (known.contents != node_.contents()) return fail(Errc::conflict, kMustBeRead);
  tell(ImportStep::planning, 0, known.plan->records());
  NETML_TRY(const engine::ImportOptions options, options_on(state, known.plan->outline));
  auto plan = engine::plan_known_file(state, *known.plan, options);
  if (!plan) return fail(Errc::conflict, kMustBeRead);
  return *std::move(plan);
}

}  // namespace netml::admin
