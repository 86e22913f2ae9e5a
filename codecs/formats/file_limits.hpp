// What a file of either format may demand at most.
#pragma once

#include "codecs/document/read_limits.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"

namespace netml::codecs {

struct FileLimits {
  ReadLimits xml;
  XlsxLimits xlsx;
};

}  // namespace netml::codecs
