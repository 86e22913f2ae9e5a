#include "admin/server/reload.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/guarded.hpp"

namespace netml::admin {

namespace {

// Names of options whose values differ.
std::vector<std::string> differing(const std::vector<cli::GivenOption>& a,
                                   const std::vector<cli::GivenOption>& b) {
  std::vector<std::string> names;
  for (const cli::GivenOption& option : a) {
    const auto other = std::ranges::find(b, option.name, &cli::GivenOption::name);
    if (other == b.end() || other->values != option.values) names.push_back(option.name);
  }
  return names;
}

}  // namespace

Reload::Reload(net::HttpServer& server, Services& services, ReloadRules rules,
               const cli::GlobalOptions& global, const cli::ServeOptions& options, Log& log)
    : server_(server),
      services_(services),
      rules_(std::move(rules)),
      options_(options),
      given_(global.given),
      log_(log) {}

void Reload::run() {
  const Status done = guarded([this] { return try_all(); });
  if (!done) log_.warning("reload", done.error().message + "; all stays as it was");
}

Status Reload::try_all() {
  cli::GlobalOptions global;
  cli::ServeOptions options = options_;
  if (!options_.reread) {
    NETML_TRY_VOID(server_.reload_tls());
    log_.information("reload", "certificates read again");
    return {};
  }
  NETML_TRY_VOID(options_.reread(global, options));
  NETML_TRY_VOID(take(global, options));
  tell(global.given);
  // What needs a start stays different until there is one, and is said each time.
  for (cli::GivenOption& now : given_) {
    const auto next = std::ranges::find(global.given, now.name, &cli::GivenOption::name);
    if (next != global.given.end() && cli::is_read_again(now.name)) now = *next;
  }
  return {};
}

// Whatever can fail comes before the first change; the certificates change all at once or not at
// all.
Status Reload::take(const cli::GlobalOptions& global, const cli::ServeOptions& options) {
  std::vector<net::IpNetwork> proxies;
  proxies.reserve(options.trusted_proxies.size());
  for (const std::string& text : options.trusted_proxies) {
    NETML_TRY(const net::IpNetwork network, net::IpNetwork::parse(text));
    proxies.push_back(network);
  }
  cli::Limits limits = global.limits;
  limits.http = rules_.limits(limits);
  PollRules polls = rules_.polls(limits);
  std::optional<net::TlsFiles> tls;
  if (options.tls_certificate && options_.tls_certificate)
    tls = {*options.tls_certificate, *options.tls_key};
  NETML_TRY_VOID(server_.reload_tls(tls));
  server_.change(limits.http, proxies);
  services_.change(limits, std::move(polls));
  log_.set_level(log_level(options.log_level).value_or(LogLevel::information));
  return {};
}

void Reload::tell(const std::vector<cli::GivenOption>& next) {
  std::vector<std::string> taken;
  std::vector<std::string> later;
  const bool tls_stays = std::ranges::any_of(next, [this](const cli::GivenOption& option) {
    return option.name == "tls-cert" && option.values.empty() != !options_.tls_certificate;
  });
  for (std::string& name : differing(given_, next)) {
    const bool again = cli::is_read_again(name) && !(tls_stays && name.starts_with("tls-"));
    (again ? taken : later).push_back(std::move(name));
  }
  log_.information(
      "reload", fmt::format("read again; certificates too; changed: {}",
                            taken.empty() ? "nothing" : fmt::format("{}", fmt::join(taken, ", "))));
  if (!later.empty())
    log_.warning("reload",
                 fmt::format("only the next start will take: {}", fmt::join(later, ", ")));
}

}  // namespace netml::admin
