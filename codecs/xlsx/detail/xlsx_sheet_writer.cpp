#include "codecs/xlsx/detail/xlsx_sheet_writer.hpp"

#include <fmt/format.h>

#include "codecs/document/numbers.hpp"
#include "codecs/document/xml_text.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

namespace {

constexpr std::size_t kBufferBytes = 64 << 10;

constexpr std::string_view kXmlHeader =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
constexpr std::string_view kMain = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
constexpr std::string_view kOffice =
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
constexpr std::string_view kPackage = "http://schemas.openxmlformats.org/package/2006";
constexpr std::string_view kPartType =
    "application/vnd.openxmlformats-officedocument.spreadsheetml";

// The styles that CellStyle numbers.
constexpr std::string_view kStyles =
    "<fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>"
    "<font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
    "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>"
    "<fill><patternFill patternType=\"gray125\"/></fill></fills>"
    "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
    "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/>"
    "</cellStyleXfs><cellXfs count=\"3\">"
    "<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>"
    "<xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyFont=\"1\"/>"
    "<xf numFmtId=\"49\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
    "applyNumberFormat=\"1\" quotePrefix=\"1\"/></cellXfs>"
    "<cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles>";

bool looks_like_formula(std::string_view text) {
  return std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

bool begins_escape(std::string_view text) {
  constexpr std::size_t kLength = 7;
  constexpr std::string_view kHex = "0123456789abcdefABCDEF";
  return text.size() >= kLength && text.starts_with("_x") && text[kLength - 1] == '_' &&
         text.substr(2, kLength - 3).find_first_not_of(kHex) == text.npos;
}

void put(ZipWriter& archive, const std::string& part, std::string_view content) {
  archive.begin(part);
  archive.write(kXmlHeader);
  archive.write(content);
}

}  // namespace

void append_workbook_text(std::string& out, std::string_view text) {
  for (std::size_t at = text.find("_x"); at != text.npos; at = text.find("_x")) {
    append_escaped(out, text.substr(0, at));
    out += begins_escape(text.substr(at)) ? "_x005F_" : "_";
    text.remove_prefix(at + 1);
  }
  append_escaped(out, text);
}

// ---- sheets ----

SheetWriter::SheetWriter(ZipWriter& archive, const std::string& part, std::uint32_t frozen_rows)
    : archive_(archive) {
  archive_.begin(part);
  buffer_ = kXmlHeader;
  buffer_ += fmt::format("<worksheet xmlns=\"{}\">", kMain);
  if (frozen_rows > 0)
    buffer_ += fmt::format(
        "<sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"{}\" topLeftCell=\"A{}\" "
        "activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>",
        frozen_rows, frozen_rows + 1);
  buffer_ += "<cols><col min=\"1\" max=\"16\" width=\"22\" customWidth=\"1\"/></cols><sheetData>";
}

void SheetWriter::flush() {
  archive_.write(buffer_);
  buffer_.clear();
}

void SheetWriter::begin_row(std::uint32_t number) {
  row_ = number;
  buffer_ += fmt::format("<row r=\"{}\">", number);
}

void SheetWriter::begin_cell(std::uint32_t column, CellStyle style) {
  buffer_ += fmt::format("<c r=\"{}{}\"", engine::column_letters(column), row_);
  if (style != CellStyle::plain) buffer_ += fmt::format(" s=\"{}\"", static_cast<int>(style));
}

void SheetWriter::text(std::uint32_t column, std::string_view value, CellStyle style) {
  if (value.empty()) return;
  begin_cell(column, looks_like_formula(value) ? CellStyle::quoted : style);
  buffer_ += " t=\"inlineStr\"><is><t xml:space=\"preserve\">";
  append_workbook_text(buffer_, value);
  buffer_ += "</t></is></c>";
}

void SheetWriter::number(std::uint32_t column, engine::Micro value) {
  begin_cell(column, CellStyle::plain);
  buffer_ += "><v>";
  append_shortest(buffer_, value);
  buffer_ += "</v></c>";
}

void SheetWriter::end_row() {
  buffer_ += "</row>";
  if (buffer_.size() >= kBufferBytes) flush();
}

void SheetWriter::row(std::uint32_t number, const std::vector<std::string_view>& texts,
                      CellStyle style) {
  begin_row(number);
  std::uint32_t column = 0;
  for (const std::string_view value : texts) text(++column, value, style);
  end_row();
}

void SheetWriter::finish() {
  buffer_ += "</sheetData></worksheet>";
  flush();
}

// ---- the workbook ----

std::string sheet_part(std::size_t number) {
  return fmt::format("xl/worksheets/sheet{}.xml", number);
}

void write_workbook_parts(ZipWriter& archive, std::span<const std::string_view> sheet_names) {
  std::string types = fmt::format(
      "<Types xmlns=\"{0}/content-types\">"
      "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package."
      "relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/>"
      "<Override PartName=\"/xl/workbook.xml\" ContentType=\"{1}.sheet.main+xml\"/>"
      "<Override PartName=\"/xl/styles.xml\" ContentType=\"{1}.styles+xml\"/>",
      kPackage, kPartType);
  std::string sheets;
  std::string relationships;
  for (std::size_t i = 0; i < sheet_names.size(); ++i) {
    types += fmt::format("<Override PartName=\"/{}\" ContentType=\"{}.worksheet+xml\"/>",
                         sheet_part(i + 1), kPartType);
    sheets += fmt::format("<sheet name=\"{}\" sheetId=\"{}\" r:id=\"rId{}\"/>", sheet_names[i],
                          i + 1, i + 1);
    relationships +=
        fmt::format("<Relationship Id=\"rId{}\" Type=\"{}/worksheet\" Target=\"/{}\"/>", i + 1,
                    kOffice, sheet_part(i + 1));
  }
  put(archive, "[Content_Types].xml", types + "</Types>");
  put(archive, "_rels/.rels",
      fmt::format("<Relationships xmlns=\"{}/relationships\"><Relationship Id=\"rId1\" "
                  "Type=\"{}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
                  kPackage, kOffice));
  put(archive, "xl/workbook.xml",
      fmt::format("<workbook xmlns=\"{}\" xmlns:r=\"{}\"><sheets>{}</sheets></workbook>", kMain,
                  kOffice, sheets));
  put(archive, "xl/_rels/workbook.xml.rels",
      fmt::format("<Relationships xmlns=\"{}/relationships\">{}<Relationship Id=\"rId{}\" "
                  "Type=\"{}/styles\" Target=\"styles.xml\"/></Relationships>",
                  kPackage, relationships, sheet_names.size() + 1, kOffice));
  put(archive, "xl/styles.xml",
      fmt::format("<styleSheet xmlns=\"{}\">{}</styleSheet>", kMain, kStyles));
}

}  // namespace netml::codecs
