// The list of conflicts while an undo is planned.
#pragma once

#include <utility>

#include "engine/undo/plan_undo.hpp"

namespace netml::engine {

class UndoConflicts {
 public:
  void add(UndoConflict conflict) {
    ++count_;
    forced_ += conflict.forced ? 1 : 0;
    if (first_.size() < kUndoConflictsMax) first_.push_back(std::move(conflict));
  }
  void move_into(UndoPlan& plan) && {
    plan.conflicts = std::move(first_);
    plan.conflict_count = count_;
    plan.forced_count = forced_;
  }

 private:
  std::vector<UndoConflict> first_;
  std::uint64_t count_ = 0;
  std::uint64_t forced_ = 0;
};

}  // namespace netml::engine
