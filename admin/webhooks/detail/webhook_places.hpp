// The file `webhook-places` of the data directory: how far each webhook has come, so that a restart
// misses nothing. It is no part of the data: a change of it is no transaction, which would be sent
// in turn, and a backup leaves it out, so that a node that was restored knows of no webhook where
// it stands and says so.
//
//   netml-webhook-places 1
//   NUMBER HEAD RESET PAUSED    for each webhook. RESET is "-" when that was given, "new" before it
//                               was decided where it begins, or the 16 digits of its message
//   crc32c CHECKSUM             of all bytes before this line
//
// Failures are not in it: they are those of this run, and a clock that stood still while the node
// was off says nothing of a receiver.
//
// Thread: any.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/base/result.hpp"
#include "engine/base/time.hpp"
#include "wal/format/journal.hpp"

namespace netml::admin {

struct WebhookPlace {
  wal::Head after;    // all up to it was taken
  bool reset = true;  // that was not sent yet, nor that changes from there on follow
  // Of the message that says so, since it was decided: no other has them, whatever it tells.
  std::optional<std::uint64_t> reset_digits = {};
  std::uint64_t failures = 0;         // in a row
  std::optional<Instant> since = {};  // of the first of them
  Instant next = {};                  // nothing is posted before
  bool paused = false;                // until somebody resumes it
  bool operator==(const WebhookPlace&) const = default;
};
using WebhookPlaces = std::map<std::uint64_t, WebhookPlace>;  // by number of the webhook

Status store_webhook_places(const std::string& data_directory, const WebhookPlaces& places);
// None where there is no file; Errc::corruption when it is not what was stored. Any other error
// says nothing of the file: it could not be read this time.
Result<WebhookPlaces> load_webhook_places(const std::string& data_directory);

}  // namespace netml::admin
