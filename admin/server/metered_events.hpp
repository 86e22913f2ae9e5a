// What a server tells goes into the metrics, and on to the log.
//
// Owner: whoever wires the server; both outlive it. Thread: any.
#pragma once

#include "admin/metrics/metrics.hpp"
#include "net/server/server_events.hpp"

namespace netml::admin {

class MeteredEvents : public net::ServerEvents {
 public:
  MeteredEvents(Metrics& metrics, net::ServerEvents& next) : metrics_(metrics), next_(next) {}

  void answered(const net::AccessRecord& record) override;
  void event(const net::EventRecord& record) override;

 private:
  Metrics& metrics_;
  net::ServerEvents& next_;
};

// With the names of all limits, which a refusal may name.
Metrics metrics_of_the_process();

}  // namespace netml::admin
