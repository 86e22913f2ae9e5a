// The bytes of a file in memory, read-only, at one address until the last owner goes: also when the
// file is closed or unlinked meanwhile.
//
// Where the system maps the file, a page is read when it is first touched. One that cannot be read
// then, or that was cut off, ends the process (mapping_fault.hpp): whoever wants an error instead
// reads the file first. Thread: any.
#pragma once

#include <cstddef>
#include <span>

namespace netml::wal {

class Mapping {
 public:
  virtual ~Mapping() = default;
  virtual std::span<const std::byte> bytes() const = 0;
};

}  // namespace netml::wal
