#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "admin/node/detail/node_impl.hpp"
#include "admin/node/node.hpp"
#include "engine/base/sha256.hpp"
#include "wal/checkpoint/named_files.hpp"
#include "wal/format/data_directory.hpp"
#include "wal/format/format.hpp"

namespace netml::admin {

namespace {

// Longer than any import takes from its file to its record.
constexpr std::chrono::hours kUploadsFresh{24};

}  // namespace

std::shared_ptr<const int> Node::Impl::hold_uploads() {
  const std::lock_guard held(uploads);
  return uploads_read;
}

int Node::stored_file_level() const {
  const bool known = impl_->status().format >= wal::format::kVersion4;
  return known ? impl_->store_options.stored_file_level : 0;
}

Status Node::keep_upload(const SpooledFile& file) {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  spare_upload(file.hash);
  if (!impl_->absent.contains(file.hash))
    return wal::keep_upload(impl_->data, file.name, file.hash, file.how);
  // The manifest says so, too, and it is the writer's.
  return impl_->writer
      ->run([&](wal::Store& store) { return store.keep_upload(file.name, file.hash, file.how); })
      .get();
}

void Node::spare_upload(const Sha256& hash) {
  const std::lock_guard lock(impl_->uploads);
  impl_->fresh_uploads[hash] = impl_->clock.steady();
}

Result<std::size_t> Node::forget_uploads() {
  NETML_TRY_VOID(impl_->check_changes_allowed());
  const std::lock_guard lock(impl_->uploads);
  if (impl_->uploads_read.use_count() > 1) return std::size_t{0};
  const auto old = impl_->clock.steady() - kUploadsFresh;
  if (impl_->opened_at > old) return std::size_t{0};  // what became fresh before is not known here
  std::erase_if(impl_->fresh_uploads, [&](const auto& entry) { return entry.second < old; });
  std::set<std::string> wanted;
  for (const auto& [hash, when] : impl_->fresh_uploads) wanted.insert(to_hex(hash));
  for (const auto& [hash, file] : wal::named_files(version().state->catalog))
    wanted.insert(to_hex(hash));
  return wal::remove_uploads(impl_->data,
                             [&](const std::string& name) { return wanted.contains(name); });
}

Result<std::unique_ptr<wal::File>> Node::open_upload(const Sha256& hash) {
  auto file = wal::open_upload(impl_->data, hash);
  if (file || file.error().code != Errc::not_found) return file;
  NETML_TRY(const wal::Manifest known, manifest());
  if (const wal::AbsentFile* absent = wal::find_absent(known, hash))
    return fail(Errc::not_found,
                fmt::format("the stored upload {} is {}", to_hex(hash), absence_text(absent->why)));
  return fail(Errc::corruption,
              fmt::format("the stored upload is missing: uploads/{}", to_hex(hash)));
}

}  // namespace netml::admin
