#!/usr/bin/env python3
"""Plants one fault of each kind in a small tree and expects the style check to find just that."""

import tempfile
import unittest
from pathlib import Path

import check_style


class CheckStyle(unittest.TestCase):
    def found(self, check, files):
        with tempfile.TemporaryDirectory() as root:
            for name, content in files.items():
                path = Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content, encoding="utf-8")
            return list(check_style.CHECKS[check](check_style.Tree(root)))

    def test_an_arrow_that_is_not_declared_is_found(self):
        files = {"engine/base/CMakeLists.txt": "netml_folder(\n  SOURCES a.cpp)\n",
                 "engine/graph/CMakeLists.txt": "netml_folder(\n  LINK engine/base\n  FOREIGN x)\n",
                 "wal/log/CMakeLists.txt": "netml_folder(\n  SOURCES b.cpp\n  LINK engine/graph)\n",
                 "engine/base/a.cpp": '#include "engine/graph/graph.hpp"\n',
                 "wal/log/detail/b.cpp": '#include "engine/base/a.hpp"\n',
                 "wal/log/b.cpp": '#include "admin/main.hpp"\n#include "wal/log/c.hpp"\n'}
        self.assertEqual(self.found("folder_arrows", files),
                         ["engine/base/a.cpp:1: engine/base does not declare engine/graph "
                          "(engine/graph/graph.hpp)"])

    def test_folders_that_use_each_other_are_found(self):
        files = {"net/a/CMakeLists.txt": "netml_folder(LINK net/b)\n",
                 "net/b/CMakeLists.txt": "netml_folder(LINK net/a)\n"}
        self.assertEqual(len(self.found("folder_arrows", files)), 2)

    def test_insides_of_a_folder_are_for_itself_and_for_tests(self):
        files = {"wal/upkeep/b.cpp": '#include "wal/journal/detail/x.hpp"\n',
                 "wal/journal/detail/c.cpp": '#include "wal/journal/detail/x.hpp"\n',
                 "wal/journal/c.cpp": '#include "wal/journal/detail/x.hpp"\n',
                 "tests/wal/d.cpp": '#include "wal/journal/detail/x.hpp"\n'}
        self.assertEqual(self.found("folder_arrows", files),
                         ["wal/upkeep/b.cpp:1: wal/journal/detail/x.hpp is private to wal/journal"])

    def test_the_product_may_use_the_generator_and_no_other_benchmark(self):
        files = {"admin/cli/CMakeLists.txt": "netml_folder(FOREIGN netml::generator)\n",
                 "admin/node/CMakeLists.txt": "netml_folder(SOURCES b.cpp)\n",
                 "admin/cli/a.cpp": '#include "bench/generator/generator.hpp"\n',
                 "admin/node/b.cpp": '#include "bench/generator/generator.hpp"\n',
                 "admin/cli/c.cpp": '#include "bench/engine/x.hpp"\n'}
        self.assertEqual(sorted(self.found("folder_arrows", files)),
                         ["admin/cli/c.cpp:1: bench/engine/x.hpp is not for the product",
                          "admin/node/b.cpp:1: admin/node does not declare bench/generator "
                          "(bench/generator/generator.hpp)"])

    def test_a_field_in_the_prose_of_an_error_is_found(self):
        files = {"engine/a.cpp": 'return fail(Errc::invalid_input,\n  "name: is needed");\n'
                                 'return fail(Errc::invalid_input, "name", "is needed: now");\n'
                                 'return fail(Errc::io_error, "read: " + why);\n',
                 "admin/b.cpp": 'return fail(Errc::conflict, fmt::format("{}: is taken", name));\n',
                 "tests/c.cpp": 'return fail(Errc::conflict, "name: is taken");\n'}
        self.assertEqual(self.found("error_fields", files),
                         ['admin/b.cpp:1: name the field apart: fail(code, "{}", "...")',
                          'engine/a.cpp:1: name the field apart: fail(code, "name", "...")'])

    def test_a_limit_that_its_page_does_not_have_is_found(self):
        files = {"docs/limits.md": "| `a_max` | 7 | bytes | of all |\n"
                                   "| items | 1,024 | `net/a.cpp` `kItemsMax` |\n"
                                   "| parts | 8 | `net/a.cpp` `kPartsMax` |\n",
                 "net/http/limits.hpp": 'constexpr std::string_view kA = "a_max";\n'
                                        'constexpr std::string_view kB = "b_max";\n',
                 "net/a.cpp": "constexpr int kItemsMax = 1 << 10;\nconstexpr int kPartsMax = 9;\n"
                              'refuse(beyond_limit("it is too long", limit_names::kA, 7));\n'
                              'refuse(beyond_limit("it is too long", 9));\n'}
        self.assertEqual(self.found("limits", files),
                         ["net/a.cpp:4: name the limit by limit_names",
                          "net/http/limits.hpp: b_max is not in docs/limits.md",
                          "docs/limits.md: kPartsMax is 9, not 8"])

    def test_a_retired_word_is_found_with_its_replacement(self):
        files = {"docs/glossary.md": "| told | not here |\n## Retired words\n| retired | instead |\n|---|---|\n"
                                     "| by hand | manually |\n| packed, doomed | compressed |\n## More\n",
                 "docs/a.md": "It is done By hand, and by handlers.\n",
                 "engine/a.cpp": "// The packed file.\nint packed_bytes; // told\n"}
        self.assertEqual(self.found("retired_words", files),
                         ['docs/a.md:1: not "By hand" but: manually',
                          'engine/a.cpp:1: not "packed" but: compressed'])

    def test_a_header_without_pragma_once_is_found(self):
        files = {"a.hpp": "// Good.\n\n#pragma once\n", "b.hpp": "// Bad.\n#include <map>\n"}
        self.assertEqual(len(self.found("pragma_once", files)), 1)

    def test_a_file_that_is_too_long_is_found(self):
        files = {"a.cpp": "int a;\n" * 700, "b.cpp": "int b;\n" * 701}
        self.assertEqual(self.found("file_sizes", files), ["b.cpp: 701 lines, more than 700"])

    def test_a_function_that_is_too_long_is_found(self):
        body = "  work();\n"
        files = {"a.cpp": "void a() {\n" + body * 70 + "}\n",
                 "b.cpp": "void b(int x,\n       int y) {\n" + body * 71 + "}\n",
                 "c.hpp": "class C {\n  void c() {\n" + "  " + body * 71 + "  }\n};\n",
                 "d.hpp": "namespace d {\n" + body * 90 + "}\n",
                 "e.hpp": "template <class T>\nclass E {\n" + body * 90 + "};\n"}
        self.assertEqual([line.split(":")[0] for line in self.found("function_sizes", files)],
                         ["b.cpp", "c.hpp"])

    def test_each_forbidden_text_is_found(self):
        # In pieces: this file names no place of one machine, and no registry, either.
        a_home, a_registry = "/".join(("", "home", "me")), ".".join(("registry", "npmjs", "org"))
        for line in ("// TODO later", "\tint x;", "int x; ", f'open("{a_home}/x");',
                     f"see {a_registry}", "x" * 101):
            self.assertEqual(len(self.found("text", {"a.cpp": line + "\n"})), 1, line)
        for line in ("see /healthwork/", "${ROOT}/work/x", "a/root/b", "x" * 100):
            self.assertEqual(self.found("text", {"a.cpp": line + "\n"}), [], line)

    def test_a_link_to_nowhere_is_found(self):
        files = {"docs/a.md": "[ok](b.md#part) [out](https://x.example/) [up](../README.md) `[](c)`\n",
                 "docs/b.md": "```\n[no](link)\n```\n[gone](missing.md)\n", "README.md": ""}
        self.assertEqual(self.found("links", files), ["docs/b.md:4: nothing is at missing.md"])

    REQUIREMENTS = {"docs/requirements/api.md": "## 4. Tokens\n\n\n\n### 4.1 Kinds\n\n## Words\n",
                    "docs/requirements/rules.md": "| Rule |\n|---|\n| S1 | a |\n| S2 | b |\n",
                    "docs/requirements/decisions.md": "|---|---|\n| 7 | c |\n",
                    "a.cpp": "// docs/requirements/api.md, section 4; S1 to S2; decision 7\n"}

    def test_references_that_lead_somewhere_are_no_faults(self):
        for name, text in (("b.cpp", "int s9;  // S1\n// \"docs/b.md\" is read, see\n"
                                     "// docs/requirements/api.md,\n// section 4.1, and RFC 1, section 9\n"),
                           ("b.cpp", "// docs/requirements/api.md, \"Words\"\n\n// and section 4.1\n"),
                           ("b.cpp", "TEST(Suite, Holds_S2) {\n}\n"),
                           ("b.py", "x = 'S9'  # S1\ndef f():\n    \"\"\"As decision 7.\"\"\"\n"),
                           ("docs/c.md", "[b.md](b.md), [api](requirements/api.md), section 4\n"
                                         "```\nsection 9, S9\n```\n| cell B2 |\n"),
                           ("b.sh", "# engine/x.cpp\nS9=1\n")):
            files = {**self.REQUIREMENTS, "docs/b.md": "", "engine/x.cpp": "", name: text}
            self.assertEqual(self.found("references", files), [], text)

    def test_each_reference_to_nowhere_is_found(self):
        api = "docs/requirements/api.md"
        for text, fault in (("// see design.md", "there is no page design.md"),
                            ("// a\n// docs/gone.md,\n// b", "there is no page docs/gone.md"),
                            (f"// {api}, section 5", f"{api} has no section 5"),
                            (f"// {api}, sections 4 to 5", f"{api} has no section 5"),
                            (f"// {api}, \"Gone\"", f'{api} has no section "Gone"'),
                            ("// section 4", "section 4 of which page?"),
                            ("// (S3)", "there is no rule S3"),
                            ("// S1 to S3", "there is no rule S3"),
                            ("TEST_F(Suite, Holds_S3) {", "there is no rule S3"),
                            ("// decisions 7 and 8", "there is no decision 8"),
                            ("// tests/gone.cpp shows it", "there is no file tests/gone.cpp"),
                            ("// durability rules", "this is not in the tree: durability rules")):
            found = self.found("references", {**self.REQUIREMENTS, "b.cpp": text + "\n"})
            self.assertEqual([line.split(": ", 1)[1] for line in found], [fault], text)

    def test_rules_that_planted_faults_name_and_scripts_are_looked_at(self):
        files = {**self.REQUIREMENTS, "tests/planted_faults/f.py": 'Fault("a", "S3", "S2")\n',
                 "bench/run": "#!/bin/sh\n# decision 8\n", "bench/data": "# decision 9\n"}
        self.assertEqual(sorted(self.found("references", files)),
                         ["bench/run:2: there is no decision 8",
                          "tests/planted_faults/f.py:1: there is no rule S3"])

    def test_the_line_of_a_reference_is_told(self):
        files = {**self.REQUIREMENTS, "b.cpp": "int a;\n// One,\n// two (S3),\n// three.\n"}
        self.assertEqual(self.found("references", files), ["b.cpp:3: there is no rule S3"])

    def test_requirements_that_nobody_cites_or_that_stand_twice_are_found(self):
        files = {**self.REQUIREMENTS, "a.cpp": "// S1\n",
                 "docs/requirements/more.md": "See S2, and api.md, section 4.\n\n| S1 | again |\n"}
        self.assertEqual(self.found("references", files),
                         ["docs/requirements/rules.md:3: S1 stands "
                          "at docs/requirements/more.md:3, too",
                          "docs/requirements/rules.md:4: nothing refers to rule S2",
                          "docs/requirements/decisions.md:2: nothing refers to decision 7",
                          "docs/requirements/api.md:5: nothing refers to section 4.1"])

    def test_a_proof_that_does_not_exist_is_found(self):
        files = {"tests/x/CMakeLists.txt": "netml_test_program(x_tests\n  SOURCES a_test.cpp\n  LINK y)\n",
                 "tests/x/a_test.cpp": "TEST(Suite, Works) {\n}\nTEST_P(Rows, Hold) {\n}\n",
                 "docs/compatibility.md": "| Behaviour | Here | Proof |\n|---|---|---|\n"
                                          "| a | same | `x_tests Suite.Works`, `x_tests Rows.*` |\n"
                                          "| b | better | `x_tests Suite.Gone` |\n"
                                          "| c | same | |\n"
                                          "| d | not yet: reason | |\n"
                                          "| e | perhaps | `x_tests Suite.Works` |\n"}
        self.assertEqual([line.split(": ")[0] for line in self.found("proofs", files)],
                         [f"docs/compatibility.md:{number}" for number in (4, 5, 7)])

    def test_unformatted_code_is_found(self):
        if not check_style.shutil.which("clang-format-19"):
            self.skipTest("clang-format-19 is not installed")
        files = {"a.cpp": "int a ;\n", "b.cpp": "int b;\n", ".clang-format": "BasedOnStyle: Google\n"}
        self.assertEqual(len(self.found("formatting", files)), 1)

    def test_what_was_built_is_not_looked_at(self):
        self.assertEqual(self.found("text", {"build/a.cpp": "\tTODO\n"}), [])


if __name__ == "__main__":
    unittest.main()
