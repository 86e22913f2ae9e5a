// The files made of published snapshots. All of them can be made again, so none is believed: a
// file's name tells the length and checksum of what was written, and a file that does not hold
// that is as good as missing.
//
// A name is PREFIX.ETAG.CHECKSUM-BYTES.xml: the prefix says which snapshot it is of, the tag which
// content. Failure: what is written or kept fails as storage does, and then nothing remains of it.
// Thread: any for what is const; the owner sees to it that one writes, keeps and removes at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/base/result.hpp"
#include "net/http/http.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

// What is served of a published snapshot.
struct PublishedFile {
  std::string etag;
  net::Body body;
};

class CheckedFiles;

class PublishedCache {
 public:
  // In the data directory given; it is made when something is written.
  explicit PublishedCache(std::string data_directory);

  // What was written and has no name yet.
  struct Draft {
    std::uint64_t bytes = 0;
    std::uint32_t checksum = 0;
  };
  Result<Draft> write(net::BodySource& source);
  // Under its name, instead of any other of that prefix.
  Status keep(const Draft& draft, const std::string& prefix, const std::string& etag);
  void discard() noexcept;  // what was written and not kept, if anything was

  // A file that holds what was written; its body ends with an error if it no longer does when it
  // is read.
  std::optional<PublishedFile> find(const std::string& prefix) const;

  // Removes the files of all other prefixes.
  Status keep_only(const std::set<std::string>& prefixes);

  // The files that do not hold what was written, for people to read. Reads all of them.
  std::vector<std::string> findings() const;

 private:
  std::string path() const;
  std::vector<std::string> names() const;
  Result<std::unique_ptr<wal::Storage>> open() const;
  bool holds_what_was_written(const std::string& name, const Draft& written) const;
  Status remove_all(const std::function<bool(const std::string& name)>& unwanted);

  const std::string data_directory_;
  const std::shared_ptr<CheckedFiles> checked_;
};

}  // namespace netml::admin
