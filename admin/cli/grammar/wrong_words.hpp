// What is wrong with words that nobody knows, said to somebody who mistyped one.
//
// Thread: any (pure functions).
#pragma once

#include <string>

namespace netml::admin::cli {

class Grammar;

// Of arguments that were parsed and refused with `error`: the unknown command or option, with what
// may have been meant, where there is one; else what the library says.
std::string problem_with_words(Grammar& grammar, const std::string& error);

// Of the name of an option in a config file: nothing where it may stand there.
std::string problem_with_name_in_file(Grammar& grammar, const std::string& name);

// "netml source add": the command as far as it was understood.
std::string understood_command(Grammar& grammar);

}  // namespace netml::admin::cli
