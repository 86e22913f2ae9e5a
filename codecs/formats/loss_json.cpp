#include "codecs/formats/loss_json.hpp"

#include <fmt/format.h>

#include "engine/base/json_string.hpp"

namespace netml::codecs {

namespace {

std::string place_json(const engine::Loss& loss) {
  if (!loss.pointer.empty()) return fmt::format(R"(,"pointer":{})", json_string(loss.pointer));
  if (loss.line == 0) return {};
  std::string place = fmt::format(R"(,"line":{},"column":{})", loss.line, loss.column);
  if (!loss.sheet.empty()) place += fmt::format(R"(,"sheet":{})", json_string(loss.sheet));
  return place;
}

}  // namespace

std::string loss_json(const engine::LossList& losses) {
  std::string text = fmt::format(R"({{"present":{},"carried":{},"lost":{},"counts":[)",
                                 losses.present(), losses.carried(), losses.lost());
  const char* separator = "";
  for (const auto& [field, reason, count] : losses.counts()) {
    text += fmt::format(R"({}{{"field":{},"reason":{},"count":{}}})", separator, json_string(field),
                        json_string(reason), count);
    separator = ",";
  }
  text += R"(],"losses":[)";
  separator = "";
  for (const engine::Loss& loss : losses.kept()) {
    text += fmt::format(R"({}{{"field":{},"reason":{}{}}})", separator, json_string(loss.field),
                        json_string(loss.reason), place_json(loss));
    separator = ",";
  }
  return text + fmt::format(R"(],"omitted":{}}})", losses.lost() - losses.kept().size());
}

}  // namespace netml::codecs
