// Work that tells how far it is to the command that asked for it.
#pragma once

#include "admin/api/site/calls/calls.hpp"
#include "admin/base/work_list.hpp"

namespace netml::admin::web {

// Under the name that the request gives it, on the machine alone; else it is reported to nobody.
inline WorkList::Work reported_work(const Call& call) {
  return call.services.works.begin(call.request.control ? call.request.headers.get(kWorkHeader)
                                                        : std::string_view());
}

}  // namespace netml::admin::web
