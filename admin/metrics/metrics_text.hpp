// The text of metrics, for whoever scrapes them (docs/monitoring/README.md): families one after the
// other, each with its samples, in the OpenMetrics format or the older one of Prometheus.
//
// Thread: one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "admin/metrics/counter.hpp"
#include "admin/metrics/families.hpp"

namespace netml::admin {

enum class MetricsFormat : std::uint8_t { open_metrics, prometheus };
std::string_view media_type(MetricsFormat format);

struct MetricLabel {
  std::string_view name;
  std::string_view value;  // UTF-8
};
using MetricLabels = std::initializer_list<MetricLabel>;

class MetricsText {
 public:
  explicit MetricsText(MetricsFormat format);

  // All samples until the next call are of this family; once for each.
  void begin(const Family& family);
  // A family of whole numbers may have them beyond 2^53.
  void sample(std::uint64_t value) { sample({}, value); }
  void sample(MetricLabels labels, std::uint64_t value);
  void sample(MetricLabels labels, double value);
  void sample(MetricLabels labels, const Histogram& histogram);

  // With what says that this is all.
  std::string take() &&;

 private:
  void name(std::string_view suffix, MetricLabels labels, MetricLabel last = {});
  void number(double value);

  const MetricsFormat format_;
  const Family* family_ = nullptr;
  std::string text_;
};

}  // namespace netml::admin
