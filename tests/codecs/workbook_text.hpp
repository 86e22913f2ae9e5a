// Small workbooks, part by part, as other programs write them or as nobody should.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/document/zip_writer.hpp"
#include "codecs/xlsx/xlsx_reader.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

// Bytes in memory, which outlive it.
class MemoryFile final : public RandomAccessFile {
 public:
  explicit MemoryFile(std::string_view bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> out) override {
    bytes_.copy(reinterpret_cast<char*>(out.data()), out.size(), offset);
    return {};
  }

 private:
  std::string_view bytes_;
};

inline ReadResult read_xlsx(std::string_view bytes, const XlsxOptions& options) {
  MemoryFile file(bytes);
  return read_xlsx(file, options);
}

}  // namespace netml::codecs

namespace netml::codecs::test {

inline constexpr std::string_view kMainSpace =
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
inline constexpr std::string_view kOfficeSpace =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
inline constexpr std::string_view kSheetMainType =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";

// A cell in short: "" none, "#1.5" the number, "<...>" the XML of the cell's inside with its
// attributes before a '|', anything else a text.
using Row = std::vector<std::string>;

inline std::string cell_xml(std::string_view place, std::string_view text) {
  if (text.empty()) return {};
  if (text.front() == '#') return fmt::format("<c r=\"{}\"><v>{}</v></c>", place, text.substr(1));
  if (text.front() == '<') {
    const std::size_t bar = text.find('|');
    return fmt::format("<c r=\"{}\" {}>{}</c>", place, text.substr(bar + 1), text.substr(0, bar));
  }
  return fmt::format("<c r=\"{}\" t=\"inlineStr\"><is><t>{}</t></is></c>", place, text);
}

// A formula with the result that a program kept, or without one.
inline std::string formula(std::string_view result) {
  return result.empty() ? std::string("<f>A1</f>|")
                        : fmt::format("<f>A1</f><v>{}</v>|t=\"str\"", result);
}

class WorkbookText {
 public:
  // The rows of a sheet, from `first` on.
  WorkbookText& sheet(const std::string& name, const std::vector<Row>& rows,
                      std::uint32_t first = 1) {
    std::string xml;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      xml += fmt::format("<row r=\"{}\">", first + i);
      for (std::size_t column = 0; column < rows[i].size(); ++column)
        xml += cell_xml(fmt::format("{}{}", engine::column_letters(column + 1), first + i),
                        rows[i][column]);
      xml += "</row>";
    }
    return sheet_xml(name, xml);
  }
  WorkbookText& sheet_xml(const std::string& name, const std::string& rows) {
    if (!sheets_.contains(name)) order_.push_back(name);
    sheets_[name] = fmt::format("<worksheet xmlns=\"{}\"><sheetData>{}</sheetData></worksheet>",
                                kMainSpace, rows);
    return *this;
  }
  WorkbookText& without_sheet(const std::string& name) {
    std::erase(order_, name);
    return *this;
  }
  WorkbookText& shared_strings(const std::vector<std::string>& items) {
    strings_ = fmt::format("<sst xmlns=\"{}\">", kMainSpace);
    for (const std::string& item : items) strings_ += "<si>" + item + "</si>";
    strings_ += "</sst>";
    return *this;
  }
  WorkbookText& styles(const std::string& inside) {
    styles_ = fmt::format("<styleSheet xmlns=\"{}\">{}</styleSheet>", kMainSpace, inside);
    return *this;
  }
  WorkbookText& properties(const std::string& attributes) {
    properties_ = attributes;
    return *this;
  }
  // Attributes of calcPr.
  WorkbookText& calculation(const std::string& attributes) {
    calculation_ = attributes;
    return *this;
  }
  // A part as it is, in place of one of these or beside them.
  WorkbookText& part(const std::string& name, const std::string& bytes) {
    parts_[name] = bytes;
    return *this;
  }
  WorkbookText& types(const std::string& more) {
    types_ = more;
    return *this;
  }
  WorkbookText& relationships(const std::string& more) {
    relationships_ = more;
    return *this;
  }

