// How many descriptors, which is files and connections, the process may have open at once, and what
// that leaves for connections (rule E4): whoever connects must not take those that the journal and
// checkpoints need.
//
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>

#include "net/http/limits.hpp"

namespace netml::admin {

// Raises the limit of this process as far as the system lets it. What it is then.
std::uint64_t raise_descriptor_limit();
// Those that are open now, some of which another program may have left open.
std::uint64_t open_descriptors();

// What takes descriptors besides connections.
struct DescriptorUse {
  std::uint64_t limit = 0;
  std::uint64_t open = 0;  // before there is any connection
  std::size_t uploads_at_once_max = 0;
};

// The same with no more connections than there are descriptors for, and of one address the same
// part of them as by default; never fewer than a few.
net::Limits within_descriptors(net::Limits limits, const DescriptorUse& use);

}  // namespace netml::admin
