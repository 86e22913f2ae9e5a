#include "bench/rows/text_files.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>

#include "bench/rows/rows.hpp"
#include "bench/scenario/files.hpp"

namespace netml::bench {

namespace {

class TextFile {
 public:
  explicit TextFile(const std::string& path) : file_(open_file(path, "wb")) {}

  template <class... Values>
  void row(const Values&... values) {
    line_.clear();
    (add(values), ...);
    line_.back() = '\n';
    if (std::fwrite(line_.data(), 1, line_.size(), file_.get()) != line_.size()) std::abort();
  }

  void finish() {
    if (std::fflush(file_.get()) != 0) std::abort();
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

class TextFiles : public RowSink {
 public:
  explicit TextFiles(const std::string& folder)
      : topology_(folder + "/topology.tsv"),
        element_(folder + "/element.tsv"),
        property_(folder + "/property.tsv"),
        owner_(folder + "/owner.tsv"),
        member_(folder + "/member.tsv") {}

  void topology(const TopologyRow& row) override {
    topology_.row(row.number, row.id, row.name, row.version, row.parent, row.owner);
  }
  void element(const ElementRow& row) override {
    element_.row(row.number, row.kind, row.id, row.name, row.short_name, row.version, row.start,
                 row.end, row.latitude, row.longitude, row.altitude, row.unlocode, row.address,
                 row.node_a, row.node_b);
  }
  void property(std::int64_t element, std::string_view name, std::string_view value) override {
    property_.row(element, name, value);
  }
  void owner(std::int64_t element, std::int64_t institution) override {
    owner_.row(element, institution);
  }
  void member(std::int64_t topology, std::int64_t element) override {
    member_.row(topology, element);
  }

  void finish() {
    for (TextFile* file : {&topology_, &element_, &property_, &owner_, &member_}) file->finish();
  }

 private:
  TextFile topology_;
  TextFile element_;
  TextFile property_;
  TextFile owner_;
  TextFile member_;
};

}  // namespace

void write_text_files(const engine::Document& document, const std::string& folder) {
  TextFiles files(folder);
  give_rows(document, files);
  files.finish();
}

}  // namespace netml::bench
