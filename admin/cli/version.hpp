// What this program is: for `netml --version` and the node's status.
// Thread: any (pure functions).
#pragma once

#include <string>

namespace netml::admin::cli {

// Of data directories: from which on it reads them, and which it makes. A backup has the format of
// the directory that it is of, and is restored to one, so these are those of backups as well.
struct DiskFormats {
  int oldest = 1;
  int newest = 1;
};

std::string version_text(DiskFormats formats);
std::string version_json(DiskFormats formats);

}  // namespace netml::admin::cli
