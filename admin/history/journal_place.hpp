// Places in the journal as others name them, to go on from there (docs/following.md).
#pragma once

#include <optional>
#include <string_view>

#include "wal/history/journal_reader.hpp"

namespace netml::admin {

// Nothing where the head is no place of this history, as after a restore.
Result<std::optional<wal::Head>> find_place(wal::JournalReader& reader, const wal::Head& wanted);

// Of a head, "LSN:hash", or an LSN alone, which stands for the head that the journal has there.
// Errc::invalid_input, about `field`, for a text that can be none.
Result<std::optional<wal::Head>> find_place(wal::JournalReader& reader, std::string_view field,
                                            std::string_view text);

}  // namespace netml::admin
