#include "admin/cli/commands/parquet_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <utility>

#include "admin/cli/client/files.hpp"
#include "admin/cli/client/output.hpp"
#include "admin/cli/client/output_directory.hpp"
#include "admin/cli/client/progress.hpp"
#include "engine/base/json_string.hpp"
#include "engine/base/texts.hpp"

namespace netml::admin::cli {

namespace {

constexpr const char* kAbout = "part.json";  // the file that says from where to where a part leads
constexpr std::array kTables = {"versions.parquet", "ends.parquet", "effects.parquet",
                                "imports.parquet"};
constexpr std::string_view kError = "error";

// Of a head, or an LSN by itself.
std::optional<std::uint64_t> lsn_in(std::string_view place) {
  return parse_integer<std::uint64_t>(place.substr(0, place.find(':')));
}

// The transactions that a part is about.
struct Part {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  // So wide that names are sorted as their numbers.
  std::string name() const { return fmt::format("lsn-{:012}-{:012}", first, last); }
  static std::optional<Part> of_name(std::string_view name) {
    constexpr std::string_view kPrefix = "lsn-";
    if (!name.starts_with(kPrefix)) return std::nullopt;
    std::string_view rest = name.substr(kPrefix.size());
    const auto first = parse_integer<std::uint64_t>(take_until(rest, '-'));
    const auto last = parse_integer<std::uint64_t>(rest);
    return first && last ? std::optional(Part{*first, *last}) : std::nullopt;
  }
};

// The head that the parts of a directory lead to; nothing where there are none.
Result<std::optional<std::string>> head_of_parts(const std::string& directory) {
  std::optional<Part> newest;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const auto part = Part::of_name(entry.path().filename().string());
    if (part && (!newest || part->last > newest->last)) newest = part;
  }
  if (error)
    return fail(Errc::io_error,
                fmt::format("cannot read {}: {}", directory, error_text(error.value())));
  if (!newest) return std::nullopt;
  const std::string path = (std::filesystem::path(directory) / newest->name() / kAbout).string();
  NETML_TRY(const std::string text, whole_file(path));
  NETML_TRY(const JsonValue about, JsonValue::parse(text));
  const std::string head = about.text("head");
  if (lsn_in(head) == newest->last) return head;
  return fail(Errc::conflict, fmt::format("{} does not say where this part leads", path));
}

// What is there goes on without a gap and without saying anything twice.
Outcome<std::optional<std::string>> place_to_go_on_from(const std::string& directory,
                                                        const std::optional<std::string>& since) {
  NETML_TRY(const std::optional<std::string> head, head_of_parts(directory));
  if (!head || !since) return head ? head : since;
  if (lsn_in(*since) == lsn_in(*head)) return since->find(':') == std::string::npos ? head : since;
  return fail(ExitCode::failed,
              fmt::format("the parts in {} lead to LSN {}: leave --since out, to go on from there",
                          directory, *lsn_in(*head)));
}

// Takes the answer apart: a line "FILE BYTES", then so many bytes of that file. A piece of no bytes
// says that the node is at work.
class Pieces {
 public:
  explicit Pieces(OutputDirectory& into) : into_(into) {}

  Status take(std::string_view bytes) {
    while (!bytes.empty()) {
      if (left_ == 0) {
        NETML_TRY_VOID(take_heading(bytes));
        continue;
      }
      const std::string_view piece = bytes.substr(0, left_);
      bytes.remove_prefix(piece.size());
      left_ -= piece.size();
      NETML_TRY_VOID(take_piece(piece));
    }
    return {};
  }

  const std::string& about() const { return about_; }
  const std::string& error() const { return error_; }
  bool ended() const { return left_ == 0 && heading_.empty(); }

 private:
  Status take_heading(std::string_view& bytes) {
    const std::size_t end = bytes.find('\n');
    heading_ += bytes.substr(0, end);
    bytes.remove_prefix(std::min(bytes.size(), end == std::string_view::npos ? end : end + 1));
    if (end == std::string_view::npos) return {};
    std::string_view rest = heading_;
    file_ = take_until(rest, ' ');
    const auto size = parse_integer<std::uint64_t>(rest);
    if (!size || file_.empty() || file_.find('/') != std::string::npos)
      return fail(Errc::io_error, "the answer is not that of an export of the history");
    left_ = *size;
    heading_.clear();
    return {};
  }
  Status take_piece(std::string_view piece) {
    if (file_ == kError) {
      error_ += piece;
      return {};
    }
    if (file_ == kAbout) about_ += piece;
    return into_.append(file_, piece);
  }

  OutputDirectory& into_;
  std::string heading_;  // of the next piece, as far as it has come
  std::string file_;
  std::uint64_t left_ = 0;  // of the piece
  std::string about_;
  std::string error_;
};

CommandOutcome receive(const Target& target, OutputDirectory& into, Pieces& pieces,
                       Client& client) {
  Watch watch(client, {"written", "preparing"}, std::nullopt);
  const auto take = [&](std::string_view bytes) -> Status {
    NETML_TRY_VOID(pieces.take(bytes));
    watch.progress().sent(into.bytes());
    return {};
  };
  const auto response = client.call(request("GET", target), take, watch.progress());
  watch.finish();
  if (!response) return tl::make_unexpected(response.error());
  if (!pieces.ended()) return fail(ExitCode::failed, "the answer was cut off");
  if (pieces.error().empty()) return {};
  NETML_TRY(const JsonValue error, JsonValue::parse(pieces.error()));
  return tl::make_unexpected(answered_failure(error.text("code"), error.text("message")));
}

// A part that appears stays as it is, so what an answer lacks is found before.
CommandOutcome commit(OutputDirectory& into, const Part& part) {
  for (const char* const file : kTables)
    if (into.bytes(file) == 0)
      return fail(ExitCode::failed, fmt::format("the answer is cut off: it lacks {}", file));
  NETML_TRY_VOID(into.commit(part.name()));
  return {};
}

}  // namespace

CommandOutcome export_parquet(const std::string& directory, const std::optional<std::string>& since,
                              Client& client) {
  client.open_to(Access::examine);
  NETML_TRY(OutputDirectory into, OutputDirectory::create(directory));
  NETML_TRY(const std::optional<std::string> place, place_to_go_on_from(directory, since));
  Pieces pieces(into);
  NETML_TRY_VOID(receive(api("node/export/history").query("since", place), into, pieces, client));
  if (!client.damage().empty()) return fail(ExitCode::damaged, client.damage());
  NETML_TRY(const JsonValue about, JsonValue::parse(pieces.about()));
  const std::string head = about.text("head");
  const std::uint64_t after = lsn_in(about.text("after")).value_or(0);
  const Part part{after + 1, lsn_in(head).value_or(0)};
  const bool is_new = part.last > after;
  if (is_new) NETML_TRY_VOID(commit(into, part));
  client.set_result(fmt::format(R"({{"directory":{},"part":{},"bytes":{},"head":{}}})",
                                json_string(directory), is_new ? json_string(part.name()) : "null",
                                is_new ? into.bytes() : 0, json_string(head)));
  client.tell("X-NetML-Head: " + head);
  if (!is_new) return client.say(fmt::format("nothing is new since LSN {}", after));
  return client.say(fmt::format("{}/{}: {}", directory, part.name(), human_size(into.bytes())));
}

}  // namespace netml::admin::cli
