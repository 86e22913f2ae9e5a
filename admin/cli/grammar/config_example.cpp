#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "admin/base/limits.hpp"
#include "admin/cli/grammar/config_check.hpp"
#include "admin/cli/grammar/grammar.hpp"

namespace netml::admin::cli {

namespace {

constexpr std::string_view kHead =
    "# What netml reads with --config FILE or NETML_CONFIG=FILE; netml config check FILE says what "
    "is\n"
    "# wrong with it, netml config show what counts in the end. A flag wins over a variable of "
    "the\n"
    "# environment (NETML_<OPTION>), that over this file. Take away the # before an option to set "
    "it.\n"
    "# What is read again by a running server (SIGHUP, systemctl reload) says so.\n";

// Of options that have no default: something that they may be. A word is what an option has that is
// not named here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kSamples{{
    {"limit", R"(["upload_bytes_max=1073741824"])"},
    {"memory-max", R"("2G")"},
    {"tls-cert", R"("/etc/netml/chain.pem")"},
    {"tls-key", R"("/etc/netml/key.pem")"},
    {"metrics-listen", R"(["127.0.0.1:9090"])"},
    {"allowed-hosts", R"(["map.example.org"])"},
    {"poll-allow", R"(["10.0.0.0/8"])"},
    {"trusted-proxy", R"(["127.0.0.1"])"},
    {"sso-proxy", R"(["127.0.0.1"])"},
    {"admin-eppns", R"(["ann@example.org"])"},
    {"cluster", R"("postgresql://netml@db.example.org/netml")"},
    {"cluster-name", R"("alpha")"},
    {"cluster-address", R"("https://alpha.example.org:8443")"},
    {"cluster-ca-file", R"("/etc/netml/ca.pem")"},
}};

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string value_of(const CLI::Option& option) {
  const bool is_flag = option.get_items_expected_max() == 0;
  const bool is_number = option.get_type_name().starts_with("UINT");
  const std::vector<std::string> values = default_values(option);
  if (values.empty()) {
    for (const auto& [name, sample] : kSamples)
      if (option.check_lname(std::string(name))) return std::string(sample);
    return R"("...")";
  }
  if (is_flag || is_number) return values.front();
  if (option.get_expected_max() == 1) return quoted(values.front());
  std::string list;
  for (const std::string& value : values) list += (list.empty() ? "" : ", ") + quoted(value);
  return fmt::format("[{}]", list);
}

// Lines of comment that are not too long.
std::string commented(std::string_view text) {
  constexpr std::size_t kWidth = 96;
  std::string lines;
  while (!text.empty()) {
    std::size_t end = text.size();
    if (end > kWidth) {
      end = text.rfind(' ', kWidth);
      if (end == text.npos || end == 0) end = std::min(text.size(), text.find(' '));
    }
    lines += fmt::format("# {}\n", text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

std::string entry_of(const CLI::Option& option) {
  const std::string& name = option.get_lnames().front();
  std::string text =
      commented(option.get_description() + (is_read_again(name) ? " (read again)" : ""));
  if (name == "limit") {
    const Limits defaults;
    for (const LimitDefinition& limit : limit_definitions())
      text += fmt::format("#   {}={} {} {}\n", limit.name, limit.get(defaults), limit.unit,
                          limit.meaning);
  }
  return text + fmt::format("#{} = {}\n", name, value_of(option));
}

}  // namespace

std::string config_example(DefineCommands define) {
  Grammar grammar(define);
  std::string text(kHead);
  for (CLI::App* app : {&grammar.app(), grammar.app().get_subcommand("serve")})
    for (const CLI::Option* option : app->get_options())
      if (is_for_files(*option)) text += '\n' + entry_of(*option);
  return text;
}

}  // namespace netml::admin::cli
