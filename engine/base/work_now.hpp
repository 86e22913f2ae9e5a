// How far a long piece of work is, for whoever waits for it: so much of so much.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace netml {

enum class WorkUnit : std::uint8_t { bytes, files, transactions, sources };

struct WorkNow {
  std::string part = {};  // what of the work the figures are of; empty: all of it
  WorkUnit unit = WorkUnit::bytes;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  bool operator==(const WorkNow&) const = default;
};

// Called by the thread that works, often. Empty: nobody wants to know.
using ReportWork = std::function<void(const WorkNow&)>;

}  // namespace netml
