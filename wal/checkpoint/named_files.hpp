// The files that imports and plans name, and that lie in uploads/ under their hash.
//
// Thread: any (a pure function).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::wal {

struct NamedFile {
  std::string of;  // "import 3", "plan 1": the first that names it
  // An import that was done, or waits to be, or a plan names it. The file of an import that failed
  // may be gone.
  bool needed = false;
};

// All that the catalog names, by hash.
std::map<Sha256, NamedFile> named_files(const engine::Catalog& catalog);

// Those that the transaction names and its before-values do not, each once.
std::vector<Sha256> files_brought(const engine::Transaction& transaction);

}  // namespace netml::wal
