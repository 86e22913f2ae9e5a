#include "codecs/src/xlsx_package.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>

#include "codecs/src/ascii.hpp"
#include "codecs/src/error_list.hpp"
#include "codecs/src/xlsx_cells.hpp"
#include "codecs/src/xlsx_part.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kWorkbookType =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";
constexpr std::size_t kSheetsMax = 256;

tl::unexpected<ZipFault> no_workbook(std::string_view why) {
  return zip_fault("not-a-workbook", fmt::format("the file is no .xlsx workbook: {}", why));
}

bool contains_ignoring_case(std::string_view text, std::string_view lower) {
  return lower_ascii(text).find(lower) != std::string::npos;
}

bool means_macros(std::string_view text) {
  return contains_ignoring_case(text, "macro") || contains_ignoring_case(text, "vbaproject");
}

constexpr std::string_view kMacrosMessage =
    "the workbook holds macros; save it as a plain .xlsx workbook";
constexpr std::string_view kExternalMessage =
    "the workbook refers to other files; break these links and save it again";

class ContentTypes final : public PartEvents {
 public:
  std::string main_part;  // as "/xl/workbook.xml"

 private:
  void begin(Tag tag, std::span<const XmlAttribute> attributes) override {
    if (tag != Tag::content_type && tag != Tag::default_content_type) return;
    const std::string_view type = attribute(attributes, "ContentType");
    if (means_macros(type)) return refuse("macros-forbidden", kMacrosMessage);
    if (contains_ignoring_case(type, "externallink"))
      return refuse("external-link", kExternalMessage);
    if (tag == Tag::content_type && type == kWorkbookType)
      main_part = attribute(attributes, "PartName");
  }
};

struct Relationship {
  std::string type;  // the last word of its address
  std::string target;
};

class Relationships final : public PartEvents {
 public:
  const Relationship* find(std::string_view id) const {
    const auto found = by_id_.find(std::string(id));
    return found == by_id_.end() ? nullptr : &found->second;
  }
  std::string target_of_type(std::string_view type) const {
    for (const auto& [id, relationship] : by_id_)
      if (relationship.type == type) return relationship.target;
    return {};
  }

 private:
  void begin(Tag tag, std::span<const XmlAttribute> attributes) override {
    if (tag != Tag::relationship) return;
    const std::string_view type = attribute(attributes, "Type");
    const std::string_view word = type.substr(type.rfind('/') + 1);
    if (means_macros(word)) return refuse("macros-forbidden", kMacrosMessage);
    if (word == "externalLink" || attribute(attributes, "TargetMode") == "External")
      return refuse("external-link", kExternalMessage);
    by_id_.emplace(attribute(attributes, "Id"),
                   Relationship{std::string(word), std::string(attribute(attributes, "Target"))});
  }

  boost::unordered_flat_map<std::string, Relationship> by_id_;
};

class WorkbookPart final : public PartEvents {
 public:
  struct Sheet {
    std::string name;
    std::string relationship;
  };
  std::vector<Sheet> sheets;
  bool date_1904 = false;

 private:
  void begin(Tag tag, std::span<const XmlAttribute> attributes) override {
    if (tag == Tag::workbook_properties) date_1904 = is_true(attribute(attributes, "date1904"));
    if (tag != Tag::sheet) return;
    if (sheets.size() == kSheetsMax)
      return refuse("too-large", fmt::format("the workbook has more than {} sheets", kSheetsMax));
    sheets.push_back({std::string(attribute(attributes, "name")),
                      std::string(attribute_of_any(attributes, "id"))});
  }
};

// The name of the part that `target` means when it stands in a part of `folder` ("xl/").
std::string resolve(std::string_view folder, std::string_view target) {
  if (target.starts_with('/')) return std::string(target.substr(1));
  std::string base(folder);
  while (target.starts_with("../") && !base.empty()) {
    target.remove_prefix(3);
    base.pop_back();
    base.resize(base.rfind('/') + 1);  // npos + 1 is 0
  }
  return base + std::string(target);
}

}  // namespace

const WorkbookSheet* Workbook::find(std::string_view name) const {
  const std::string wanted = lower_ascii(trim(name));
  for (const WorkbookSheet& sheet : sheets)
    if (lower_ascii(trim(sheet.name)) == wanted) return &sheet;
  return nullptr;
}

ZipResult<Workbook> read_workbook(ZipArchive& archive) {
  if (std::ranges::any_of(archive.names(), means_macros))
    return zip_fault("macros-forbidden", std::string(kMacrosMessage));
  if (!archive.contains("[Content_Types].xml")) return no_workbook("it has no list of its parts");
  ContentTypes types;
  NETML_TRY_VOID(read_part(archive, "[Content_Types].xml", types));
  if (types.main_part.size() < 2) return no_workbook("none of its parts is a workbook");
  const std::string main = types.main_part.substr(1);
  const std::string folder = main.substr(0, main.rfind('/') + 1);

  Relationships relationships;
  const std::string relationships_part =
      fmt::format("{}_rels/{}.rels", folder, main.substr(folder.size()));
  NETML_TRY_VOID(read_part(archive, relationships_part, relationships));
  WorkbookPart part;
  NETML_TRY_VOID(read_part(archive, main, part));

  Workbook workbook;
  workbook.date_1904 = part.date_1904;
  const std::string strings = relationships.target_of_type("sharedStrings");
  if (!strings.empty()) workbook.shared_strings = resolve(folder, strings);
  const std::string styles = relationships.target_of_type("styles");
  if (!styles.empty()) workbook.styles = resolve(folder, styles);
  for (WorkbookPart::Sheet& sheet : part.sheets) {
    const Relationship* target = relationships.find(sheet.relationship);
    if (target == nullptr)
      return no_workbook(fmt::format("sheet {} has no part", excerpt(sheet.name)));
    if (target->type != "worksheet") continue;  // a chart or dialogue
    workbook.sheets.push_back({std::move(sheet.name), resolve(folder, target->target)});
  }
  return workbook;
}

}  // namespace netml::codecs
