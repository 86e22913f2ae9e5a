// Writes tables as a dump, as `manage.py dumpdata` would: what pages were read is kept so, and
// nothing else of them. The same tables give the same bytes, in whatever order pages came.
//
// Thread: any (a pure function but for what `take` does).
#pragma once

#include <functional>
#include <string_view>

#include "codecs/formats/netbox/netbox_tables.hpp"
#include "engine/base/result.hpp"

namespace netml::codecs::netbox {

// Given pieces of at most some 64 KiB; its first error ends the dump and is what write_dump()
// gives.
using DumpSink = std::function<Status(std::string_view piece)>;

// The tables are as PageReader::seal() gives them.
Status write_dump(const Tables& tables, const DumpSink& take);

}  // namespace netml::codecs::netbox
