#include "tests/e2e/support/node.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "admin/server/system_clock.hpp"
#include "tests/support/file_content.hpp"
#include "tests/support/http_clients.hpp"

namespace netml::e2e {

std::string program() {
  const char* other = std::getenv("NETML_BINARY");
  return other != nullptr ? other : NETML_BUILT_BINARY;
}

namespace {

const Clock& machine_clock() {
  static const admin::SystemClock clock;
  return clock;
}

// Writes as long as the other side takes it; false once it has begun to answer or gone.
class BodyWriter {
 public:
  explicit BodyWriter(net::ByteChannel& channel) : channel_(channel) {}
  bool operator()(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto ready = channel_.wait(true, kPatience);
      if (!ready || *ready != net::ByteChannel::Ready::to_write) return false;
      const auto written = channel_.write_some(bytes);
      if (!written) return false;
      bytes.remove_prefix(*written);
    }
    return true;
  }

 private:
  net::ByteChannel& channel_;
};

// The status and the body; the headers are not looked at.
Answer read_answer(net::ByteChannel& channel) {
  std::string text;
  std::string piece(4096, '\0');
  while (true) {
    NETML_TRY(const auto ready, channel.wait(false, kPatience));
    if (ready == net::ByteChannel::Ready::timed_out) return fail(Errc::unavailable, "no answer");
    NETML_TRY(const std::size_t got, channel.read_some(piece));
    if (got == 0) break;
    text.append(piece, 0, got);
  }
  net::ClientResponse response;
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return fail(Errc::io_error, "not an answer: " + text);
  std::from_chars(text.data() + space + 1, text.data() + text.size(), response.status);
  response.body = text.substr(std::min(text.size(), text.find("\r\n\r\n") + 4));
  return response;
}

}  // namespace

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::string read_file(const std::filesystem::path& path) {
  return test::file_content(path);
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  EXPECT_TRUE(file.good()) << path;
}

std::string form_head(const UploadForm& form) {
  std::string text;
  for (const auto& [name, value] : form.fields)
    text +=
        fmt::format("--edge-of-a-part\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\n{}\r\n",
                    name, value);
  return text + fmt::format(
                    "--edge-of-a-part\r\nContent-Disposition: form-data; name=\"file\"; "
                    "filename=\"{}\"\r\nContent-Type: application/xml\r\n\r\n",
                    form.file_name);
}

net::Headers Client::with_token(net::Headers headers) const {
  if (!token_.empty()) headers.set_default("Authorization", "Bearer " + token_);
  return headers;
}

Answer Client::send(std::string_view method, std::string_view path, net::Headers headers,
                    std::string body) const {
  NETML_TRY(auto client, socket_.empty()
                             ? net::client_over_tcp({"127.0.0.1", port_}, machine_clock())
                             : net::client_over_unix(socket_, machine_clock()));
  return client.send(
      {std::string(method), std::string(path), with_token(std::move(headers)), std::move(body)});
}

Answer Client::upload(const std::string& file, const UploadForm& form) const {
  NETML_TRY(auto client, net::client_over_tcp({"127.0.0.1", port_}, machine_clock()));
  net::ClientRequest request{"POST", form.path, with_token({}), {}};
  request.headers.add("Content-Type", kFormType);
  request.body = form_head(form).append(file).append(kFormTail);
  return client.send(request);
}

Answer Client::upload_pattern(std::string_view pattern, std::uint64_t bytes) const {
  NETML_TRY(auto channel, net::connect_tcp({"127.0.0.1", port_}, kPatience));
  const UploadForm form;
  const std::string head = form_head(form);
  std::string piece;
  while (piece.size() < (1 << 20)) piece += pattern;
  BodyWriter write(*channel);
  bool taken = write(fmt::format(
      "POST {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {}\r\nContent-Type: {}\r\n"
      "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
      form.path, port_, token_, kFormType, head.size() + bytes + kFormTail.size(), head));
  for (std::uint64_t left = bytes; taken && left > 0;) {
    const std::size_t now = std::min<std::uint64_t>(left, piece.size());
    taken = write(std::string_view(piece).substr(0, now));
    left -= now;
  }
  if (taken) write(kFormTail);
  return read_answer(*channel);
}

Server::Server(const std::string& data, const std::filesystem::path& log,
               const std::vector<std::string>& options, std::vector<std::string> variables,
               const std::string& before)
    : process_(
          before.empty() ? program() : "/bin/sh",
          [&] {
            std::vector<std::string> words{"serve", "--data", data, "--listen", "127.0.0.1:0"};
            if (!before.empty())
              words.insert(words.begin(), {"-c", before + "; exec \"$0\" \"$@\"", program()});
            words.insert(words.end(), options.begin(), options.end());
            return words;
          }(),
          {}, log.string(), std::move(variables)) {
  const std::string line = process_.read_line().value_or("");
  constexpr std::string_view kAddress = "://127.0.0.1:";
  const std::size_t at = line.find(kAddress);
  if (line.starts_with("listening on http") && at != std::string::npos)
    std::from_chars(line.data() + at + kAddress.size(), line.data() + line.size(), port_);
}

int Server::stop() {
  process_.signal(SIGTERM);
  return process_.wait().value_or(-1);
}

void Server::kill() {
  process_.signal(SIGKILL);
  EXPECT_EQ(process_.wait(), 128 + SIGKILL);
}

std::uint64_t Server::memory_kib(std::string_view field) const {
  std::istringstream lines(read_file(fmt::format("/proc/{}/status", process_.pid())));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(field)) return std::strtoull(line.c_str() + field.size() + 1, nullptr, 10);
  ADD_FAILURE() << "no " << field;
  return 0;
}

CommandResult Node::run(std::vector<std::string> words) {
  ++commands_;
  const auto out = file(fmt::format("{}.out", commands_));
  const auto err = file(fmt::format("{}.err", commands_));
  words.insert(words.end(), {"--data", data_});
  Process process(program(), words, out.string(), err.string());
  const std::optional<int> exit_code = process.wait();
  EXPECT_TRUE(exit_code.has_value()) << words.front() << " does not end";
  return {exit_code.value_or(-1), read_file(out), read_file(err)};
}

void Node::make() {
  if (std::filesystem::exists(data_)) return;
  EXPECT_EQ(serve()->stop(), 0);
}

std::string Node::done(std::vector<std::string> words) {
  if (words.front() != "init") make();
  const std::string command = fmt::format("{}", fmt::join(words, " "));
  CommandResult result = run(std::move(words));
  EXPECT_EQ(result.exit_code, 0) << command << ": " << result.err;
  return std::move(result.out);
}

CommandResult Node::import(const std::string& content, std::vector<std::string> options) {
  const auto path = file("import.xml");
  write_file(path, content);
  std::vector<std::string> words{"import", path.string()};
  words.insert(words.end(), options.begin(), options.end());
  return run(std::move(words));
}

std::string Node::token(const std::string& kind) {
  std::string value =
      done({"token", "create", fmt::format("client {}", commands_), "--kind", kind});
  if (!value.empty()) value.pop_back();
  return value;
}

std::unique_ptr<Server> Node::serve(const std::vector<std::string>& options,
                                    std::vector<std::string> variables,
                                    const std::string& before) const {
  auto server = std::make_unique<Server>(data_, log(), options, std::move(variables), before);
  EXPECT_NE(server->port(), 0) << read_file(log());
  return server;
}

}  // namespace netml::e2e
