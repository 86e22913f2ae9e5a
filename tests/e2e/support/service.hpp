// What a service manager does for the program, done by a test: it holds the listening socket, hands
// it to each process that it starts, and takes their notices, as systemd does.
// Thread: one at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "net/http/unique_fd.hpp"
#include "tests/e2e/support/process.hpp"
#include "tests/support/notice_socket.hpp"

namespace netml::e2e {

class Service {
 public:
  // Notices and logs lie in `directory`, which is there and stays.
  Service(const std::filesystem::path& directory, std::string data);

  std::uint16_t port() const { return port_; }
  const test::NoticeSocket& notices() const { return notices_; }
  std::filesystem::path log() const { return log_; }  // of the process that was started last

  // `netml serve` of that program with the socket; does not wait until it is ready.
  std::unique_ptr<Process> start(const std::string& program,
                                 const std::vector<std::string>& options = {},
                                 std::vector<std::string> variables = {});
  // The same, ready; null when it does not come to that.
  std::unique_ptr<Process> start_ready(const std::string& program,
                                       const std::vector<std::string>& options = {});
  // Another socket than the one that clients know, for what must be refused.
  void hold(net::UniqueFd socket) { held_ = std::move(socket); }

 private:
  const std::filesystem::path directory_;
  const std::string data_;
  test::NoticeSocket notices_;
  std::filesystem::path log_;
  net::UniqueFd held_;
  std::uint16_t port_ = 0;
  int started_ = 0;
};

}  // namespace netml::e2e
