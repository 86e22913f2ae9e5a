#include "admin/metrics/metrics_text.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "engine/base/result.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kUsualBytes = 16 << 10;

void add_label(std::string& text, const MetricLabel& label) {
  text += text.ends_with('{') ? "" : ",";
  text.append(label.name).append("=\"");
  for (const char c : label.value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  text += '"';
}

// 1 as "1.0": bounds are written as numbers with a point.
std::string bound_text(double bound) {
  std::string text = fmt::format("{}", bound);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string_view type_name(FamilyType type) {
  switch (type) {
    case FamilyType::counter:
      return "counter";
    case FamilyType::gauge:
      return "gauge";
    case FamilyType::histogram:
      return "histogram";
  }
  return "unknown";
}

}  // namespace

std::string_view media_type(MetricsFormat format) {
  return format == MetricsFormat::open_metrics
             ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
             : "text/plain; version=0.0.4; charset=utf-8";
}

MetricsText::MetricsText(MetricsFormat format) : format_(format) {
  text_.reserve(kUsualBytes);
}

// In the older format a family of counters is called what its samples are, and units are comments.
void MetricsText::begin(const Family& family) {
  family_ = &family;
  const bool total = family.type == FamilyType::counter && format_ == MetricsFormat::prometheus;
  const std::string name = fmt::format("{}{}", family.name, total ? "_total" : "");
  auto out = std::back_inserter(text_);
  fmt::format_to(out, "# TYPE {} {}\n", name, type_name(family.type));
  if (!family.unit.empty()) fmt::format_to(out, "# UNIT {} {}\n", name, family.unit);
  fmt::format_to(out, "# HELP {} {}\n", name, family.help);
}

void MetricsText::name(std::string_view suffix, MetricLabels labels, MetricLabel last) {
  NETML_ASSERT(family_ != nullptr);
  text_.append(family_->name).append(suffix);
  if (labels.size() > 0 || !last.name.empty()) {
    text_ += '{';
    for (const MetricLabel& label : labels) add_label(text_, label);
    if (!last.name.empty()) add_label(text_, last);
    text_ += '}';
  }
  text_ += ' ';
}

void MetricsText::number(double value) {
  fmt::format_to(std::back_inserter(text_), "{}\n", value);
}

void MetricsText::sample(MetricLabels labels, std::uint64_t value) {
  name(family_->type == FamilyType::counter ? "_total" : "", labels);
  fmt::format_to(std::back_inserter(text_), "{}\n", value);
}

void MetricsText::sample(MetricLabels labels, double value) {
  name(family_->type == FamilyType::counter ? "_total" : "", labels);
  number(value);
}

void MetricsText::sample(MetricLabels labels, const Histogram& histogram) {
  const Scale& scale = histogram.scale();
  const Histogram::Reading reading = histogram.read();
  for (std::size_t i = 0; i < scale.count; ++i) {
    const std::string bound = bound_text(static_cast<double>(scale.bounds[i]) / scale.unit);
    name("_bucket", labels, {"le", bound});
    fmt::format_to(std::back_inserter(text_), "{}\n", reading.up_to[i]);
  }
  const std::uint64_t all = reading.up_to[scale.count];
  name("_bucket", labels, {"le", "+Inf"});
  fmt::format_to(std::back_inserter(text_), "{}\n", all);
  name("_sum", labels);
  number(static_cast<double>(reading.sum) / scale.unit);
  name("_count", labels);
  fmt::format_to(std::back_inserter(text_), "{}\n", all);
}

std::string MetricsText::take() && {
  text_ += "# EOF\n";
  return std::move(text_);
}

}  // namespace netml::admin
