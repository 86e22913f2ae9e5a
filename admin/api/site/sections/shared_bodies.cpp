#include "admin/api/site/sections/shared_bodies.hpp"

#include <utility>

#include "admin/answers/gzip.hpp"

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

class ExpandedText final : public net::BodySource {
 public:
  explicit ExpandedText(std::shared_ptr<const std::string> compressed)
      : compressed_(std::move(compressed)), reader_(*compressed_) {}

  Result<std::string_view> next() override { return reader_.next(); }

 private:
  const std::shared_ptr<const std::string> compressed_;
  GzipReader reader_;
};

}  // namespace

net::Body shared_body(std::shared_ptr<const std::string> text) {
  const std::uint64_t bytes = text->size();
  return net::StreamBody{std::make_unique<SharedText>(std::move(text)), bytes};
}

net::Body expanded_body(std::shared_ptr<const std::string> compressed, std::uint64_t text_bytes) {
  return net::StreamBody{std::make_unique<ExpandedText>(std::move(compressed)), text_bytes};
}

}  // namespace netml::admin::web
