// The floor of a reader and of a writer: a plain parser over the same bytes in memory, warm.
// pugixml of XML, Boost.JSON of JSON; of other texts copying them. Of archives it is that of the
// texts inside, which are taken out before.
//
// Failure: ends the program. Thread: one at a time.
#pragma once

#include <string>

#include "codecs/formats/file_format.hpp"

namespace netml::bench {

double plain_parse_seconds(const codecs::FileFormat& format, const std::string& file);

// What the files here may demand: as much as they like. Those of users are held to less.
codecs::FileLimits bench_limits();

}  // namespace netml::bench
