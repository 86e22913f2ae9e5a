// A data directory of its own that ends at an LSN: the journal's own bytes up to there, so with the
// same chain of hashes, a checkpoint of the state there, and the states and files that it names.
// Of files that were removed since, because nothing names them any more, the manifest says so.
//
// Thread: any (`parallel` is used by the call alone). The source is only read.
#pragma once

#include "engine/base/parallel.hpp"
#include "engine/base/time.hpp"
#include "engine/base/work_now.hpp"
#include "engine/catalog/catalog.hpp"
#include "wal/journal/journal_view.hpp"
#include "wal/storage/storage.hpp"

namespace netml::wal {

// `into` is empty; it is a data directory when this succeeds, with the head that is returned, and
// none when it fails: the manifest comes last. `latest` is the source's catalog at the head of
// `view`: a stored file that it still names, and that the source has no longer, is missing in the
// copy as well. Errc::not_found as for state_at(); Errc::corruption. Reported are the parts
// "state", as by state_at(), "journal" and "stored files".
Result<Head> copy_until(Storage& data, const JournalView& view, Lsn lsn,
                        const engine::Catalog& latest, Storage& into, WallTime now,
                        Parallel& parallel, const ReportWork& report = {});

}  // namespace netml::wal
