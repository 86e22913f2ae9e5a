// The file `sign-in-throttle` of the data directory: the failed sign-ins of each account, so that a
// restart does not forget them. It is no part of the data; without it counting begins anew.
//
//   netml-sign-in-throttle 1 WRITTEN    when, by the wall clock, in seconds since 1970
//   KEY COUNT AGE                       for each account: its name as an HMAC, in 32 hexadecimal
//                                       digits; failures; seconds between the last and WRITTEN
//   crc32c CHECKSUM                     of all bytes before this line, in 8 hexadecimal digits
//
// It is replaced as a whole with each failure, which is why few accounts are kept.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.hpp"

namespace netml::admin {

struct ThrottleFile {
  static constexpr std::size_t kAccountsMax = 1024;

  struct Account {
    std::string key;
    std::uint64_t count = 0;
    std::chrono::seconds age{};
    bool operator==(const Account&) const = default;
  };
  std::int64_t written = 0;
  std::vector<Account> accounts;
};

Status store_throttle(const std::string& data_directory, const ThrottleFile& file);
// Errc::not_found when there is none; Errc::corruption when it is not what was stored.
Result<ThrottleFile> load_throttle(const std::string& data_directory);

// What is wrong with the one that there is, for people to read; nothing changes.
std::vector<std::string> throttle_findings(const std::string& data_directory);

}  // namespace netml::admin
