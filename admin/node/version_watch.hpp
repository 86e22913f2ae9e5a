// Who looks at every change to the data of a node once it is done.
//
// Thread: any, several at once.
#pragma once

#include "engine/transaction/state.hpp"
#include "engine/transaction/transaction.hpp"

namespace netml::admin {

class VersionWatch {
 public:
  virtual ~VersionWatch() = default;
  // Whether it wants to look after this transaction. Called on the writer's thread.
  virtual bool concerns(const engine::Transaction& transaction) const = 0;
  // The newest version after such a change, which is durable whatever becomes of this.
  virtual void look(const engine::State& state) = 0;
};

}  // namespace netml::admin
