#include "admin/webhooks/detail/webhook_places.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <utility>

#include "admin/node/checked_text.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin {

namespace {

constexpr std::string_view kPlacesFile = "webhook-places";
constexpr std::string_view kPlacesHead = "netml-webhook-places 1\n";
constexpr std::uint64_t kPlacesBytesMax = 1 << 20;
constexpr std::string_view kResetTold = "-";
constexpr std::string_view kResetNew = "new";
constexpr std::size_t kResetDigits = 16;

std::string reset_text(const WebhookPlace& place) {
  if (!place.reset) return std::string(kResetTold);
  if (!place.reset_digits) return std::string(kResetNew);
  return fmt::format("{:0{}x}", *place.reset_digits, kResetDigits);
}

bool parse_reset(std::string_view text, WebhookPlace& place) {
  place.reset = text != kResetTold;
  if (!place.reset || text == kResetNew) return true;
  if (text.size() == kResetDigits) place.reset_digits = parse_integer<std::uint64_t>(text, 16);
  return place.reset_digits.has_value();
}

std::optional<WebhookPlaces::value_type> parse_place(std::string_view line) {
  const auto number = parse_integer<std::uint64_t>(take_until(line, ' '));
  const auto head = wal::parse_head(take_until(line, ' '));
  WebhookPlace place;
  const bool has_reset = parse_reset(take_until(line, ' '), place);
  const auto paused = parse_integer<std::uint8_t>(line);
  if (!number || !head || !has_reset || !paused) return std::nullopt;
  place.after = *head;
  place.paused = *paused != 0;
  return WebhookPlaces::value_type{*number, place};
}

// Nothing unless it is exactly what store_webhook_places() writes.
std::optional<WebhookPlaces> parse_places(std::string_view text) {
  if (!text.starts_with(kPlacesHead)) return std::nullopt;
  text.remove_prefix(kPlacesHead.size());
  WebhookPlaces places;
  while (!text.empty()) {
    auto place = parse_place(take_until(text, '\n'));
    if (!place) return std::nullopt;
    places.insert(*std::move(place));
  }
  return places;
}

}  // namespace

Status store_webhook_places(const std::string& data_directory, const WebhookPlaces& places) {
  std::string text(kPlacesHead);
  for (const auto& [number, place] : places)
    fmt::format_to(std::back_inserter(text), "{} {} {} {:d}\n", number, to_string(place.after),
                   reset_text(place), place.paused);
  return store_checked_text(data_directory, kPlacesFile, std::move(text));
}

Result<WebhookPlaces> load_webhook_places(const std::string& data_directory) {
  const auto text = load_checked_text(data_directory, kPlacesFile, kPlacesBytesMax);
  if (!text && text.error().code == Errc::not_found) return WebhookPlaces();
  if (!text && text.error().code != Errc::corruption)
    return fail(text.error().code,
                fmt::format("{}; webhooks wait until it can be read", text.error().message));
  std::optional<WebhookPlaces> places;
  if (text) places = parse_places(*text);
  if (places) return *std::move(places);
  const Error why = text ? damaged_text(data_directory, kPlacesFile) : text.error();
  return fail(Errc::corruption,
              fmt::format("{}, so each webhook hears that what it knows is void", why.message));
}

}  // namespace netml::admin
