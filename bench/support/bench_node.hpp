// A node as the command line opens it, quiet and with the machine's clock, and imports into it.
//
// Failure: ends the program; a figure of something that failed is none. Thread: one.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "admin/imports/import_job.hpp"
#include "admin/node/node.hpp"
#include "admin/node/secrets.hpp"
#include "admin/server/system_clock.hpp"
#include "codecs/formats/file_format.hpp"

namespace netml::bench {

class SilentLog : public admin::EventLog {
 public:
  void information(std::string_view, std::string_view) override {}
  void warning(std::string_view, std::string_view) override {}
  void error(std::string_view, std::string_view) override {}
};

class BenchNode {
 public:
  explicit BenchNode(const std::string& data_directory, const codecs::FileLimits& limits = {}) {
    auto opened = admin::Node::open({.data_directory = data_directory, .file_limits = limits},
                                    clock_, random_, log_);
    if (!opened) std::abort();
    node_ = std::move(*opened);
  }
  // Without the final checkpoint, which is measured by itself.
  ~BenchNode() {
    if (!node_->close(true)) std::abort();
  }
  BenchNode(const BenchNode&) = delete;
  BenchNode& operator=(const BenchNode&) = delete;

  admin::Node& node() { return *node_; }
  // From now on files that come again need not be read, as in a server.
  void know_files() { known_ = std::make_shared<admin::KnownFiles>(node_->memory()); }

  // `next` gives the pieces of the file; an empty one ends it.
  template <class Next>
  admin::ImportResult import_pieces(Next&& next) {
    admin::ImportRequest request;
    request.file_name = "map.xml";
    // The map's root stays what it is when it is imported again.
    request.place = admin::ImportPlace::top_level;
    auto job =
        admin::ImportJob::begin(*node_, std::move(request), admin::ReadWhen::arriving, known_);
    if (!job) std::abort();
    for (std::string_view piece = next(); !piece.empty(); piece = next()) (*job)->write(piece);
    admin::ImportOutcome outcome = (*job)->commit();
    if (!outcome) std::abort();
    return std::move(*outcome);
  }

  admin::ImportResult import(std::string_view text) {
    constexpr std::size_t kPieceBytes = 1 << 20;
    return import_pieces([&text] {
      const std::string_view piece = text.substr(0, kPieceBytes);
      text.remove_prefix(piece.size());
      return piece;
    });
  }

 private:
  admin::SystemClock clock_;
  admin::SystemRandom random_;
  SilentLog log_;
  std::unique_ptr<admin::Node> node_;
  std::shared_ptr<admin::KnownFiles> known_;  // null: each file is read
};

}  // namespace netml::bench
