#include "admin/api/site/sections/cached_answer.hpp"

#include <boost/json.hpp>
#include <optional>
#include <utility>

namespace netml::admin::web {

namespace {

class SharedText final : public net::BodySource {
 public:
  explicit SharedText(std::shared_ptr<const std::string> text) : text_(std::move(text)) {}

  Result<std::string_view> next() override {
    if (std::exchange(given_, true)) return std::string_view();
    return std::string_view(*text_);
  }

 private:
  const std::shared_ptr<const std::string> text_;
  bool given_ = false;
};

}  // namespace

net::Body shared_body(std::shared_ptr<const std::string> text) {
  const std::uint64_t bytes = text->size();
  return net::StreamBody{std::make_unique<SharedText>(std::move(text)), bytes};
}

Result<net::Response> cached_answer(const Call& call, Cache<std::string, std::string>& answers,
                                    const std::string& key, std::uint64_t bytes,
                                    const std::function<Result<boost::json::object>()>& make) {
  using Text = std::shared_ptr<const std::string>;
  NETML_TRY(const Text answer, answers.get(key, [&]() -> Result<Text> {
    NETML_TRY(const MemoryReservation reserved,
              call.services.node.memory().reserve(MemoryUse::answers, bytes));
    NETML_TRY(const boost::json::object made, make());
    return std::make_shared<const std::string>(boost::json::serialize(made));
  }));
  net::Response response;
  response.headers.set("Content-Type", "application/json");
  response.body = shared_body(answer);
  return response;
}

}  // namespace netml::admin::web
