// A data directory with what runs on it: commands, a server, and requests to that server.
//
// The program is the one that was built with the tests; the variable NETML_BINARY names another.
// Thread: one, except what is said of Server.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "net/client/http_client.hpp"
#include "tests/e2e/support/process.hpp"
#include "tests/support/temporary_directory.hpp"

namespace netml::e2e {

// A whole number from the environment, for the size of long tests.
std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise);

// The path of the program under test.
std::string program();

std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::string_view content);

struct CommandResult {
  int exit_code = -1;
  std::string out;
  std::string err;
};

struct UploadForm {
  std::string file_name = "map.xml";
  std::vector<std::pair<std::string, std::string>> fields;  // before the file
  std::string path = "/netml_import/upload/";
};

// The body of a form with one file, and the value of its Content-Type.
inline constexpr std::string_view kFormType = "multipart/form-data; boundary=edge-of-a-part";
std::string form_head(const UploadForm& form);  // all that stands before the file's bytes
inline constexpr std::string_view kFormTail = "\r\n--edge-of-a-part--\r\n";

using Answer = Result<net::ClientResponse>;

// Answers of a server that ran at `port`, or of a control socket; a new connection for each
// request. Thread: any (immutable).
class Client {
 public:
  Client(std::uint16_t port, std::string token) : port_(port), token_(std::move(token)) {}
  explicit Client(std::string socket) : socket_(std::move(socket)) {}

  Answer send(std::string_view method, std::string_view path, net::Headers headers = {},
              std::string body = {}) const;
  Answer get(std::string_view path, net::Headers headers = {}) const {
    return send("GET", path, std::move(headers));
  }
  Answer upload(const std::string& file, const UploadForm& form = {}) const;
  // An upload of `bytes` bytes that repeat `pattern`, which is never in memory as a whole.
  Answer upload_pattern(std::string_view pattern, std::uint64_t bytes) const;

 private:
  net::Headers with_token(net::Headers headers) const;
  std::uint16_t port_ = 0;
  std::string token_;
  std::string socket_;  // instead of the port
};

// `netml serve`, ready for requests.
class Server {
 public:
  // `before`: commands for the shell that starts it, such as "ulimit -v 600000".
  Server(const std::string& data, const std::filesystem::path& log,
         const std::vector<std::string>& options, std::vector<std::string> variables = {},
         const std::string& before = {});

  // 0 when it did not start; then exit_code() and the log say why.
  std::uint16_t port() const { return port_; }
  Process& process() { return process_; }
  Client client(const std::string& token) const { return {port_, token}; }
  int stop();  // SIGTERM; the exit code
  void kill();
  // From /proc: "VmRSS" now, "VmHWM" at most so far.
  std::uint64_t memory_kib(std::string_view field) const;

 private:
  Process process_;
  std::uint16_t port_ = 0;
};

class Node {
 public:
  Node() : data_(directory_.file("data").string()) {}

  const std::string& data() const { return data_; }
  Client control() const { return Client(data_ + "/control.sock"); }  // of its server
  std::filesystem::path file(std::string_view name) const { return directory_.file(name); }
  std::filesystem::path log() const { return file("server.log"); }  // of the newest server

  // The data directory, by a server that stops at once; what it holds is that of a first start.
  void make();
  // With this data directory; `words` without --data.
  CommandResult run(std::vector<std::string> words);
  // The same for what must succeed, in a data directory that is there; standard output.
  std::string done(std::vector<std::string> words);
  // A file written, then imported by the command line.
  CommandResult import(const std::string& content, std::vector<std::string> options = {});
  std::string export_all() { return done({"export"}); }
  std::string token(const std::string& kind);  // a new one's value

  // `variables` (NAME=VALUE) are added to its environment; `before` as of Server.
  std::unique_ptr<Server> serve(const std::vector<std::string>& options = {},
                                std::vector<std::string> variables = {},
                                const std::string& before = {}) const;

 private:
  test::TemporaryDirectory directory_;
  std::string data_;
  int commands_ = 0;
};

}  // namespace netml::e2e
