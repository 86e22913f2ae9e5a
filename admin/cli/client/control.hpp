// The API as commands call it (docs/api.md), whatever carries the calls: the
// control socket of a running server, or this process when none runs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/result.hpp"
#include "engine/base/work_now.hpp"

namespace netml::admin::cli {

struct ControlRequest {
  std::string method = "GET";
  std::string target;                    // path and query, percent-encoded
  std::string body;                      // JSON; empty = none
  std::optional<std::string> body_file;  // path of a regular file that is the body, streamed
  bool server_may_open = false;          // the handler takes the file by its name, too
  bool only_asks = false;                // changes nothing, whatever the method
};

struct ControlResponse {
  int status = 0;
  std::string head;  // of X-NetML-Head: "LSN:hash"
  std::string body;
  std::string omitted = {};  // of X-NetML-Omitted: what an export does not contain
  std::string damage = {};   // why a directory that was opened here could not be read to its end

  bool succeeded() const { return status >= 200 && status < 300; }
};

// Takes the body of an answer piece by piece; an error ends the call.
using BodySink = std::function<Status(std::string_view piece)>;

// Is given how far a call has come. Thread: that of the call, and one beside it for work().
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void sent(std::uint64_t bytes) = 0;  // of the body, in total so far
  // Whether anybody looks. Else nobody needs to ask how far the work behind the call is.
  virtual bool watched() const { return false; }
  virtual void work(const WorkNow& /*now*/) {}  // as whoever does the work says
};

// Failure: an error of the transport; what the node refuses is a response like any other.
// Thread: one at a time.
class Control {
 public:
  virtual ~Control() = default;
  // The body of a successful answer goes to `sink` if there is one, any other into the response.
  virtual Result<ControlResponse> call(const ControlRequest& request, const BodySink& sink,
                                       Progress& progress) = 0;
};

// Puts a path and a query together: api("tokens").segment("3").text()
class Target {
 public:
  explicit Target(std::string path)
      : text_(std::move(path)), has_query_(text_.find('?') != std::string::npos) {}
  Target& segment(std::string_view name);  // encoded, after a slash
  Target& query(std::string_view name, const std::optional<std::string>& value);  // if there is one
  Target& flag(std::string_view name, bool set);                                  // name=1
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool has_query_;
};

inline Target api(std::string_view path) {
  return Target("/api/v1/" + std::string(path));
}

inline ControlRequest request(std::string method, const Target& target, std::string body = {}) {
  return {.method = std::move(method),
          .target = target.text(),
          .body = std::move(body),
          .body_file = {}};
}

// The same, of what changes nothing.
inline ControlRequest question(std::string method, const Target& target, std::string body = {}) {
  ControlRequest asked = request(std::move(method), target, std::move(body));
  asked.only_asks = true;
  return asked;
}
// One or the other: a dry run is a question.
inline ControlRequest question_if(bool dry_run, std::string method, const Target& target) {
  return dry_run ? question(std::move(method), target) : request(std::move(method), target);
}

}  // namespace netml::admin::cli
