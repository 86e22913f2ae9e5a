#include "admin/answers/shared_body.hpp"

#include <utility>

namespace netml::admin {

namespace {

class SharedText final : public net::BodySource {
 public:
  SharedText(std::shared_ptr<const void> owner, std::string_view text)
      : owner_(std::move(owner)), text_(text) {}

  Result<std::string_view> next() override { return std::exchange(text_, std::string_view()); }

 private:
  const std::shared_ptr<const void> owner_;
  std::string_view text_;  // empty: it was given
};

}  // namespace

net::Body shared_body(std::shared_ptr<const void> owner, std::string_view text) {
  return net::StreamBody{std::make_unique<SharedText>(std::move(owner), text), text.size()};
}

}  // namespace netml::admin
