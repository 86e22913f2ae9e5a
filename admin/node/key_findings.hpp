// What is wrong with the keys in the data directory, for people to read.
//
// Thread: any (pure functions, but for reading the files).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "admin/node/key_file.hpp"
#include "engine/catalog/catalog.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

// Those that are there and cannot be used.
std::vector<std::string> damaged_keys(wal::Storage& data);
// Those that can be used and fit nothing that was made with them: a key of an earlier version that
// is damaged, or the key of another node.
std::vector<std::string> misfit_keys(wal::Storage& data, const engine::Catalog& catalog);

// What tokens and accounts keep sealed, and whether a key opens any of it.
struct SealedTexts {
  std::size_t count = 0;
  bool opened = false;
};
SealedTexts try_sealed_texts(const SecretKey& key, const engine::Catalog& catalog);

}  // namespace netml::admin
