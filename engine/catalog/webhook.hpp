// An address that hears of each change of the map (docs/following.md). Up to which one it did is
// not kept here, so that an entry changes only when somebody changes it, and telling of a change
// makes no other.
//
// Thread: any (immutable once they are stored).
#pragma once

#include <string>

#include "engine/base/time.hpp"
#include "engine/catalog/entry_fields.hpp"

namespace netml::engine {

struct Webhook {
  std::string name;  // unique
  std::string url;   // "https://desk.example/changes"
  bool active = true;
  std::string sealed_secret;    // what messages are signed with, encrypted under the node key
  bool plain_http = false;      // somebody said that messages may travel in clear
  std::string ca_certificates;  // PEM; those of the system when empty
  Instant created;
  bool operator==(const Webhook&) const = default;

  static constexpr EntryKind kKind{
      .name = "webhook", .table = "webhooks", .role = 27, .undone = true};
  static consteval auto fields() {
    return std::tuple{
        field("name", &Webhook::name,
              {.characters_max = 140, .index = Index::exact, .unique = true, .title = true}),
        field("url", &Webhook::url, {.characters_max = 1000}),
        field("active", &Webhook::active),
        field("sealed_secret", &Webhook::sealed_secret,
              {.reported_as = "secret", .shown = Shown::change}),
        field("plain_http", &Webhook::plain_http),
        field("ca_certificates", &Webhook::ca_certificates, {.characters_max = 64 << 10}),
        field("created", &Webhook::created)};
  }
};

}  // namespace netml::engine
