#include "bench/rows/text_files.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>

#include "bench/rows/tables.hpp"
#include "bench/scenario/files.hpp"

namespace netml::bench {

namespace {

class TextFile {
 public:
  explicit TextFile(const std::string& path) : file_(open_file(path, "wb")) {}
  ~TextFile() {
    if (std::fflush(file_.get()) != 0) std::abort();
  }
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  template <class... Values>
  void row(const Values&... values) {
    line_.clear();
    (add(values), ...);
    line_.back() = '\n';
    if (std::fwrite(line_.data(), 1, line_.size(), file_.get()) != line_.size()) std::abort();
  }

 private:
  void add(std::int64_t value) { fmt::format_to(std::back_inserter(line_), "{}\t", value); }
  void add(const std::optional<std::int64_t>& value) {
    if (value)
      add(*value);
    else
      line_ += "\\N\t";
  }
  void add(std::string_view value) {
    for (const char c : value) {
      switch (c) {
        case '\\':
          line_ += "\\\\";
          break;
        case '\t':
          line_ += "\\t";
          break;
        case '\n':
          line_ += "\\n";
          break;
        case '\r':
          line_ += "\\r";
          break;
        default:
          line_ += c;
      }
    }
    line_ += '\t';
  }

  FilePtr file_;
  std::string line_;
};

}  // namespace

void write_text_files(const engine::Document& document, const std::string& folder) {
  Tables<TextFile> files(
      [&](std::string_view name, int) { return TextFile(fmt::format("{}/{}.tsv", folder, name)); });
  give_rows(document, files);
}

}  // namespace netml::bench
