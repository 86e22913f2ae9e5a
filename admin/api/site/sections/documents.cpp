#include "admin/api/site/sections/documents.hpp"

#include <boost/json.hpp>

namespace netml::admin::web {

namespace json = boost::json;

Result<std::vector<json::value>> read_documents(net::BodySource& source) {
  std::vector<json::value> documents;
  std::string rest;
  while (true) {
    NETML_TRY(const std::string_view piece, source.next());
    if (piece.empty()) return documents;
    rest += piece;
    std::size_t begin = 0;
    for (std::size_t end = rest.find('\n'); end != std::string::npos;
         end = rest.find('\n', begin)) {
      boost::system::error_code error;
      documents.push_back(json::parse(std::string_view(rest).substr(begin, end - begin), error));
      NETML_ASSERT(!error);  // written by ourselves
      begin = end + 1;
    }
    rest.erase(0, begin);
  }
}

}  // namespace netml::admin::web
