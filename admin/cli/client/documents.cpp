#include "admin/cli/client/documents.hpp"

namespace netml::admin::cli {

Outcome<std::string> ask_documents(Client& client, const ControlRequest& wanted,
                                   const TakeDocument& take) {
  std::string rest;  // of a line that has not ended
  std::optional<Failure> failure;
  const auto take_line = [&](const std::string& text) -> Status {
    NETML_TRY(const JsonValue document, JsonValue::parse(text));
    const JsonValue error = document.at("error");
    if (error.is_null()) return take(text, document);
    failure = answered_failure(error.text("code"), error.text("message"));
    return {};
  };
  const auto take_piece = [&](std::string_view piece) -> Status {
    rest += piece;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1)
      NETML_TRY_VOID(take_line(rest.substr(begin, end - begin)));
    rest.erase(0, begin);
    return {};
  };
  NETML_TRY(const ControlResponse response, client.call(wanted, take_piece));
  if (failure) return tl::make_unexpected(*std::move(failure));
  if (!rest.empty()) return fail(ExitCode::failed, "the answer was cut off");
  return response.head;
}

}  // namespace netml::admin::cli
