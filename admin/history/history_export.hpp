// The whole journal, or what came after a place in it, as Parquet files (docs/analysis.md), made
// while they are sent.
//
// The body is a sequence of pieces: a line "FILE BYTES", then so many bytes that go to the end of
// that file. The first file, `part.json`, says from where to where in the journal the others lead.
// A piece of 0 bytes says that the replay goes on. An error on the way is the last piece, of the
// file `error`: the JSON of an API error; Errc::corruption where the replay ends before the head.
//
// Rows are made as the journal is replayed, so of the history nothing is held but a row group of
// each file. What grows with the map is its state, and where the version of each record began: 16
// bytes for each identity ever given, reserved with the rest when it begins.
//
// Failure: as reading the journal. Thread: the body one at a time; it must not outlive the node.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "admin/node/node.hpp"
#include "net/http/http.hpp"

namespace netml::admin {

struct HistoryExport {
  std::unique_ptr<net::BodySource> body;
  std::string head;  // "LSN:hash": how far it leads
};

// `since`: an LSN, or a head; none = from the beginning. Errc::invalid_input for what is neither,
// Errc::conflict where it is not of this history.
Result<HistoryExport> export_history(Node& node, const std::optional<std::string>& since);

}  // namespace netml::admin
