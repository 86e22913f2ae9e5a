#include "admin/api/site/sections/cached_answer.hpp"

#include <boost/json.hpp>
#include <utility>

#include "admin/answers/gzip.hpp"
#include "admin/answers/shared_body.hpp"

namespace netml::admin::web {

Result<net::Response> cached_answer(const Call& call, Cache<std::string, std::string>& answers,
                                    const std::string& key, std::uint64_t bytes,
                                    const std::function<Result<boost::json::object>()>& make) {
  return cached_text(call, answers, key, bytes, [&]() -> Result<std::string> {
    NETML_TRY(const boost::json::object made, make());
    return boost::json::serialize(made);
  });
}

Result<net::Response> cached_text(const Call& call, Cache<std::string, std::string>& answers,
                                  const std::string& key, std::uint64_t bytes,
                                  const std::function<Result<std::string>()>& make) {
  using Text = std::shared_ptr<const std::string>;
  NETML_TRY(const Text answer, answers.get(key, [&]() -> Result<Text> {
    NETML_TRY(const MemoryReservation reserved,
              call.services.node.memory().reserve(MemoryUse::answers, bytes));
    NETML_TRY(std::string made, make());
    return std::make_shared<const std::string>(std::move(made));
  }));
  net::Response response;
  response.headers.set("Content-Type", "application/json");
  response.body = shared_body(answer, *answer);
  return response;
}

Result<net::Response> map_answer(const Call& call, const engine::StatePtr& state, MapForm form) {
  MapAnswers& answers = call.site.map_answers;
  const bool binary = form == MapForm::binary;
  // Made here, so that what forbids it is answered as such.
  NETML_TRY(const MapAnswers::Answer first,
            answers.of(*state, binary ? MapPart::drawing : MapPart::json));
  net::Response response;
  response.headers.set("Content-Type", binary ? kBinaryMap : "application/json");
  GzipPieces pieces = answers.pieces(state, form, first);
  net::StreamBody body;
  if (accepts_gzip(call.request)) {
    response.headers.set("Content-Encoding", "gzip");
    body.source = gzip_source(std::move(pieces));
    if (!binary) body.length = gzip_bytes(*first);
  } else {
    body.source = expanded_source(std::move(pieces));
    if (!binary) body.length = first->text_bytes;
  }
  response.body = std::move(body);
  return response;
}

}  // namespace netml::admin::web
