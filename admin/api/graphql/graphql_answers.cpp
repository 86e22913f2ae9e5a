#include "admin/api/graphql/graphql_answers.hpp"

#include <fmt/format.h>

#include "admin/api/graphql/graphql_writer.hpp"

namespace netml::admin::web::graphql {

namespace {

constexpr std::size_t kPieceBytes = 64 << 10;
// Lists on the way down hold all records of an answer at most; and a piece.
constexpr std::uint64_t kMemoryOfAnswer = kRecordsMax * 32 + 2 * kPieceBytes;

struct Asked {
  engine::StatePtr state;
  Plan plan;
  MemoryReservation memory;
  std::shared_ptr<void> slot;
};

class LongAnswer : public net::BodySource {
 public:
  LongAnswer(std::unique_ptr<const Asked> asked, const Clock& clock, std::chrono::seconds within)
      : asked_(std::move(asked)),
        writer_(asked_->state->graph, asked_->plan),
        clock_(clock),
        deadline_(clock.steady() + within) {}

  Result<std::string_view> next() override {
    piece_.clear();
    if (clock_.steady() > deadline_)
      return fail(Errc::unavailable, "the client reads its answer too slowly");
    if (more_) {
      NETML_TRY(more_, writer_.write(piece_, kPieceBytes));
    }
    return piece_;
  }

 private:
  const std::unique_ptr<const Asked> asked_;
  Writer writer_;
  const Clock& clock_;
  const std::chrono::nanoseconds deadline_;
  std::string piece_;
  bool more_ = true;
};

tl::unexpected<Error> busy() {
  return fail(Errc::unavailable, "too many ask for long answers; try again later");
}

tl::unexpected<Error> left() {
  return fail(Errc::unavailable, "the client has left");
}

}  // namespace

Result<net::Body> Answers::of(engine::StatePtr state, Plan plan,
                              const net::ClientPresence& client) {
  if (client.has_left()) return left();
  auto asked = std::make_unique<Asked>(Asked{std::move(state), std::move(plan), {}, {}});
  Writer writer(asked->state->graph, asked->plan);
  std::string piece;
  NETML_TRY(bool more, writer.write(piece, kPieceBytes));
  if (!more) return piece;

  asked->slot = long_.take();
  const std::shared_ptr<void> counted = counted_.take();
  if (asked->slot == nullptr || counted == nullptr) return busy();
  NETML_TRY(asked->memory, memory_.reserve(MemoryUse::answers, kMemoryOfAnswer));
  const auto deadline = clock_.steady() + limits_.counted_within;
  std::uint64_t bytes = piece.size();
  while (more) {
    if (client.has_left()) return left();
    if (clock_.steady() > deadline)
      return fail(Errc::invalid_input,
                  fmt::format("the query takes longer than {} s; ask for fewer at once",
                              limits_.counted_within.count()));
    piece.clear();
    NETML_TRY(more, writer.write(piece, kPieceBytes));
    bytes += piece.size();
    if (bytes > limits_.bytes_max)
      return fail(Errc::invalid_input,
                  fmt::format("the answer is longer than {} MiB; ask for fewer at once",
                              limits_.bytes_max >> 20));
  }
  return net::StreamBody{
      std::make_unique<LongAnswer>(std::move(asked), clock_, limits_.sent_within), bytes};
}

}  // namespace netml::admin::web::graphql
