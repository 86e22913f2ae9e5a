// The files that were imported last, and what the same ones do when they come again
// (docs/decisions/011-known-files.md): one for each origin, in memory, a cache of the budget.
// Nothing here decides: whoever uses it proves that the file and all records are the same.
//
// Owner: the intake, shared with the imports that it began. Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "admin/base/cache.hpp"
#include "admin/imports/import_request.hpp"
#include "engine/import/known_file.hpp"

namespace netml::admin {

struct KnownUpload {
  SpooledFile file;            // as it is kept; `name` is empty
  std::string topology_name;   // that the sender gave to its root
  std::string owner;           // that the sender named
  std::string parameters;      // of the format (codecs/formats/read_as.hpp)
  std::uint64_t contents = 0;  // Node::contents() after it
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

 private:
  Cache<std::string, KnownUpload> uploads_;
};

}  // namespace netml::admin
