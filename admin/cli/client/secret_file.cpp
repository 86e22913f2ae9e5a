#include "admin/cli/client/secret_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>

#include "admin/cli/client/files.hpp"

namespace netml::admin::cli {

namespace {

Result<std::string> secret_in_file(const std::string& path) {
  constexpr std::size_t kSecretBytesMax = 1024;
  std::ifstream file(path, std::ios::binary);
  std::string text(kSecretBytesMax + 3, '\0');  // with the longest end of a line, and one
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad())
    return fail(Errc::io_error, fmt::format("cannot read {}: {}", path, error_text(errno)));
  text.resize(static_cast<std::size_t>(file.gcount()));
  text.resize(std::min(text.size(), text.find('\n')));
  if (text.ends_with('\r')) text.pop_back();
  if (text.empty() || text.size() > kSecretBytesMax)
    return fail(Errc::invalid_input, fmt::format("{}: the first line is {}", path,
                                                 text.empty() ? "empty" : "too long for a secret"));
  return text;
}

}  // namespace

Result<std::optional<std::string>> given_secret(const SecretOptions& from,
                                                const Environment& environment) {
  if (!from.stdin_line && !from.file) return std::nullopt;
  const bool typed = from.stdin_line || *from.file == kStandardStream;
  NETML_TRY(std::string secret, typed ? environment.in_line() : secret_in_file(*from.file));
  return secret;
}

}  // namespace netml::admin::cli
