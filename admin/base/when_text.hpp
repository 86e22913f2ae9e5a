// How a point in time is named (docs/audit.md): in helps, and where a name is none.
#pragma once

namespace netml::admin::cli {

inline constexpr const char* kWhenForms =
    "an LSN, a time like 2024-03-01T12:00:00Z, a day like 2024-03-01, import:NUMBER, the name of a "
    "published item, or latest";

}  // namespace netml::admin::cli
