// What holds for many commands, explained once: `netml help TOPIC`, and the manual page of the
// program.
//
// Thread: any (pure functions).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace netml::admin::cli {

struct HelpTopic {
  std::string_view name;   // "exit-codes"
  std::string_view title;  // "How commands end"
  std::string text;        // lines; indented ones are tables
};

std::vector<HelpTopic> help_topics();

}  // namespace netml::admin::cli
