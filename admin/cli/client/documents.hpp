// Answers that are streams of documents, one a line (docs/api.md), taken as they come.
//
// Thread: one at a time.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "admin/cli/client/client.hpp"

namespace netml::admin::cli {

using TakeDocument = std::function<Status(const std::string& line, const JsonValue& document)>;

// Asks for a stream and gives each document to `take` as soon as it is there; the head that it was
// made at.
Outcome<std::string> ask_documents(Client& client, const ControlRequest& wanted,
                                   const TakeDocument& take);
inline Outcome<std::string> ask_documents(Client& client, const Target& target,
                                          const TakeDocument& take) {
  return ask_documents(client, request("GET", target), take);
}

// Prints each document as it is with --json, else as describe(document) says.
template <class Describe>
TakeDocument document_printer(const Client& client, Describe describe) {
  return [&client, describe](const std::string& line, const JsonValue& document) mutable {
    return client.environment().out(client.json() ? line + '\n' : describe(document));
  };
}

// The same of a stream whose first document tells what the others are about.
template <class Head, class Describe>
CommandOutcome print_documents(Client& client, const Target& target, Head head, Describe describe) {
  bool first = true;
  const auto text = [&](const JsonValue& document) {
    return std::exchange(first, false) ? head(document) : describe(document);
  };
  NETML_TRY_VOID(ask_documents(client, target, document_printer(client, text)));
  return {};
}

}  // namespace netml::admin::cli
