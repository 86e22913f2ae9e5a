// All that the module shows: see wal/shared/shared_engine.hpp.
#include <string_view>

#include "wal/postgres/postgres_engine.hpp"

extern "C" __attribute__((visibility("default"))) const char* netml_shared_engine(
    const char* version, const netml::wal::SharedEngineSettings* settings,
    netml::wal::SharedEngine* engine) {
  constexpr const char* kVersion = NETML_MODULE_VERSION;
  if (std::string_view(version) == kVersion) *engine = netml::wal::postgres_engine(*settings);
  return kVersion;
}
