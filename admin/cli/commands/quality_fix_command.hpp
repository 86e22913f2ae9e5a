// netml quality fix: what mends the findings of a check (docs/quality.md, "Fixes").
#pragma once

#include <CLI/CLI.hpp>

#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

// A command of the group.
void define_quality_fix(Grammar& grammar, CLI::App& group);

}  // namespace netml::admin::cli
