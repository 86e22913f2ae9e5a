// The files that were imported last, and what the same ones do when they come again
// (docs/decisions/011-known-files.md): one for each origin, in memory, a cache of the budget.
// Nothing here decides: whoever uses it proves that the file and all records are the same.
//
// Owner: the intake, shared with the imports that it began. Thread: any.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "admin/base/cache.hpp"
#include "admin/imports/import_request.hpp"
#include "engine/import/known_file.hpp"

namespace netml::admin {

struct KnownUpload {
  SpooledFile file;                  // as it is kept; `name` is empty
  std::string topology_name;         // that the sender gave to its root
  std::string owner;                 // that the sender named
  std::string parameters;            // of the format (codecs/formats/read_as.hpp)
  std::uint64_t contents = 0;        // Node::contents() after it
  std::vector<RecordId> topologies;  // its own, and those on which its outcome depends
  bool is_changes = false;           // the file is what changed since others
  std::shared_ptr<const engine::KnownFile> plan;
};

class KnownFiles {
 public:
  // `counted` as of CacheBounds.
  explicit KnownFiles(MemoryBudget& memory, CacheCounts* counted = nullptr);

  // The last one of the same way in, source or token, and file name. For the command line, which
  // may see everything, else the last one of all in the same format. Null: none is known.
  std::shared_ptr<const KnownUpload> find(const ImportRequest& request);
  // Instead of the one before it. Where there is no memory for it, nothing is noted.
  void note(const ImportRequest& request, KnownUpload upload);
  void forget(const ImportRequest& request);

  // An import, after which Node::contents() was that, changed records of these topologies alone.
  void note_alone(std::uint64_t contents, std::vector<RecordId> topologies);
  // Whether the records are as the upload left them, where `contents` is that of now.
  bool holds(const KnownUpload& upload, std::uint64_t contents) const;

 private:
  static constexpr std::size_t kImportsKept = 4096;

  Cache<std::string, KnownUpload> uploads_;
  mutable std::mutex mutex_;
  // Of the imports that changed records of some topologies alone; guarded by mutex_.
  std::map<std::uint64_t, std::vector<RecordId>> alone_;
};

}  // namespace netml::admin
