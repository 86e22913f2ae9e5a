#include "codecs/xlsx/detail/xlsx_package.hpp"

#include <fmt/format.h>

#include <boost/unordered/unordered_flat_map.hpp>

#include "codecs/document/error_list.hpp"
#include "codecs/xlsx/detail/xlsx_part.hpp"
#include "engine/base/texts.hpp"

namespace netml::codecs {

namespace {

constexpr std::string_view kWorkbookType =
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";
constexpr std::string_view kTypesPart = "[Content_Types].xml";
constexpr std::string_view kPackageRelationships = "_rels/.rels";
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

// What the parts of the package are. Only parts that are there count: some programs declare types
// for endings of names that no part has.
class ContentTypes final : public PartEvents {
 public:
  explicit ContentTypes(const ZipArchive& archive) : archive_(archive) {
    for (const std::string& part : archive.names()) of_endings_[lower_ascii(ending_of(part))];
  }

  // The part that is declared to be the workbook; empty when only an ending is.
  const std::string& main_part() const { return main_part_; }
  // Of a part of the archive: its own type, else that of its ending; empty when none is declared.
  std::string_view of(std::string_view part) const {
    if (const auto own = of_parts_.find(lower_ascii(part)); own != of_parts_.end())
      return own->second;
    return of_endings_.at(lower_ascii(ending_of(part)));
  }

 private:
  static std::string_view ending_of(std::string_view part) {
    const std::size_t dot = part.rfind('.');
    return dot == part.npos ? std::string_view() : part.substr(dot + 1);
  }

  void begin(Tag tag, std::span<const XmlAttribute> attributes) override {
    const std::string_view type = attribute(attributes, "ContentType");
    if (tag == Tag::content_type) {
      std::string_view part = attribute(attributes, "PartName");  // as "/xl/workbook.xml"
      if (part.starts_with('/')) part.remove_prefix(1);
      if (!archive_.contains(part)) return;
      of_parts_.try_emplace(lower_ascii(part), type);
      if (type == kWorkbookType) main_part_ = part;
    } else if (tag == Tag::default_content_type) {
      const auto ending = of_endings_.find(lower_ascii(attribute(attributes, "Extension")));
      if (ending != of_endings_.end()) ending->second = type;
    }
  }

  const ZipArchive& archive_;
  std::string main_part_;
  boost::unordered_flat_map<std::string, std::string> of_parts_;
  boost::unordered_flat_map<std::string, std::string> of_endings_;  // those that parts have
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
  CellRules rules;

 private:
  void begin(Tag tag, std::span<const XmlAttribute> attributes) override {
    if (tag == Tag::workbook_properties)
      rules.date_1904 = is_true(attribute(attributes, "date1904"));
    if (tag == Tag::calculation)
      rules.calculate_on_load = is_true(attribute(attributes, "fullCalcOnLoad"));
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

ZipResult<void> check_types(const ZipArchive& archive, const ContentTypes& types) {
  for (const std::string& part : archive.names()) {
    if (part == kTypesPart) continue;  // it is none itself
    const std::string_view type = types.of(part);
    if (means_macros(part) || means_macros(type))
      return zip_fault("macros-forbidden", std::string(kMacrosMessage));
    if (contains_ignoring_case(type, "externallink"))
      return zip_fault("external-link", std::string(kExternalMessage));
  }
  return {};
}

// The part that is the workbook: the one declared to be it, else the one that the package names.
ZipResult<std::string> find_main_part(ZipArchive& archive) {
  if (!archive.contains(kTypesPart)) return no_workbook("it has no list of its parts");
  ContentTypes types(archive);
  NETML_TRY_VOID(read_part(archive, kTypesPart, types));
  NETML_TRY_VOID(check_types(archive, types));
  if (!types.main_part().empty()) return types.main_part();
  if (archive.contains(kPackageRelationships)) {
    Relationships relationships;
    NETML_TRY_VOID(read_part(archive, kPackageRelationships, relationships));
    std::string part = resolve("", relationships.target_of_type("officeDocument"));
    if (archive.contains(part) && types.of(part) == kWorkbookType) return part;
  }
  return no_workbook("none of its parts is a workbook");
}

}  // namespace

const WorkbookSheet* Workbook::find(std::string_view name) const {
  const std::string wanted = lower_ascii(trim(name));
  for (const WorkbookSheet& sheet : sheets)
    if (lower_ascii(trim(sheet.name)) == wanted) return &sheet;
  return nullptr;
}

ZipResult<Workbook> read_workbook(ZipArchive& archive) {
  NETML_TRY(const std::string main, find_main_part(archive));
  const std::string folder = main.substr(0, main.rfind('/') + 1);

  Relationships relationships;
  const std::string relationships_part =
      fmt::format("{}_rels/{}.rels", folder, main.substr(folder.size()));
  NETML_TRY_VOID(read_part(archive, relationships_part, relationships));
  WorkbookPart part;
  NETML_TRY_VOID(read_part(archive, main, part));

  Workbook workbook;
  workbook.rules = part.rules;
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
