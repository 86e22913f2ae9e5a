// The port over one session; its calls stand by concern in append.cpp, reading.cpp, lease.cpp,
// uploads.cpp and members.cpp.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wal/postgres/detail/payload.hpp"
#include "wal/postgres/detail/session.hpp"
#include "wal/shared/shared_log.hpp"

namespace netml::wal::postgres {

class PostgresLog final : public SharedLog {
 public:
  explicit PostgresLog(SharedEngineSettings settings)
      : session_(std::move(settings), Session::Check::log) {}
  Status connect() { return session_.connect(); }

  Result<SharedHead> head() override;
  Appended append_if(const Append& append) override;
  Result<std::vector<SharedPiece>> read_from(const ReadPlace& place,
                                             std::uint64_t bytes_max) override;
  Status wait_beyond(Lsn after, std::chrono::nanoseconds at_most) override;

  Leased take_lease(std::string_view holder, Epoch seen, std::chrono::nanoseconds length) override;
  Leased renew_lease(std::string_view holder, Epoch epoch,
                     std::chrono::nanoseconds length) override;
  Leased release_lease(std::string_view holder, Epoch epoch) override;

  Status put_upload(const SharedUpload& upload, std::uint32_t number,
                    std::span<const std::byte> piece) override;
  Result<SharedUpload> find_upload(const Sha256& hash) override;
  Result<std::vector<std::byte>> get_upload(const SharedUpload& upload,
                                            std::uint32_t number) override;

  Status report(const Member& member) override;
  Result<std::vector<Member>> members() override;
  Status remove_member(std::string_view name) override;
  Result<bool> forget(Lsn upto, std::chrono::nanoseconds age) override;

 private:
  Status send_frames(const Append& append);
  Appended refused_append();
  Result<Lsn> newest();
  Result<std::vector<SharedPiece>> pieces_in(const Rows& rows);
  // `step` answers with one truth: whether the lease is as it was asked for.
  Leased lease(Statement step);

  Session session_;
  PayloadCodec codec_;
};

// As a parameter; what is longer than the database can add to its clock counts as a century.
std::int64_t microseconds(std::chrono::nanoseconds time);
// Stores a file that an append brings. It points to the file's bytes.
Statement insert_file(const SharedFile& file);
// Whether it can be the name of a member or a holder there.
bool is_shared_name(std::string_view name);

}  // namespace netml::wal::postgres
