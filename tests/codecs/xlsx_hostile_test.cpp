// Workbooks that nobody should send (docs/requirements/durability-and-security.md, section 3, the
// row "xlsx"): refused with a clear word, in bounded memory, whatever they declare.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <random>

#include "tests/codecs/netml_text.hpp"
#include "tests/codecs/workbook_text.hpp"

namespace netml::codecs {
namespace {

using test::kInstitutionHeaders;
using test::read;
using test::refusals;
using test::small_workbook;
using test::WorkbookText;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

std::uint64_t peak_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss);
}

// Little-endian, as zip writes numbers.
void put(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}
constexpr std::string_view kDirectoryEntry{"PK\1\2", 4};
constexpr std::string_view kLocalHeader{"PK\3\4", 4};
std::size_t directory_entry(const std::string& bytes, std::string_view name) {
  for (std::size_t at = bytes.find(kDirectoryEntry); at != bytes.npos;
       at = bytes.find(kDirectoryEntry, at + 1))
    if (bytes.compare(at + 46, name.size(), name) == 0) return at;
  ADD_FAILURE() << name;
  return 0;
}
std::size_t local_header(const std::string& bytes, std::string_view name) {
  for (std::size_t at = bytes.find(kLocalHeader); at != bytes.npos;
       at = bytes.find(kLocalHeader, at + 1))
    if (bytes.compare(at + 30, name.size(), name) == 0) return at;
  ADD_FAILURE() << name;
  return 0;
}
constexpr std::string_view kFirstSheet = "xl/worksheets/sheet1.xml";

TEST(HostileXlsx, IsNoWorkbook) {
  for (const std::string bytes : {"", "PK", "<xml/>", "PK\3\4 and no more"})
    EXPECT_THAT(refusals(read(bytes)), ElementsAre("not-a-workbook")) << bytes;
  EXPECT_THAT(refusals(read(std::string(1000, '\0'))), ElementsAre("not-a-workbook"));
  EXPECT_THAT(read("<?xml version=\"1.0\"?><a/>").error().first[0].message,
              HasSubstr("it is XML; if it is an exchange file, give it a name that ends in .xml"));
  ZipWriter other;
  other.begin("readme.txt");
  other.write("hello");
  EXPECT_THAT(refusals(read(std::move(other).finish())), ElementsAre("not-a-workbook"));
}

TEST(HostileXlsx, IsEncrypted) {
  const ReadResult wrapped = read("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on");
  EXPECT_THAT(refusals(wrapped), ElementsAre("encrypted"));
  EXPECT_THAT(wrapped.error().first[0].message, HasSubstr("password"));
  std::string bytes = small_workbook().build();
  put(bytes, directory_entry(bytes, kFirstSheet) + 8, 1, 2);
  EXPECT_THAT(refusals(read(bytes)), ElementsAre("encrypted"));
}

TEST(HostileXlsx, HoldsMacros) {
  EXPECT_THAT(refusals(small_workbook().part("xl/vbaProject.bin", "x")),
              ElementsAre("macros-forbidden"));
  EXPECT_THAT(refusals(small_workbook()
                           .part("xl/x.bin", "x")
                           .types("<Default Extension=\"BIN\" "
                                  "ContentType=\"application/vnd.ms-office.vbaProject\"/>")),
              ElementsAre("macros-forbidden"));
  EXPECT_THAT(refusals(small_workbook()
                           .part("xl/x.xml", "x")
                           .types("<Override PartName=\"/XL/x.xml\" ContentType=\"application/"
                                  "vnd.ms-excel.macrosheet+xml\"/>")),
              ElementsAre("macros-forbidden"));
  EXPECT_THAT(refusals(small_workbook().relationships(
                  WorkbookText::relationship("x", "xlMacrosheet", "macro/sheet1.xml"))),
              ElementsAre("macros-forbidden"));
}

// As SheetJS writes them, into every workbook.
TEST(HostileXlsx, DeclaresTypesOfPartsThatItDoesNotHold) {
  EXPECT_THAT(
      refusals(small_workbook().types(
          "<Default Extension=\"bin\" "
          "ContentType=\"application/vnd.ms-excel.sheet.binary.macroEnabled.main\"/>"
          "<Override PartName=\"/xl/externalLinks/1.xml\" ContentType=\"a/externalLink+xml\"/>")),
      testing::IsEmpty());
}

