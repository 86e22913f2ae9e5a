#include "engine/quality/deliveries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "engine/base/duration_text.hpp"

namespace netml::engine {

namespace {

// Fewer records are no jump: of a small map, one is a large share.
constexpr std::uint64_t kJumpCountMin = 10;
// Times the usual share, and above it. The second is what counts where nothing is usual.
constexpr double kJumpTimes = 3;
constexpr double kJumpAbove = 0.1;
// Of a share that is just as large, whatever sums and products of others leave in the last bits.
constexpr double kRounding = 1e-9;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

template <class Count>
std::optional<ComparedShare> compared(const std::vector<DeliveredImport>& imports, Count count_of) {
  if (imports.empty()) return std::nullopt;
  const std::uint64_t count = count_of(imports.front());
  ComparedShare compared{.newest = imports.front().share(count)};
  const std::span before = std::span(imports).subspan(1);
  if (before.size() < kEarlierImportsMin) return compared;
  std::vector<double> shares;
  for (const DeliveredImport& each : before.first(std::min(before.size(), kEarlierImportsMax)))
    shares.push_back(each.share(count_of(each)));
  const double usual = median(std::move(shares));
  compared.usual = usual;
  const double least = std::max(usual * kJumpTimes, usual + kJumpAbove) - kRounding;
  compared.jumped = count >= kJumpCountMin && compared.newest >= least;
  return compared;
}

std::string percent(double share) {
  return fmt::format("{:.1f}%", share * 100);
}

std::string overdue_text(const Deliveries& deliveries) {
  return fmt::format("its newest success is {} old, {} more than the {} that its schedule allows",
                     duration_text(*deliveries.age),
                     duration_text(*deliveries.age - *deliveries.allowed),
                     duration_text(*deliveries.allowed));
}

}  // namespace

double DeliveredImport::share(std::uint64_t count) const {
  if (count == 0) return 0;
  const std::uint64_t elements = std::max<std::uint64_t>(parsed + deleted, 1);
  return std::min(1.0, static_cast<double>(count) / static_cast<double>(elements));
}

std::optional<ComparedShare> compared_changes(const Deliveries& deliveries) {
  return compared(deliveries.imports, [](const DeliveredImport& each) { return each.changes(); });
}

std::optional<ComparedShare> compared_rule_hits(const Deliveries& deliveries) {
  return compared(deliveries.imports, [](const DeliveredImport& each) { return each.rule_hits; });
}

std::vector<DeliveryFinding> findings_of(const Deliveries& deliveries) {
  std::vector<DeliveryFinding> findings;
  // Points for each of `times`.
  const auto add = [&](DeliveryCheck check, std::int64_t times, std::string text) {
    const DeliveryCheckDescription& of = kDeliveryChecks[static_cast<std::size_t>(check)];
    const double lost = static_cast<double>(of.points) * static_cast<double>(times);
    findings.push_back({check, std::min<double>(of.points_max, lost), std::move(text)});
  };
  const auto& [age, allowed, imports, rules, polls, failures] = deliveries;
  if (age && allowed && *age > *allowed)
    add(DeliveryCheck::overdue, *age / std::max(*allowed, std::chrono::seconds(1)),
        overdue_text(deliveries));
  if (const auto changes = compared_changes(deliveries); changes && changes->jumped)
    add(DeliveryCheck::changes_jump, 1,
        fmt::format("its newest import changed {} of its elements; {} is usual",
                    percent(changes->newest), percent(*changes->usual)));
  if (const auto hits = compared_rule_hits(deliveries); hits && hits->jumped)
    add(DeliveryCheck::rule_hits_jump, 1,
        fmt::format("rules changed {} of the elements of its newest import; {} is usual",
                    percent(hits->newest), percent(*hits->usual)));
  return findings;
}

}  // namespace netml::engine
