// Beast's parser for the head of one message, seen as a whole and without a body. A derived class
// takes what it needs of the first line.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <limits>

#include "net/http/http.hpp"

namespace netml::net {

template <bool kIsRequest>
class HeadParser : public boost::beast::http::basic_parser<kIsRequest> {
 public:
  using text = boost::beast::string_view;
  using error_code = boost::beast::error_code;

  // Bodies are judged later, and the size of the head was counted before.
  HeadParser() {
    this->body_limit(boost::none);
    this->header_limit(std::numeric_limits<std::uint32_t>::max());
  }

  Headers headers;

 protected:
  void on_request_impl(boost::beast::http::verb, text, text, int, error_code&) override {}
  void on_response_impl(int, text, int, error_code&) override {}
  void on_field_impl(boost::beast::http::field, text name, text value, error_code&) override {
    headers.add({name.data(), name.size()}, {value.data(), value.size()});
  }
  void on_header_impl(error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(text, error_code&) override { return 0; }
  void on_chunk_header_impl(std::uint64_t, text, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, text, error_code&) override { return 0; }
  void on_finish_impl(error_code&) override {}
};

}  // namespace netml::net
