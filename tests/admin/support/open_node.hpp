// A node open on a data directory of its own, which goes with it.
// Thread: one, except what Node says of itself.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "admin/services/node.hpp"
#include "tests/support/ports.hpp"

namespace netml::admin::testing {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "netml-admin-XXXXXX").string();
    NETML_ASSERT(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;  // a directory that stays harms no other test
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path file(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

// Keeps what was reported.
class KeptEvents : public EventLog {
 public:
  void information(std::string_view, std::string_view) override {}
  void warning(std::string_view event, std::string_view text) override {
    warnings.push_back(std::string(event) + ": " + std::string(text));
  }
  void error(std::string_view event, std::string_view text) override {
    errors.push_back(std::string(event) + ": " + std::string(text));
  }

  std::vector<std::string> warnings;
  std::vector<std::string> errors;
};

class OpenNode {
 public:
  OpenNode() { open(); }

  Node& operator*() { return *node_; }
  Node* operator->() { return node_.get(); }
  std::filesystem::path file(std::string_view name) const { return directory_.file("data") / name; }
  const KeptEvents& events() const { return events_; }
  netml::testing::ManualClock& clock() { return clock_; }

  void close() { node_.reset(); }
  void open(bool read_only = false) {
    auto opened = Node::open({.data_directory = file("").string(), .read_only = read_only}, clock_,
                             random_, events_);
    NETML_ASSERT(opened.has_value());
    node_ = std::move(*opened);
  }

 private:
  TemporaryDirectory directory_;
  netml::testing::ManualClock clock_;
  netml::testing::SeededRandom random_;
  KeptEvents events_;
  std::unique_ptr<Node> node_;
};

}  // namespace netml::admin::testing
