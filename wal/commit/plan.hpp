// A function from the state a transaction will be applied to, to that transaction. It may hold
// what can only be moved, such as a parsed document.
#pragma once

#include <memory>
#include <utility>

#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::wal {

class Plan {
 public:
  template <class Function>
    requires(!std::is_same_v<std::decay_t<Function>, Plan>)
  Plan(Function function) : held_(std::make_unique<Held<Function>>(std::move(function))) {}

  Result<engine::Transaction> operator()(const engine::State& base) { return held_->call(base); }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual Result<engine::Transaction> call(const engine::State& base) = 0;
  };
  template <class Function>
  struct Held final : Base {
    explicit Held(Function f) : function(std::move(f)) {}
    Result<engine::Transaction> call(const engine::State& base) override { return function(base); }
    Function function;
  };
  std::unique_ptr<Base> held_;
};

}  // namespace netml::wal
