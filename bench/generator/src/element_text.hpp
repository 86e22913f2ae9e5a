// The NetML text of single generated elements, appended to a string.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bench/generator/generator.hpp"
#include "bench/generator/src/layout.hpp"

namespace netml::generator {

enum class Listing : std::uint8_t {
  full,
  copy,  // marked as belonging to its home
};

// Thread: one at a time.
class ElementText {
 public:
  ElementText(const GeneratorOptions& options, const Layout& layout, std::string& out)
      : options_(options), layout_(layout), out_(out) {}

  // The start tag with name, owner and property; the root's declares the name spaces.
  void topology_start(std::uint32_t topology, Element owner);
  void topology_end();
  void global_institution();
  void institution(Element institution, Listing listing);
  void node(Element node, Listing listing);
  void link(Element link);

 private:
  void text(std::string_view value) { out_.append(value); }
  void number(std::uint64_t value, int digits_min);
  void degrees(std::int64_t micro_degrees);
  void topology_id(std::uint32_t topology);
  void element_id(std::uint32_t home, std::string_view kind, std::uint32_t index);
  void owner(Element institution);
  void version(std::uint64_t draw, bool changed);
  void name_suffix(std::uint32_t index, bool changed);
  void lifetime(std::uint64_t draw);
  void location(std::uint64_t draw);
  void property(std::string_view name, std::string_view value);
  void properties(std::uint64_t draw, std::uint32_t index, std::span<const std::string_view> tags,
                  std::span<const std::string_view> types);
  void copy_mark(std::uint32_t home);

  const GeneratorOptions& options_;
  const Layout& layout_;
  std::string& out_;
};

}  // namespace netml::generator
