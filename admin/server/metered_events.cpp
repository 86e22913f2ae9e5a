#include "admin/server/metered_events.hpp"

#include <vector>

#include "admin/base/limits.hpp"
#include "admin/server/life_signs.hpp"

namespace netml::admin {

void MeteredEvents::answered(const net::AccessRecord& record) {
  if (is_left_out(record)) return;
  metrics_.answered(record.path, record.status, record.duration);
  metrics_.received_bytes.add(record.bytes_received);
  metrics_.sent_bytes.add(record.bytes_sent);
  if (!record.limit.empty()) metrics_.refused(record.limit);
  next_.answered(record);
}

void MeteredEvents::event(const net::EventRecord& record) {
  if (record.what == net::ServerEvent::connection_refused) metrics_.refused(record.detail);
  next_.event(record);
}

Metrics metrics_of_the_process() {
  std::vector<std::string_view> names;
  const auto definitions = cli::limit_definitions();
  names.reserve(definitions.size());
  for (const cli::LimitDefinition& definition : definitions) names.push_back(definition.name);
  return Metrics(std::move(names));
}

}  // namespace netml::admin
