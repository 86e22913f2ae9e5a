// The effects in a payload as they stand there, for people to read: no state is needed, and none
// can be made from them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "wal/history/journal_reader.hpp"

namespace netml::wal {

// Errc::corruption. `wanted` leaves out the changes of other records, whose values are not looked
// at; all are wanted if it is empty.
Result<JournalEffects> read_effects(std::span<const std::byte> payload,
                                    const std::function<bool(RecordId)>& wanted = {});

// Adds what the payload changes. Errc::corruption.
Status count_records(std::span<const std::byte> payload, CountsByKind& counts);

}  // namespace netml::wal
