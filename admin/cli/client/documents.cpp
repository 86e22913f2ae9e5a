#include "admin/cli/client/documents.hpp"

namespace netml::admin::cli {

namespace {

class Documents {
 public:
  explicit Documents(TakeDocument take) : take_(std::move(take)) {}

  Status operator()(std::string_view piece) {
    rest_ += piece;
    std::size_t begin = 0;
    for (std::size_t end; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1)
      NETML_TRY_VOID(line(rest_.substr(begin, end - begin)));
    rest_.erase(0, begin);
    return {};
  }
  // What the last line said; the stream must have ended with a whole one.
  CommandOutcome outcome() const {
    if (failure_) return tl::make_unexpected(*failure_);
    if (rest_.empty()) return {};
    return fail(ExitCode::failed, "the answer was cut off");
  }

 private:
  Status line(const std::string& text) {
    NETML_TRY(const JsonValue document, JsonValue::parse(text));
    const JsonValue error = document.at("error");
    if (error.is_null()) return take_(text, document);
    failure_ = answered_failure(error.text("code"), error.text("message"));
    return {};
  }

  TakeDocument take_;
  std::string rest_;
  std::optional<Failure> failure_;
};

}  // namespace

Outcome<std::string> ask_documents(Client& client, const Target& target, TakeDocument take) {
  Documents documents(std::move(take));
  NETML_TRY(const ControlResponse response,
            client.call(request("GET", target),
                        [&](std::string_view piece) { return documents(piece); }));
  NETML_TRY_VOID(documents.outcome());
  return response.head;
}

}  // namespace netml::admin::cli
