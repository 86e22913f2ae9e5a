// The port to the journal that the members of a cluster share: one order of frames with one writer
// at a time, kept by an engine that copies what it has to a second machine before it answers
// (docs/cluster.md).
//
// Terms. Units are bytes and nanoseconds. `Head` is an LSN and the chain hash there. An epoch is a
// term of leadership; it grows with every lease that is taken and never else. Times are those of
// the engine's clock; none decides what the history is, which heads and epochs do.
//
// A write is confirmed when it survives the loss of any one machine of the engine. Calls report
// success for confirmed writes only, and head() and read_from() show nothing else: what one of
// them gave can be put into a member's own journal.
//
// Errors. The calls that move head or lease have three outcomes, and `unknown` is one of them: the
// call may hold now, hold later, or never. take_lease() ends the doubt: see there. All other calls
// may simply be repeated, and fail with
//   unavailable    not reached, not answered in time, or not confirmed; it may have happened
//   not_found      there is no such thing, or no longer
//   corruption     what is stored cannot be what was written
//   newer_version  a newer program made or changed what is stored
//   denied         the engine refuses the credentials or the right
//   conflict       it is the log of another cluster
//   invalid_input, too_large   the caller broke a limit of this page; nothing was sent
//
// Thread: one at a time, and a call blocks for as long as the engine takes, up to the time-outs
// that the log was opened with. Whoever must not wait for another opens a log of its own: the
// leases must not wait for a long append. Logs of one process share nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/ids.hpp"
#include "engine/base/result.hpp"
#include "wal/format/journal.hpp"
#include "wal/format/stored_files.hpp"

namespace netml::wal {

// Of frames and of stored files: nothing larger is sent or given at once.
inline constexpr std::size_t kSharedPieceBytesMax = 1U << 20;
// Of the files that an append brings: what goes out in one packet with the end of it.
inline constexpr std::size_t kBroughtBytesMax = 1U << 12;
inline constexpr std::size_t kBroughtFilesMax = 4;
// Of the names of members and holders, in bytes.
inline constexpr std::size_t kSharedNameBytesMax = 200;

struct Epoch {
  std::uint64_t value = 0;
  auto operator<=>(const Epoch&) const = default;
};

// ---- where the log stands ----

struct Lease {
  // One run of one member: a name that no other run ever has, such as "alpha#8c2b0a3e". Empty:
  // nobody has it.
  std::string holder;
  Epoch epoch;                      // of the last lease that was taken, run out or not
  std::chrono::nanoseconds left{};  // 0 or less: it has run out, or nobody has it
  bool operator==(const Lease&) const = default;
};

struct SharedHead {
  NodeUuid cluster;  // the identity that the data directories of all members have
  Head head;
  Lease lease;
  // Whether a second machine confirms. If not, what is confirmed is on one machine only.
  bool synchronous = false;
  bool operator==(const SharedHead&) const = default;
};

// ---- stored files ----

// A stored file, as it lies in uploads/. Two ways to store one content are two of these, so that
// pieces of one never stand among those of the other. The log does not check the hash: whoever
// reads does.
struct SharedUpload {
  Sha256 hash{};  // of the content
  StoredAs how = StoredAs::itself;
  std::uint64_t bytes = 0;  // as stored
  bool operator==(const SharedUpload&) const = default;
};

// One that is a single piece.
struct SharedFile {
  SharedUpload upload;
  std::vector<std::byte> bytes;
};

// ---- appending ----

struct Append {
  Head before;  // where the log must stand
  Head after;   // where it stands then; of a higher LSN
  Epoch epoch;  // that of the lease it is written under
  // The frames of all transactions above `before`, up to the last of `after`, cut anywhere. At
  // least one piece, none empty, none above kSharedPieceBytesMax. What they point to is needed
  // until the call returns.
  std::span<const std::span<const std::byte>> pieces;
  // Small files that these transactions name, which spares a call and a confirmation for each: at
  // most kBroughtFilesMax of kBroughtBytesMax together. They are stored with the frames or not at
  // all; one that is there already stays.
  std::span<const SharedFile> files = {};
};
// Errc::invalid_input or too_large: what no log takes. Every append_if() begins with it.
Status check(const Append& append);

enum class Outcome : std::uint8_t {
  done,     // and confirmed
  refused,  // and never happens: another head, epoch or holder stands there
  unknown,  // it may have happened, or happen later
};

struct Appended {
  Outcome outcome = Outcome::unknown;
  SharedHead found = {};    // refused: what stands there; else as it is made
  std::string reason = {};  // refused, unknown: for a log line, without credentials
};

struct Leased {
  Outcome outcome = Outcome::unknown;
  SharedHead found = {};    // done: as it is then; refused: what stands there
  std::string reason = {};  // refused, unknown
};

// ---- reading ----

// One piece of what one append_if() brought.
struct SharedPiece {
  Head before;
  Head after;
  Epoch epoch;
  std::uint32_t number = 0;  // among the pieces of its append, from 0
  std::uint32_t count = 0;   // of them
  std::vector<std::byte> bytes;
  bool operator==(const SharedPiece&) const = default;
};

struct ReadPlace {
  Lsn after;                // the append that holds the transaction behind this one
  std::uint32_t piece = 0;  // first to be given, of that append
};

// ---- members ----

struct Member {
  std::string name;
  std::string address;                  // where the others reach it: "https://alpha.example:8443"
  Head applied;                         // verified and durable in its own journal
  std::string version;                  // of the program
  std::chrono::nanoseconds seen_ago{};  // since it reported; set by members()
  bool operator==(const Member&) const = default;
};

// ---- the port ----

class SharedLog {
 public:
  virtual ~SharedLog() = default;

