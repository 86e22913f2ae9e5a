#include "admin/api/site/node/file_fed_body.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "admin/answers/body_file.hpp"

namespace netml::admin {

namespace {

constexpr std::size_t kFedPieceBytes = 1 << 20;

// Takes no body of the request itself: what is to be read is known. Reading begins only with
// finish(), which may last.
class FileFedBody final : public net::BodySink {
 public:
  FileFedBody(std::unique_ptr<net::BodySink> sink, net::FileBody file)
      : sink_(std::move(sink)), file_(std::move(file)) {}

  NamedLimit bytes_max() const override { return 0; }
  std::optional<net::Response> write(std::string_view) override {
    return net::refusal(400, "a file is named, and a body sent");
  }
  net::Response finish() override {
    if (file_.length > sink_->bytes_max().value)
      return net::refusal(413, beyond_limit("bytes of the file", sink_->bytes_max()));
    auto response = feed_file(*sink_, file_, [](std::uint64_t) {});
    return response ? std::move(*response) : net::refusal(response.error());
  }

 private:
  const std::unique_ptr<net::BodySink> sink_;
  const net::FileBody file_;
};

}  // namespace

Result<net::Response> feed_file(net::BodySink& sink, const net::FileBody& body,
                                const std::function<void(std::uint64_t)>& read) {
  std::vector<char> buffer(kFedPieceBytes);
  ::posix_fadvise(body.file.get(), 0, 0, POSIX_FADV_SEQUENTIAL);  // a hint: may fail
  std::uint64_t done = 0;
  while (true) {
    const ssize_t got =
        ::pread(body.file.get(), buffer.data(), buffer.size(), static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return fail(Errc::io_error, fmt::format("cannot read the file: {}", error_text(errno)));
    if (got == 0) return sink.finish();
    if (auto refused = sink.write({buffer.data(), static_cast<std::size_t>(got)}))
      return std::move(*refused);
    done += static_cast<std::uint64_t>(got);
    read(done);
  }
}

net::Answer with_named_body_file(const net::Request& request, const net::Handler& handler) {
  const std::string name(request.headers.get(cli::kBodyFileHeader));
  if (name.empty() || !request.control) return handler(request);
  Result<net::FileBody> file = cli::open_named_body_file(name);
  if (!file) return net::refusal(cli::kSendTheBytes, file.error().message);
  net::Request of_file = request;
  of_file.content_length = file->length;
  net::Answer answer = handler(of_file);
  auto* sink = std::get_if<std::unique_ptr<net::BodySink>>(&answer);
  if (sink == nullptr) return answer;
  return std::make_unique<FileFedBody>(std::move(*sink), *std::move(file));
}

}  // namespace netml::admin
