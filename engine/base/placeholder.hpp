// Texts that stand where somebody meant to write something later: "None", "N/A", "?".
//
// Thread: any (pure function).
#pragma once

#include <string_view>

namespace netml::engine {

// Whatever its case, without the blanks around it.
bool is_placeholder(std::string_view text);

}  // namespace netml::engine