TEST(HostileXlsx, HoldsAPartWhoseOwnTypeGoesBeforeThatOfItsEnding) {
  EXPECT_THAT(
      refusals(small_workbook()
                   .part("xl/x.bin", "x")
                   .types("<Default Extension=\"bin\" ContentType=\"a/macroEnabled\"/>"
                          "<Override PartName=\"/xl/x.bin\" ContentType=\"a/printerSettings\"/>")),
      testing::IsEmpty());
}

TEST(HostileXlsx, RefersToOtherFiles) {
  EXPECT_THAT(refusals(small_workbook().relationships(
                  WorkbookText::relationship("x", "externalLink", "externalLinks/1.xml"))),
              ElementsAre("external-link"));
  EXPECT_THAT(refusals(small_workbook().relationships(
                  "<Relationship Id=\"x\" Type=\"t/worksheet\" TargetMode=\"External\" "
                  "Target=\"http://example.org/\"/>")),
              ElementsAre("external-link"));
}

TEST(HostileXlsx, KeepsHyperlinksOfCells) {
  EXPECT_THAT(refusals(small_workbook().part(
                  "xl/worksheets/_rels/sheet1.xml.rels",
                  "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/"
                  "relationships\"><Relationship Id=\"rId1\" Type=\"x/hyperlink\" "
                  "Target=\"http://example.org\" TargetMode=\"External\"/></Relationships>")),
              testing::IsEmpty());
}

TEST(HostileXlsx, DeclaresADocumentType) {
  for (const char* part : {"[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml"})
    EXPECT_THAT(refusals(small_workbook().part(
                    part, "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><x>&a;</x>")),
                Contains(StartsWith("dtd-forbidden")))
        << part;
}

TEST(HostileXlsx, HasNamesThatLeadOut) {
  for (const char* name :
       {"../evil.xml", "xl/../../evil", "/etc/passwd", "C:\\x", "a\\..\\b", "a/.."})
    EXPECT_THAT(refusals(small_workbook().part(name, "x")), ElementsAre("not-a-workbook")) << name;
}

