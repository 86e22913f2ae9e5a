#include "admin/cli/commands/map_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

#include "codecs/netml/netml_reader.hpp"

namespace netml::admin::cli {

namespace {

Result<std::string> first_bytes(const std::string& path) {
  std::string start;
  NETML_TRY_VOID(read_file(path, [&](std::string_view piece) {
    start += piece.substr(0, codecs::kRecognizedBytes - start.size());
    return start.size() < codecs::kRecognizedBytes;
  }));
  return start;
}

// The name of a topology that the file does not name is reported when it is imported; until then it
// is the file's.
Result<codecs::ReadResult> read_whole(const InputFile& input, const codecs::FileFormat& format,
                                      const MapReadOptions& options) {
  NETML_TRY(const auto file, open_random_access(input.path()));
  const std::string_view name = codecs::without_ending(input.name());
  const bool named = format.names_topology || !options.topology_name.empty();
  return format.read(*file, {.topology_name = named ? options.topology_name : name,
                             .file_name = name,
                             .owner = options.owner,
                             .headings = options.headings,
                             .mapping = options.mapping,
                             .limits = options.limits});
}

}  // namespace

Result<const codecs::FileFormat*> format_of_file(const InputFile& file, const std::string& named,
                                                 std::string_view option) {
  if (named.empty()) {
    NETML_TRY(const std::string start, first_bytes(file.path()));
    return codecs::detect_format(file.name(), start, fmt::format("with {}", option));
  }
  const codecs::FileFormat* const format = codecs::find_format(named);
  if (format != nullptr && format->is_read()) return format;
  return netml::fail(Errc::invalid_input,
                     fmt::format("{} is no format that is read; these are: {}", named,
                                 fmt::join(codecs::read_formats(), ", ")));
}

void add_map_option(CLI::App& app, std::vector<std::string>& map) {
  app.add_option(
         "--map", map,
         "What a column of a table is: HEADING=FIELD, such as \"Node A=link end\"; again for "
         "each further one")
      ->type_name("HEADING=FIELD")
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        const auto parsed = codecs::HeadingMap::parse(text);
        return parsed ? std::string() : parsed.error().message;
      });
}

std::optional<std::string> map_text(const std::vector<std::string>& map) {
  if (map.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(map, "\n"));
}

Result<codecs::ReadResult> read_map(const InputFile& file, const codecs::FileFormat& format,
                                    const MapReadOptions& options, Progress& progress) {
  if (format.read != nullptr) return read_whole(file, format, options);
  const std::string& path = file.path();
  const auto replay = [&path](const codecs::ByteSink& take) -> Status {
    const auto again = read_file(
        path, [&](std::string_view piece) { return take(std::as_bytes(std::span(piece))); });
    if (!again) return netml::fail(Errc::io_error, again.error().message);
    return {};
  };
  codecs::NetmlReader reader(options.limits.xml, {.replay = replay});
  std::uint64_t bytes = 0;
  NETML_TRY_VOID(read_file(path, [&](std::string_view piece) {
    reader.feed(std::as_bytes(std::span(piece)));
    progress.sent(bytes += piece.size());
    return !reader.stopped();
  }));
  codecs::ReadResult read = reader.finish();
  if (read && !options.topology_name.empty()) rename_root(*read, options.topology_name);
  return read;
}

}  // namespace netml::admin::cli
