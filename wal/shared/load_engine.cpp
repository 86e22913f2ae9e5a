#include "wal/shared/load_engine.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace netml::wal {

namespace {

std::string why_not() {
  const char* reason = ::dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread, with glibc
  return reason == nullptr ? "unknown reason" : reason;
}

}  // namespace

Result<SharedEngine> load_engine(const std::string& path, const std::string& version,
                                 const SharedEngineSettings& settings) {
  // Local: its symbols are nobody's but its own, and the program's are not in their place.
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr)
    return fail(Errc::not_found, fmt::format("cannot load the module: {}", why_not()));
  auto* const make =
      reinterpret_cast<SharedEngineFunction*>(::dlsym(module, kSharedEngineFunction));
  if (make == nullptr) {
    std::string reason = why_not();
    ::dlclose(module);
    return fail(Errc::invalid_input, fmt::format("not a module of netml: {}", reason));
  }
  SharedEngine engine;
  const std::string found = make(version.c_str(), &settings, &engine);
  if (found == version) return engine;
  ::dlclose(module);
  return fail(Errc::conflict,
              fmt::format("{} is of version {}, the program of {}", path, found, version));
}

}  // namespace netml::wal