  std::string build() const {
    std::map<std::string, std::string> parts;
    std::string sheets;
    std::string targets = relationships_;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::string part = fmt::format("worksheets/sheet{}.xml", i + 1);
      parts["xl/" + part] = sheets_.at(order_[i]);
      sheets += fmt::format("<sheet name=\"{}\" sheetId=\"{}\" r:id=\"rId{}\"/>", order_[i], i + 1,
                            i + 1);
      targets += relationship(fmt::format("rId{}", i + 1), "worksheet", part);
    }
    if (!strings_.empty()) {
      parts["xl/sharedStrings.xml"] = strings_;
      targets += relationship("rIdStrings", "sharedStrings", "sharedStrings.xml");
    }
    if (!styles_.empty()) {
      parts["xl/styles.xml"] = styles_;
      targets += relationship("rIdStyles", "styles", "styles.xml");
    }
    parts["[Content_Types].xml"] = fmt::format(
        "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
        "<Override PartName=\"/xl/workbook.xml\" ContentType=\"{}\"/>{}</Types>",
        kSheetMainType, types_);
    parts["xl/workbook.xml"] = fmt::format(
        "<workbook xmlns=\"{}\" xmlns:r=\"{}\"><workbookPr {}/><sheets>{}</sheets>"
        "<calcPr {}/></workbook>",
        kMainSpace, kOfficeSpace, properties_, sheets, calculation_);
    parts["xl/_rels/workbook.xml.rels"] = fmt::format(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
        "{}</Relationships>",
        targets);
    for (const auto& [name, bytes] : parts_) parts[name] = bytes;
    ZipWriter archive;
    for (const auto& [name, bytes] : parts) {
      archive.begin(name);
      archive.write(bytes);
    }
    return std::move(archive).finish();
  }

  static std::string relationship(std::string_view id, std::string_view type,
                                  std::string_view target) {
    return fmt::format("<Relationship Id=\"{}\" Type=\"{}/{}\" Target=\"{}\"/>", id, kOfficeSpace,
                       type, target);
  }

 private:
  std::vector<std::string> order_;
  std::map<std::string, std::string> sheets_;
  std::map<std::string, std::string> parts_;
  std::string strings_;
  std::string styles_;
  std::string properties_;
  std::string calculation_;
  std::string types_;
  std::string relationships_;
};

inline const Row kInstitutionHeaders{"Name",    "Latitude", "Longitude", "Altitude",
                                     "Address", "URL",      "Type",      "Internal ID"};
inline const Row kNodeHeaders{"Name",     "Label",   "Internal ID", "Latitude",  "Longitude",
                              "Altitude", "Address", "Type",        "Ownership", "Co-Ownership"};
inline const Row kLinkHeaders{"Name", "Label",      "Internal ID", "Endpoint",    "Endpoint",
                              "Type", "Throughput", "Ownership",   "Co-Ownership"};

// Headers in row 1, then two institutions, two nodes and a link between them.
inline WorkbookText small_workbook() {
  WorkbookText workbook;
  workbook.sheet("Institutions", {kInstitutionHeaders, {"Uni"}, {"Lab"}});
  workbook.sheet("Nodes", {kNodeHeaders, {"A", "", "a", "#1", "#2"}, {"B", "", "b", "#3", "#4"}});
  workbook.sheet("Links", {kLinkHeaders, {"L", "", "l", "A", "B"}});
  return workbook;
}

inline ReadResult read(const std::string& bytes, std::string_view name = "Net") {
  return read_xlsx(bytes, {.topology_name = name});
}
inline ReadResult read(const WorkbookText& workbook) {
  return read(workbook.build());
}

// The document of a workbook that must be accepted.
inline engine::Document accepted(const WorkbookText& workbook) {
  ReadResult result = read(workbook);
  if (result) return *std::move(result);
  for (const engine::InputError& error : result.error().first) ADD_FAILURE() << error.text();
  return {};
}

// Code and place of each error: "bad-number at sheet Nodes, cell D2".
inline std::vector<std::string> refusals(const ReadResult& result) {
  std::vector<std::string> texts;
  if (result) return texts;
  for (const engine::InputError& error : result.error().first)
    texts.push_back(error.place().empty() ? error.code
                                          : fmt::format("{} at {}", error.code, error.place()));
  return texts;
}
inline std::vector<std::string> refusals(const WorkbookText& workbook) {
  return refusals(read(workbook));
}

}  // namespace netml::codecs::test
