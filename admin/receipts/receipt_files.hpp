// The files that hold receipts: `receipts/` in the data directory, a line for each
// (docs/receipts.md, "The files").
//
// A file is named after the number of its first receipt and holds a 64th of what all together may
// take; then another one is begun, and the oldest go. What follows from a line that was cut or
// damaged: its receipt is lost, no other, and its number is given to nobody else.
//
// A line is handed to the system and not synced: power that fails takes the last ones, a crash of
// the program none. Failure: as storage fails; then nothing of the receipt is there. Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "admin/receipts/receipt.hpp"
#include "engine/base/result.hpp"
#include "wal/storage/storage.hpp"

namespace netml::admin {

class ReceiptFiles {
 public:
  // In the data directory given; made when something is written.
  ReceiptFiles(std::string data_directory, std::uint64_t bytes_max);
  ~ReceiptFiles();  // what was written is durable then
  ReceiptFiles(const ReceiptFiles&) = delete;
  ReceiptFiles& operator=(const ReceiptFiles&) = delete;

  // Gives the receipt its number.
  Status append(Receipt receipt);

  // What there is now. Reads a file at a time, when one of its receipts is asked for: whoever goes
  // through them in their order reads each file once. Thread: one.
  class Reader {
   public:
    std::uint64_t last() const { return last_; }  // number; 0: there is none
    // How many numbers there are up to the last one, those of damaged receipts among them.
    std::size_t count() const;
    // Nothing for one that is gone or damaged.
    std::optional<Receipt> find(std::uint64_t number);

   private:
    friend class ReceiptFiles;
    Result<std::string> text_of_file(std::uint64_t first) const;

    std::unique_ptr<wal::Storage> directory_;
    std::vector<std::uint64_t> firsts_;  // of the files, ascending
    std::uint64_t last_ = 0;
    std::uint64_t newest_bytes_ = 0;  // of the newest file, up to the end of a line
    std::uint64_t read_ = 0;          // the file that `receipts_` are of
    std::vector<Receipt> receipts_;   // by number
  };
  Result<Reader> read();

  // What is damaged, for people to read. Reads all of them.
  std::vector<std::string> findings();

 private:
  // All below with mutex_ held.
  Status find_newest();
  Status open_to_write();
  Status begin_file();
  Status remove_oldest();
  std::uint64_t file_bytes_max() const;

  const std::string data_directory_;
  const std::uint64_t bytes_max_;
  std::mutex mutex_;
  // Guarded by mutex_.
  bool looked_ = false;                      // the next five say what is there
  std::unique_ptr<wal::Storage> directory_;  // null: there is none
  std::vector<std::uint64_t> firsts_;        // of the files, ascending
  std::uint64_t last_ = 0;                   // number given last
  std::uint64_t bytes_ = 0;                  // of the newest file
  bool cut_ = false;                         // its last line has no end
  std::unique_ptr<wal::File> file_;          // the newest, where something was written
};

}  // namespace netml::admin
