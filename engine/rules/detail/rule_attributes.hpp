// What rules make of the fields and properties of a record (docs/requirements/collation-rules.md,
// sections 3.1 to 3.3). A result is null when nothing changes.
#pragma once

#include <optional>
#include <string_view>

#include "engine/graph/record.hpp"

namespace netml::engine {

// Without the properties of this name (compared in lower case), or of this name and value.
AttributesPtr without_property(const Attributes& record, std::string_view name,
                               std::optional<std::string_view> value);

// `target` with what it lacks taken from `source`.
AttributesPtr merged(const Attributes& target, const Attributes& source);

}  // namespace netml::engine
