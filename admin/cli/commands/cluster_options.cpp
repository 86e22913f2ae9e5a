#include "admin/cli/commands/cluster_options.hpp"

#include <fmt/format.h>

#include "engine/base/texts.hpp"
#include "net/client/peer_url.hpp"
#include "net/http/uri.hpp"

namespace netml::admin::cli {

namespace {

constexpr const char* kNoPasswordHere =
    "no password here, where others can read it: put it into the file that PGPASSFILE names "
    "(HOST:PORT:DATABASE:USER:PASSWORD, mode 0600), or into PGPASSWORD";

bool is_url(std::string_view text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

// "user:password@" before the hosts.
bool names_password(std::string_view url) {
  url.remove_prefix(url.find("//") + 2);
  const std::string_view authority = url.substr(0, url.find_first_of("/?"));
  const std::size_t end = authority.rfind('@');
  return end != std::string_view::npos && authority.substr(0, end).find(':') != std::string::npos;
}

}  // namespace

std::string check_connection(const std::string& text) {
  const std::string plain = lower_ascii(net::percent_decode(text).value_or(text));
  if (plain.find("password") != std::string::npos || (is_url(plain) && names_password(text)))
    return kNoPasswordHere;
  if (is_url(plain) || plain.find('=') != std::string::npos) return {};
  return "write postgresql://USER@HOST:PORT/DATABASE, or KEYWORD=VALUE as libpq knows them";
}

std::string check_member_url(const std::string& text) {
  const auto address = net::parse_peer_url(text);
  return address ? "" : address.error().message;
}

std::string check_member_name(const std::string& text) {
  constexpr std::size_t kBytesMax = 180;
  const bool fine = !text.empty() && text.size() <= kBytesMax &&
                    text.find_first_not_of(
                        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789-._") == std::string::npos;
  return fine ? "" : "a name has letters, digits and - . _ alone, at most 180";
}

CLI::Option* add_cluster_option(CLI::App& app, ClusterOptions& options) {
  return app
      .add_option("--cluster", options.connection,
                  "The PostgreSQL database that the members of a cluster share, such as "
                  "postgresql://netml@db.example.org/netml; without a password")
      ->type_name("CONNECTION")
      ->check(check_connection);
}

void require_cluster_option(CLI::App& app, ClusterOptions& options) {
  add_cluster_option(app, options)->required();
}

CLI::Option* add_ca_option(CLI::App& app, ClusterOptions& options) {
  return app
      .add_option("--cluster-ca-file", options.ca_file,
                  "Certificates (PEM) that those of the members lead to; else the system's")
      ->type_name("FILE");
}

void add_member_options(CLI::App& app, ClusterOptions& options) {
  constexpr int kKeepDaysMax = 36500;  // a century
  auto* cluster = add_cluster_option(app, options);
  auto* name = app.add_option("--cluster-name", options.name, "This member's name in the cluster")
                   ->type_name("NAME")
                   ->check(check_member_name);
  auto* address = app.add_option("--cluster-address", options.address,
                                 "Where the other members reach this one: https://HOST:PORT")
                      ->type_name("URL")
                      ->check(check_member_url);
  add_ca_option(app, options);
  app.add_option("--cluster-require-standby", options.require_standby,
                 "Whether changes are refused while no second database confirms them")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str();
  app.add_option("--cluster-keep-days", options.keep_days,
                 "Days that the database keeps what all members have; 0: for ever")
      ->check(CLI::Range(0, kKeepDaysMax))
      ->capture_default_str();
  app.add_flag("--cluster-redirect", options.redirect,
               "Redirect changes to the leader (307) instead of forwarding them");
  // In a ring, so that each names one other: help lists several in no order.
  cluster->needs(name);
  name->needs(address);
  address->needs(cluster);
  name->excludes(app.get_option("--read-only"));
  address->excludes(app.get_option("--test-mode"));
}

}  // namespace netml::admin::cli
