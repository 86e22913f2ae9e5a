// The file of an import: stored and hashed while it arrives, or stored before, and read once into a
// document.
//
// It is read while it arrives where there is memory for that. It holds memory for what it reads in
// the budget of the node; where there is too little now, it is read from where it is stored when
// there is; where there can never be enough, or it runs out all the same, that is the end of it.
//
// One that may be a file that is kept already is compared with it first, and neither written nor
// read as long as it agrees.
//
// Thread: one caller.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "admin/imports/detail/kept_comparison.hpp"
#include "admin/imports/import_request.hpp"
#include "admin/node/spool.hpp"
#include "codecs/formats/file_format.hpp"
#include "codecs/formats/read_as.hpp"
#include "codecs/netml/netml_reader.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

class ImportFile {
 public:
  // One that arrives, of about so many bytes, and may be the stored file `likely`.
  static Result<std::unique_ptr<ImportFile>> begin(Node& node, std::string name,
                                                   const codecs::FileFormat& format,
                                                   std::uint64_t bytes, ReadWhen when,
                                                   const SpooledFile* likely = nullptr);
  // One that was stored before. Errc::corruption when it is not the one that was accepted.
  static Result<std::unique_ptr<ImportFile>> open(Node& node, std::string name,
                                                  const codecs::FileFormat& format,
                                                  const SpooledFile& accepted);

  // False when the file cannot be accepted any more, so that sending the rest is of no use.
  bool write(std::string_view bytes);
  // An error once there is no room for the file, from the beginning or later.
  const Status& state() const { return state_; }
  // Once all was written: where it was kept before it came, and has not been read. Else null.
  const SpooledFile* kept_unread();

  const codecs::FileFormat& format() const { return format_; }
  std::uint64_t size();
  // Of all that was written. Errc::io_error when it could not be stored.
  Result<Sha256> hash();
  // Kept for audit under its hash, durably; does nothing again.
  Result<SpooledFile> store();

  // What its sender says of what is in it; empty: nothing.
  struct Named {
    const std::string& root;   // what its root is called
    const std::string& owner;  // of what names none
    const codecs::ReadAs& as;
  };
  // What it says; once. `progress` is given the bytes done while a file is read that was stored
  // before. A patient one waits for memory.
  using ReadProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;
  tl::expected<FileContent, ImportFailure> read(const Named& named, bool patient,
                                                const ReadProgress& progress);

  // For planning what it says there was no memory, which ends it like any other lack.
  Error lacks_memory(Error error);

 private:
  ImportFile(Node& node, std::string name, const codecs::FileFormat& format)
      : node_(node),
        name_(std::move(name)),
        format_(format),
        memory_(node.memory().account(MemoryUse::imports, 0)) {}
  void compare_with(const SpooledFile& likely);
  Status receive(std::string_view bytes);
  Status send_the_usual_way();
  Status end_comparison();
  void make_reader();
  Status replay(const codecs::ByteSink& take);
  Status take_in(std::string_view bytes);
  // Memory for what was written so far and a little more; without it the file is read later.
  Status claim();
  // Memory for the whole file.
  Status claim_all(bool patient);
  Status feed_stored(const ReadProgress& progress);
  using Parsed = tl::expected<FileContent, engine::InputErrors>;
  Parsed parse(const Named& named);
  Parsed parse_whole(codecs::RandomAccessFile& file, const Named& named) const;
  void give_up(Error error);
  Result<SpooledFile> spooled();

  Node& node_;
  const std::string name_;
  const codecs::FileFormat& format_;
  MemoryReservation memory_;
  Status state_;
  std::uint64_t expected_ = 0;  // bytes that are to come, as far as was said
  std::uint64_t written_ = 0;
  std::uint64_t looked_at_ = 0;  // how much was written when the system was asked last
  bool put_off_ = false;         // read once it is stored
  SpooledFile likely_;           // that it is compared with
  std::unique_ptr<KeptComparison> comparison_;  // as long as that agrees
  std::unique_ptr<Spool> spool_;                // one of the two
  std::unique_ptr<wal::File> kept_;             // of a file that was stored before
  std::optional<SpooledFile> spooled_;          // once all was written
  std::optional<SpooledFile> stored_;           // once it is kept
  // None for formats that are read whole; and while there is no memory for it.
  std::optional<codecs::NetmlReader> reader_;
};

}  // namespace netml::admin
