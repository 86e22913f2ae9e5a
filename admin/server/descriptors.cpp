#include "admin/server/descriptors.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>

namespace netml::admin {

namespace {
// The journal, a checkpoint, the manifest, and the directories they lie in.
constexpr std::uint64_t kReservedDescriptors = 32;
// Workers that look into the journal and at stored files, polls, a backup.
constexpr std::uint64_t kDescriptorsOfWork = 128;
// A file in `tmp/` and its directory.
constexpr std::uint64_t kDescriptorsOfAnUpload = 2;
// The socket, and the file that is sent.
constexpr std::uint64_t kDescriptorsOfAConnection = 2;
constexpr std::uint64_t kFewConnections = 16;
}  // namespace

std::uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  rlimit raised = limit;
  raised.rlim_cur = raised.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur;
}

std::uint64_t open_descriptors() {
  std::uint64_t count = 0;
  std::error_code error;  // no such directory: none are known
  for (std::filesystem::directory_iterator each("/proc/self/fd", error), end; !error && each != end;
       each.increment(error))
    ++count;
  return count;
}

net::Limits within_descriptors(net::Limits limits, const DescriptorUse& use) {
  const std::uint64_t others = use.open + kReservedDescriptors + kDescriptorsOfWork +
                               kDescriptorsOfAnUpload * use.uploads_at_once_max;
  const std::uint64_t left = use.limit - std::min(use.limit, others);
  const std::uint64_t most = std::max(left / kDescriptorsOfAConnection, kFewConnections);
  if (limits.connections_max <= most) return limits;
  const net::Limits standard;
  limits.connections_max = most;
  limits.connections_per_address_max = std::min<std::size_t>(
      limits.connections_per_address_max,
      std::max<std::uint64_t>(
          most * standard.connections_per_address_max / standard.connections_max, kFewConnections));
  return limits;
}

}  // namespace netml::admin
