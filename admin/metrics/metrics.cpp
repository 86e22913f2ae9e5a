#include "admin/metrics/metrics.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace netml::admin {

namespace {

std::vector<std::string_view> sorted(std::vector<std::string_view> names) {
  std::ranges::sort(names);
  return names;
}

}  // namespace

std::size_t route_of(std::string_view path) {
  // The names of the endpoints in earlier programs.
  if (path.starts_with("/grenml_export/")) return 0;
  if (path.starts_with("/grenml_import/")) return 2;
  const auto fits = [&](std::string_view beginning) { return path.starts_with(beginning); };
  const auto found = std::find_if(kRoutes.begin(), kRoutes.end() - 1, fits);
  return static_cast<std::size_t>(found - kRoutes.begin());
}

std::size_t status_of(int status) {
  constexpr std::size_t kLeft = kStatuses.size() - 1;
  constexpr std::size_t kOther = kLeft - 1;
  if (status == 0) return kLeft;
  std::array<char, 12> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), status).ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  const auto found = std::find(kStatuses.begin(), kStatuses.begin() + kOther, text);
  return static_cast<std::size_t>(found - kStatuses.begin());
}

Metrics::Metrics(std::vector<std::string_view> limits)
    : limits_(sorted(std::move(limits))), refused_(std::make_unique<Counter[]>(limits_.size())) {}

void Metrics::refused(std::string_view limit) {
  const auto found = std::ranges::lower_bound(limits_, limit);
  if (found == limits_.end() || *found != limit) return;
  refused_[static_cast<std::size_t>(found - limits_.begin())].add();
}

}  // namespace netml::admin
