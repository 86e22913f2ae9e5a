#include "admin/imports/format_probe.hpp"

#include <utility>

#include "admin/imports/import_job.hpp"

namespace netml::admin {

Result<FormatProbe> FormatProbe::begin(std::string_view named, std::string_view file_name) {
  FormatProbe probe;
  probe.file_name_ = file_name;
  if (!named.empty() || codecs::name_tells_format(file_name)) {
    NETML_TRY(probe.format_, import_format(named, file_name));
  }
  return probe;
}

Result<const codecs::FileFormat*> FormatProbe::decide(std::string_view how) const {
  if (format_ != nullptr) return format_;
  auto found = codecs::detect_format(file_name_, first_bytes_, how);
  if (found) return found;
  // In the words of every way to import.
  if (codecs::format_of(file_name_) == nullptr) return import_format({}, file_name_);
  return fail(Errc::invalid_input, "file", std::move(found.error().message));
}

std::string said_format(const codecs::FileFormat& format, std::string_view file_name) {
  const bool by_name = codecs::format_of(file_name) == &format;
  return by_name ? std::string() : std::string(format.name);
}

}  // namespace netml::admin