  // Where it stands, confirmed.
  virtual Result<SharedHead> head() = 0;

  // Appends if head and epoch are those that `append` names: all of it or nothing.
  //   done     once and only once, and confirmed
  //   refused  nothing of it is there and nothing of it ever will be, unless this same append came
  //            there by an earlier call: then `found` has the head `after`
  //   unknown  anything between: a lost connection, a time-out, a cancelled confirmation
  // An append that is wrong in itself (see check) is refused, with `found` left as it is made.
  virtual Appended append_if(const Append& append) = 0;

  // The pieces in their order from `place` on, of one append or several, as many as fit in
  // `bytes_max`, but at least one if there is any; none when `place` is the head.
  // Errc::not_found when the pieces there were removed by forget(), or lie before the log begins: a
  // checkpoint is needed then. Errc::conflict when `place` is beyond the head.
  // Errc::invalid_input when `place.piece` is beyond the append's.
  virtual Result<std::vector<SharedPiece>> read_from(const ReadPlace& place,
                                                     std::uint64_t bytes_max) = 0;
  // Returns when the head may be beyond `after`, at the latest after `at_most`. It may return
  // early.
  virtual Status wait_beyond(Lsn after, std::chrono::nanoseconds at_most) = 0;

  // Takes the lease for `length` under the next epoch, if the newest epoch is `seen` and nobody
  // else holds a lease that has not run out. Its own holder may take it again at any time.
  //
  // This is the barrier. When it is done, `found.head` is where the log stands under the new
  // epoch: whatever was appended under an earlier epoch either is in there, or never will be. So a
  // leader that had `unknown` for an append takes the lease again and compares.
  // After `unknown`, head() shows whether it is done: the epoch is `seen` + 1 and the holder this
  // one. A call that arrives twice does nothing the second time.
  virtual Leased take_lease(std::string_view holder, Epoch seen,
                            std::chrono::nanoseconds length) = 0;
  // Lets the lease run out `length` from now, if it is the one of `holder` and `epoch`, also where
  // it had run out and nobody took it. Done proves that nobody took it: a read that must be the
  // newest asks for this.
  virtual Leased renew_lease(std::string_view holder, Epoch epoch,
                             std::chrono::nanoseconds length) = 0;
  // It has run out now, for others to take. Appends of its epoch go on being accepted until one
  // does: who releases stops appending before.
  virtual Leased release_lease(std::string_view holder, Epoch epoch) = 0;

  // Stores one piece: that of `number`, which begins at byte number * kSharedPieceBytesMax and is
  // full unless it is the last. Confirmed when it succeeds, in any order, any number of times. An
  // append that names the file brings it, or comes after all of its pieces. Errc::invalid_input
  // when it has another length than such a piece has.
  virtual Status put_upload(const SharedUpload& upload, std::uint32_t number,
                            std::span<const std::byte> piece) = 0;
  // One of which all pieces are there. Errc::not_found when there is none (yet).
  virtual Result<SharedUpload> find_upload(const Sha256& hash) = 0;
  // Errc::not_found when that piece is not there.
  virtual Result<std::vector<std::byte>> get_upload(const SharedUpload& upload,
                                                    std::uint32_t number) = 0;

  // Adds the member, or puts this in place of what it reported before.
  virtual Status report(const Member& member) = 0;
  // Sorted by name.
  virtual Result<std::vector<Member>> members() = 0;
  // Whoever leaves holds nothing back any more. One that is not there is no error.
  virtual Status remove_member(std::string_view name) = 0;

  // Removes appends up to `upto` that every member has applied, if they are older than `age`, and
  // there is a member: some of them, the oldest first. Whether there may be more. What is kept
  // begins with a whole append.
  virtual Result<bool> forget(Lsn upto, std::chrono::nanoseconds age) = 0;
};

// How many pieces a stored file has; a file of no bytes has one, which is empty.
std::uint32_t pieces_of(const SharedUpload& upload);
// How many bytes piece `number` of it has; 0 beyond the last.
std::size_t piece_bytes(const SharedUpload& upload, std::uint32_t number);

// Another log of the same cluster, for another thread.
using OpenSharedLog = std::function<Result<std::unique_ptr<SharedLog>>()>;

}  // namespace netml::wal
