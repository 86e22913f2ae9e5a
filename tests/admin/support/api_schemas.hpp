// Holds answers of /api/v1/ against its description (admin/api/site/openapi.json): the part of JSON
// Schema that the description uses. Stricter in one thing: a member that no schema names is a
// fault, since nobody would learn of it from the description. Thread: one.
#pragma once

#include <boost/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/admin/support/open_site.hpp"

namespace netml::admin::testing {

class ApiSchemas {
 public:
  // `file`: the description.
  explicit ApiSchemas(const std::string& file);

  // What of the answer is not as described; nothing when all is. `pattern` as described.
  std::vector<std::string> problems(net::Method method, std::string_view pattern,
                                    const Reply& reply) const;
  // The patterns of what can be read to its end.
  std::set<std::string> read_patterns() const;

 private:
  const boost::json::value description_;
};

}  // namespace netml::admin::testing
