#include "admin/access/throttle_file.hpp"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "admin/node/checked_text.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin {

namespace {

constexpr std::string_view kThrottleFile = "sign-in-throttle";
constexpr std::string_view kThrottleHead = "netml-sign-in-throttle 1 ";
constexpr std::uint64_t kThrottleBytesMax = 128 << 10;
constexpr std::size_t kKeyDigits = 32;

std::optional<ThrottleFile::Account> parse_account(std::string_view line) {
  const std::string_view key = take_until(line, ' ');
  const auto count = parse_integer<std::uint64_t>(take_until(line, ' '));
  const auto age = parse_integer<std::int64_t>(line);
  if (key.size() != kKeyDigits || !count || !age || *age < 0) return std::nullopt;
  return ThrottleFile::Account{std::string(key), *count, std::chrono::seconds(*age)};
}

// Nothing unless it is exactly what store_throttle() writes.
std::optional<ThrottleFile> parse_throttle(std::string_view text) {
  std::string_view head = take_until(text, '\n');
  if (!head.starts_with(kThrottleHead)) return std::nullopt;
  head.remove_prefix(kThrottleHead.size());
  const auto written = parse_integer<std::int64_t>(head);
  if (!written) return std::nullopt;
  ThrottleFile file{*written, {}};
  while (!text.empty()) {
    auto account = parse_account(take_until(text, '\n'));
    if (!account || file.accounts.size() == ThrottleFile::kAccountsMax) return std::nullopt;
    file.accounts.push_back(*std::move(account));
  }
  return file;
}

}  // namespace

Status store_throttle(const std::string& data_directory, const ThrottleFile& file) {
  std::string text = fmt::format("{}{}\n", kThrottleHead, file.written);
  for (const ThrottleFile::Account& account : file.accounts)
    fmt::format_to(std::back_inserter(text), "{} {} {}\n", account.key, account.count,
                   account.age.count());
  return store_checked_text(data_directory, kThrottleFile, std::move(text));
}

Result<ThrottleFile> load_throttle(const std::string& data_directory) {
  const auto text = load_checked_text(data_directory, kThrottleFile, kThrottleBytesMax);
  if (!text && text.error().code == Errc::not_found) return tl::unexpected(text.error());
  std::optional<ThrottleFile> file;
  if (text) file = parse_throttle(*text);
  if (file) return *std::move(file);
  const Error why = text ? damaged_text(data_directory, kThrottleFile) : text.error();
  return fail(
      Errc::corruption,
      fmt::format("{}, so failed sign-ins before the last start are not counted", why.message));
}

std::vector<std::string> throttle_findings(const std::string& data_directory) {
  const auto file = load_throttle(data_directory);
  if (file || file.error().code == Errc::not_found) return {};
  return {file.error().message};
}

}  // namespace netml::admin