TEST(HostileXlsx, HasTooManyEntries) {
  WorkbookText workbook = small_workbook();
  for (int i = 0; i < 1'000; ++i) workbook.part(fmt::format("x{}", i), "");
  EXPECT_THAT(refusals(workbook), ElementsAre("too-large"));
}

TEST(HostileXlsx, HasOneNameTwice) {
  ZipWriter archive;
  for (int i = 0; i < 2; ++i) {
    archive.begin(i == 0 ? "xl/Workbook.xml" : "xl/workbook.xml");
    archive.write("<x/>");
  }
  EXPECT_THAT(refusals(read(std::move(archive).finish())), ElementsAre("not-a-workbook"));
}

TEST(HostileXlsx, HasOverlappingEntries) {
  // Both entries of the directory point at one and the same local header.
  WorkbookText workbook = small_workbook();
  workbook.part("xl/a.xml", "same").part("xl/b.xml", "same");
  std::string bytes = workbook.build();
  put(bytes, directory_entry(bytes, "xl/b.xml") + 42, local_header(bytes, "xl/a.xml"), 4);
  EXPECT_THAT(refusals(read(bytes)), ElementsAre("not-a-workbook"));
}

std::string bomb(std::uint64_t bytes) {
  std::string sheet = "<worksheet xmlns=\"" + std::string(test::kMainSpace) + "\"><sheetData>";
  sheet.resize(sheet.size() + bytes, ' ');
  return small_workbook()
      .part(std::string(kFirstSheet), sheet + "</sheetData></worksheet>")
      .build();
}

TEST(HostileXlsx, ExpandsAThousandfold) {
  const std::string bytes = bomb(128 << 20);
  EXPECT_LT(bytes.size(), 200U << 10);
  const std::uint64_t before = peak_kilobytes();
  EXPECT_THAT(refusals(read(bytes)), ElementsAre("too-large at sheet Institutions"));
  EXPECT_LT(peak_kilobytes() - before, 32U << 10);
}

TEST(HostileXlsx, ExpandsBeyondTheLimitOfAllParts) {
  XlsxOptions options{.topology_name = "Net"};
  options.limits.expanded_bytes = 1'000;
  EXPECT_THAT(refusals(read_xlsx(small_workbook().build(), options)),
              Contains(StartsWith("too-large")));
}

TEST(HostileXlsx, LeavesPartsPackedThatItDoesNotNeed) {
  EXPECT_THAT(refusals(small_workbook().part("xl/media/bomb.xml", std::string(64 << 20, '\0'))),
              testing::IsEmpty());
}

TEST(HostileXlsx, LiesAboutSizes) {
  const std::string whole = small_workbook().build();
  for (const std::uint64_t size : {0ULL, 10ULL, 100'000ULL, 0xfffffffeULL, 0xffffffffULL}) {
    std::string bytes = whole;
    put(bytes, directory_entry(bytes, kFirstSheet) + 24, size, 4);
    put(bytes, local_header(bytes, kFirstSheet) + 22, size, 4);
    EXPECT_THAT(refusals(read(bytes)), SizeIs(testing::Ge(1U))) << size;
  }
  for (const std::uint64_t size : {10ULL, 0x7fffffffULL, 0xfffffffeULL, 0xffffffffULL}) {
    std::string bytes = whole;
    put(bytes, directory_entry(bytes, kFirstSheet) + 20, size, 4);
    put(bytes, local_header(bytes, kFirstSheet) + 18, size, 4);
    EXPECT_THAT(refusals(read(bytes)), SizeIs(testing::Ge(1U))) << size;
  }
}

// A workbook in a workbook is a part like any other: it is not opened.
TEST(HostileXlsx, HoldsOtherArchives) {
  std::string nested = bomb(8 << 20);
  for (int i = 0; i < 5; ++i)
    nested = small_workbook().part("xl/embeddings/inner.xlsx", nested).build();
  EXPECT_THAT(refusals(read(nested)), testing::IsEmpty());
  EXPECT_THAT(refusals(small_workbook().part("xl/workbook.xml", nested)),
              Contains(StartsWith("not-well-formed")));
}

TEST(HostileXlsx, IsLargerThanAFileMayBe) {
  XlsxOptions options{.topology_name = "Net"};
  options.limits.file_bytes = 100;
  EXPECT_THAT(refusals(read_xlsx(small_workbook().build(), options)), ElementsAre("too-large"));
}

TEST(HostileXlsx, SharesTooManyTexts) {
  XlsxOptions options{.topology_name = "Net"};
  options.limits.shared_strings = 2;
  const WorkbookText workbook =
      small_workbook().shared_strings({"<t>a</t>", "<t>b</t>", "<t>c</t>"});
  EXPECT_THAT(refusals(read_xlsx(workbook.build(), options)), ElementsAre("too-large"));
  options.limits.shared_strings = 3;
  EXPECT_TRUE(read_xlsx(workbook.build(), options).has_value());
  options.limits.shared_string_bytes = 2;
  EXPECT_THAT(refusals(read_xlsx(workbook.build(), options)), ElementsAre("too-large"));
}

TEST(HostileXlsx, UsesTheLastCorner) {
  const std::uint64_t before = peak_kilobytes();
  EXPECT_THAT(refusals(small_workbook().sheet_xml(
                  "Institutions",
                  "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>Name</t></is></c>"
                  "<c r=\"B1\" t=\"inlineStr\"><is><t>URL</t></is></c></row>"
                  "<row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>Uni</t></is></c></row>"
                  "<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>")),
              testing::IsEmpty());
  EXPECT_LT(peak_kilobytes() - before, 16U << 10);
}

TEST(HostileXlsx, LeavesTheGrid) {
  for (const char* row :
       {"<row r=\"1048577\"/>", "<row r=\"0\"/>", "<row r=\"-1\"/>", "<row r=\"x\"/>",
        "<row r=\"5\"/><row r=\"5\"/>", "<row r=\"1\"><c r=\"XFE1\"/></row>",
        "<row r=\"1\"><c r=\"B1\"/><c r=\"A1\"/></row>", "<row r=\"1\"><c r=\"1\"/></row>",
        "<row r=\"1\"><c r=\"AAAAAAAAAAAA1\"/></row>"})
    EXPECT_THAT(refusals(small_workbook().sheet_xml("Institutions", row)),
                Contains("not-a-workbook at sheet Institutions"))
        << row;
}

TEST(HostileXlsx, RefersToTextsThatAreNotThere) {
  for (const char* index : {"3", "-1", "x", "18446744073709551616"})
    EXPECT_THAT(refusals(small_workbook()
                             .shared_strings({"<t>a</t>"})
                             .sheet("Institutions", {kInstitutionHeaders,
                                                     {fmt::format("<v>{}</v>|t=\"s\"", index)}})),
                Contains("not-a-workbook at sheet Institutions"))
        << index;
}

TEST(HostileXlsx, HasARowWithoutEnd) {
  XlsxOptions options{.topology_name = "Net"};
  options.limits.row_bytes = 1'000;
  EXPECT_THAT(
      refusals(read_xlsx(small_workbook()
                             .sheet("Institutions", {kInstitutionHeaders,
                                                     {"Uni", "", "", "", std::string(2'000, 'x')}})
                             .build(),
                         options)),
      Contains("too-large at sheet Institutions"));
}

TEST(HostileXlsx, NestsDeeply) {
  std::string nested;
  for (int i = 0; i < 1'000; ++i) nested += "<x>";
  EXPECT_THAT(refusals(small_workbook().sheet_xml("Institutions", nested)),
              Contains(StartsWith("too-deep")));
}

TEST(HostileXlsx, PartsThatLackOrAreNoXml) {
  for (const char* part : {"xl/workbook.xml", "xl/_rels/workbook.xml.rels", "[Content_Types].xml",
                           "xl/worksheets/sheet2.xml"})
    for (const char* content : {"", "no xml", "<open>", "<x>\xff</x>"})
      EXPECT_THAT(refusals(small_workbook().part(part, content)), SizeIs(testing::Ge(1U)))
          << part << ' ' << content;
  EXPECT_THAT(refusals(small_workbook().relationships(
                  WorkbookText::relationship("y", "sharedStrings", "../../../nothing.xml"))),
              ElementsAre("not-a-workbook"));
}

// ---- damage ----

TEST(HostileXlsx, IsRefusedCutAtAnyPlace) {
  const std::string whole = small_workbook().build();
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 7)
    EXPECT_FALSE(read(whole.substr(0, bytes)).has_value()) << bytes;
}

TEST(HostileXlsx, IsRefusedOrReadAsItWasWithAnyChangedByte) {
  const std::string whole = small_workbook().build();
  const ReadResult right = read(whole);
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flip);
      const ReadResult result = read(bytes);
      if (result) {
        EXPECT_TRUE(test::same(result, right)) << i << " with " << flip;
      } else {
        EXPECT_THAT(result.error().first[0].message, StartsWith("Error: "));
      }
    }
}

TEST(HostileXlsx, SurvivesNoiseBehindTheMagicNumber) {
  std::mt19937 random(20'26);
  for (int round = 0; round < 2'000; ++round) {
    std::string bytes = "PK\3\4";
    for (int i = 0; i < 300; ++i) bytes += static_cast<char>(random());
    // An end record, so that the noise is taken for a directory.
    bytes += std::string("PK\5\6\0\0\0\0\2\0\2\0", 12);
    for (int i = 0; i < 10; ++i) bytes += static_cast<char>(i < 8 ? random() & 0x7f : 0);
    EXPECT_FALSE(read(bytes).has_value());
  }
}

class FailingFile final : public RandomAccessFile {
 public:
  FailingFile(std::string bytes, int reads) : bytes_(std::move(bytes)), reads_(reads) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> out) override {
    if (reads_-- == 0) return fail(Errc::io_error, "the disk is gone");
    return MemoryFile(bytes_).read_at(offset, out);
  }

 private:
  std::string bytes_;
  int reads_;
};

TEST(Xlsx, TellsAFileThatCannotBeReadFromADamagedOne) {
  const std::string bytes = small_workbook().build();
  int reads = 0;
  for (; reads < 10'000; ++reads) {
    FailingFile file(bytes, reads);
    const ReadResult result = read_xlsx(file, {.topology_name = "Net"});
    if (result) break;
    EXPECT_EQ(result.error().first[0].code, "unreadable") << reads;
  }
  EXPECT_GT(reads, 10);
}

}  // namespace
}  // namespace netml::codecs
