"""Faults that the tests of codecs/ must find: each lets something in that must stay outside, or
writes what is not what was there."""

from fault import Area, Fault, Run

XML = (Run("codecs_tests"),)
SHEETS = (Run("xlsx_tests"),)

FAULTS = [
    # ---- XML, from anybody who has a token, or from a peer ----
    Fault("a document type declaration is accepted", "XML", "codecs/document/xml_stream.cpp",
          "  XML_SetStartDoctypeDeclHandler(parser, &XmlCallbacks::doctype);\n", "", XML),
    Fault("elements are nested as deeply as the file likes", "XML",
          "codecs/document/xml_stream.cpp",
          "  if (++depth_ > limits_.depth) {", "  if (++depth_ == 0) {", XML),
    Fault("a comment is as long as the file likes", "XML", "codecs/document/xml_stream.cpp",
          "  } else if (silent_bytes_ > limits_.markup_bytes) {", "  } else if (false) {", XML),
    Fault("the texts of a record are as many as the file likes", "XML",
          "codecs/netml/strict/netml_content.cpp",
          "  if (record_.bytes() > limits_.record_bytes)", "  if (false)", XML),
    Fault("an attribute that nobody knows is passed over", "XML",
          "codecs/netml/strict/netml_content.cpp",
          "    if (is_ignored(name)) continue;", "    continue;", XML),
    Fault("a latitude beyond the pole is taken", "XML", "codecs/netml/strict/netml_content.cpp",
          "degrees(\"latitude\", 90, at)", "degrees(\"latitude\", 180, at)", XML),
    Fault("an element that is missing is not missed", "XML",
          "codecs/netml/strict/strict_reader.cpp",
          "    if (element.counts[i] < child.min)", "    if (false)", XML),
    Fault("an element may come as often as it likes", "XML",
          "codecs/netml/strict/strict_reader.cpp",
          "  const bool repeated = count == child.max;", "  const bool repeated = false;", XML),
    Fault("a link may join a node with itself", "XML", "codecs/document/document_builder.cpp",
          "  if (link.end_count == 2 && link.ends[0].slot == link.ends[1].slot)", "  if (false)",
          XML),
    Fault("an owner that is not listed is not missed", "XML",
          "codecs/document/document_builder.cpp",
          "    if (!body_->institutions.contains(IdKey(owner.id))) report(owner);", "    {}", XML),
    Fault("the bulk path takes bytes that are no UTF-8", "XML",
          "codecs/netml/bulk/markup_cursor.cpp",
          "  return utf8_sequence_length(text);", "  return 1;", XML),
    Fault("the bulk path takes an attribute twice", "XML", "codecs/netml/bulk/slice_parser.cpp",
          "    if (std::exchange(repeated, true)) return false;\n", "    repeated = true;\n", XML),
    Fault("the bulk path does not look whether a header is complete", "XML",
          "codecs/netml/bulk/slice_parser.cpp",
          "      place >= place_in_topology(Element::institution) && !has_enough(parent))",
          "      place >= place_in_topology(Element::institution) && false)", XML),
    Fault("a carriage return is written as it stands", "export", "codecs/document/xml_text.cpp",
          "constexpr Escapes kTextEscapes{kAmpersand, kLess, kGreater, kReturn};",
          "constexpr Escapes kTextEscapes{kAmpersand, kLess, kGreater};", XML),
    # ---- spreadsheets ----
    Fault("the checksum of a part of a workbook is not looked at", "xlsx",
          "codecs/xlsx/detail/zip_archive.cpp",
          "unzCloseCurrentFile(archive_.get()) == UNZ_OK;",
          "unzCloseCurrentFile(archive_.get()) <= UNZ_OK;", SHEETS),
    Fault("a small part expands without end", "xlsx", "codecs/xlsx/detail/zip_archive.cpp",
          "  if (bytes > kFreeExpansionBytes && bytes / limits_",
          "  if (bytes == 0 && bytes / limits_", SHEETS),
    Fault("all parts together expand without end", "xlsx", "codecs/xlsx/detail/zip_archive.cpp",
          "  if (expanded_ > limits_.expanded_bytes)", "  if (false)", SHEETS),
    Fault("entries of an archive may overlap", "xlsx", "codecs/xlsx/detail/zip_archive.cpp",
          "    if (entry.data_begin < end) return damaged(\"its entries overlap\");\n", "", SHEETS),
    Fault("an entry of an archive leads out of it", "xlsx", "codecs/xlsx/detail/zip_archive.cpp",
          "  return fmt::format(\"/{}/\", name).find(\"/../\") == std::string::npos;",
          "  return true;", SHEETS),
    Fault("a workbook with macros is taken", "xlsx", "codecs/xlsx/detail/xlsx_package.cpp",
          "    if (means_macros(part) || means_macros(type))", "    if (false)", SHEETS),
    Fault("a row is as long as the file likes", "xlsx", "codecs/xlsx/detail/xlsx_sheet.cpp",
          "    refuse(\"too-large\", beyond_limit(fmt::format(",
          "    static_cast<void>(beyond_limit(fmt::format(", SHEETS),
]

AREA = Area("codecs", FAULTS, wall_seconds=300)
