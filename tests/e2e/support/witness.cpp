#include "tests/e2e/support/witness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "admin/server/system_clock.hpp"
#include "tests/e2e/support/secure_channel.hpp"
#include "tests/support/http_clients.hpp"

namespace netml::e2e {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

const Clock& clock_of_requests() {
  static const admin::SystemClock clock;
  return clock;
}

Result<net::HttpClient> connect(const KnownClient& client) {
  if (!client.secure) return net::client_over_tcp({"127.0.0.1", client.port}, clock_of_requests());
  NETML_TRY(auto channel, connect_securely(client.port));
  return net::HttpClient(std::move(channel), "127.0.0.1", clock_of_requests());
}

}  // namespace

Answer ask(const KnownClient& client, net::ClientRequest request, const std::string& token) {
  if (!token.empty()) request.headers.set("Authorization", "Bearer " + token);
  NETML_TRY(auto connected, connect(client));
  return connected.send(request);
}

net::ClientRequest upload_of(const std::string& map) {
  net::ClientRequest request{"POST", UploadForm{}.path, {}, {}};
  request.headers.set("Content-Type", kFormType);
  request.body = form_head({}).append(map).append(kFormTail);
  return request;
}

void Witness::Count::count(const Answer& answer, int status, milliseconds took) {
  ++asked;
  slowest = std::max(slowest, took);
  if (answer && answer->status == status)
    ++served;
  else if (first_fault.empty())
    first_fault = answer
                      ? fmt::format("{} {} after {} ms", answer->status, answer->body, took.count())
                      : fmt::format("{} after {} ms", answer.error().message, took.count());
}

std::string Witness::Count::failures() const {
  return fmt::format("{}: asked {} times, failed {} times, first: {}", what, asked, asked - served,
                     first_fault.empty() ? "(never)" : first_fault);
}

Witness::Witness(const KnownClient& client) : client_(client) {
  threads_.emplace_back([this] {
    ask_over_and_over(seen_.statuses, 200, milliseconds(100),
                      [this] { return ask(client_, {"GET", "/status/", {}, {}}); });
  });
  threads_.emplace_back([this] {
    ask_over_and_over(seen_.exports, 200, milliseconds(0), [this] {
      return ask(client_, {"GET", "/netml_export/", {}, {}}, client_.polling);
    });
  });
  threads_.emplace_back([this] {
    ask_over_and_over(seen_.imports, 201, milliseconds(0),
                      [this] { return ask(client_, upload_of(client_.map), client_.import); });
  });
  threads_.emplace_back([this] {
    ask_over_and_over(seen_.sign_ins, 200, milliseconds(1000), [this] {
      net::ClientRequest sign_in{"POST", "/api/v1/session", {}, client_.account};
      sign_in.headers.set("Content-Type", "application/json");
      sign_in.headers.set("Sec-Fetch-Site", "same-origin");
      return ask(client_, std::move(sign_in));
    });
  });
}

Witness::Seen Witness::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  for (std::thread& thread : threads_) thread.join();
  return seen_;
}

void Witness::ask_over_and_over(Count& count, int status, milliseconds pause,
                                const std::function<Answer()>& question) {
  const auto stopped = [&] {
    std::unique_lock lock(mutex_);
    return stopped_.wait_for(lock, pause, [this] { return stopping_; });
  };
  const auto first = steady_clock::now();
  do {
    const auto began = steady_clock::now();
    const Answer answer = question();
    const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - began);
    count.time = steady_clock::now() - first;
    count.count(answer, status, took);
  } while (!stopped());
}

}  // namespace netml::e2e
