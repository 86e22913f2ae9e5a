// netbox_collate FOLDER [MAPPING] [--time]
//
// Reads pages of NetBox's API from a folder, as files `dcim.site.1.json`, and prints what they
// join: a line for each link, "node<tab>node<tab>circuit id". With --time, on standard error, how
// long a plain parse of the same bytes takes, and how long it takes until the document is made.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "codecs/formats/netbox/netbox_map.hpp"
#include "codecs/formats/netbox/netbox_pages.hpp"
#include "tests/support/file_content.hpp"

namespace {

using netml::codecs::netbox::Mapping;
using netml::codecs::netbox::PageReader;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// By the names of their files.
std::map<std::string, std::string> pages_in(const char* folder) {
  std::map<std::string, std::string> pages;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    pages[entry.path().filename().string()] = netml::test::file_content(entry.path());
  return pages;
}

// "dcim.site" of "dcim.site.1.json"
std::string_view model_of(std::string_view file_name) {
  return file_name.substr(0, file_name.find('.', file_name.find('.') + 1));
}

void print_links(const netml::engine::Document& document) {
  const auto& root = document.topologies.front();
  for (const auto& link : document.links(root)) {
    const auto node = [&](int end) {
      return document.elements[link.ends[end]].attributes->fields().name;
    };
    std::string cid;
    link.attributes->for_each_property([&](const netml::engine::Property& property) {
      if (property.name == "cid") cid = property.value;
    });
    fmt::print("{}\t{}\t{}\n", node(0), node(1), cid);
  }
}

int run(const char* folder, const Mapping& mapping, bool timed) {
  const auto pages = pages_in(folder);
  const auto parse_begin = Clock::now();
  if (timed)
    for (const auto& [name, bytes] : pages) boost::json::parse(bytes);
  const double parse = seconds_since(parse_begin);
  const auto begin = Clock::now();
  PageReader reader(mapping);
  std::size_t bytes_read = 0;
  for (const auto& [name, bytes] : pages) {
    bytes_read += bytes.size();
    const auto page = reader.add(model_of(name), bytes, {});
    if (page) continue;
    fmt::print(stderr, "{}: {}\n", name, page.error().text());
    return 1;
  }
  const double read = seconds_since(begin);
  const auto document =
      netml::codecs::netbox::make_document(reader.seal(), mapping, {"made", {}, {}});
  const double all = seconds_since(begin);
  if (!document) return 1;
  if (timed)
    fmt::print(stderr, "{} MB: plain parse {:.2f} s, pages {:.2f} s, document {:.2f} s\n",
               bytes_read / 1'000'000, parse, read, all);
  print_links(*document);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const bool timed = argc > 2 && std::string_view(argv[argc - 1]) == "--time";
  const int words = timed ? argc - 1 : argc;
  const auto mapping = netml::codecs::netbox::parse_mapping(words == 3 ? argv[2] : "");
  if (words < 2 || words > 3 || !mapping) return 2;
  return run(argv[1], *mapping, timed);
}
