#include "wal/format/footer_codec.hpp"

#include "wal/schema/wal.capnp.h"

namespace netml::wal {

namespace {

constexpr std::size_t kFooterRootWords = 64;

void set_list(const std::vector<std::uint64_t>& values, ::capnp::List<std::uint64_t>::Builder out) {
  for (unsigned i = 0; i < values.size(); ++i) out.set(i, values[i]);
}

std::vector<std::uint64_t> to_vector(::capnp::List<std::uint64_t>::Reader in) {
  std::vector<std::uint64_t> values;
  for (const std::uint64_t value : in) values.push_back(value);
  return values;
}

}  // namespace

Status encode(const Footer& footer, MessageScratch& scratch, const PayloadConsumer& consume) {
  const auto fill = [&](schema::Footer::Builder out) {
    out.setLsn(footer.head.lsn.value);
    put_bytes<&schema::Footer::Builder::initChainHash>(out, footer.head.chain);
    out.setStateLsn(footer.state_lsn.value);
    out.setEffectiveTime(footer.effective_time.microseconds);
    out.setDigestLow(footer.digest.low);
    out.setDigestHigh(footer.digest.high);
    out.setChunks(footer.chunks);
    set_list(footer.counts, out.initCounts(static_cast<unsigned>(footer.counts.size())));
    out.setNextId(footer.next_id.value);
    out.setNextNumber(footer.next_number.value);
    set_list(footer.next_entries,
             out.initNextEntries(static_cast<unsigned>(footer.next_entries.size())));
  };
  return scratch.build<schema::Footer>(kFooterRootWords, fill, consume);
}

Result<Footer> decode_footer(std::span<const std::byte> payload) {
  return read_message<schema::Footer>(payload, [](schema::Footer::Reader in) -> Result<Footer> {
    Footer footer;
    footer.head.lsn = Lsn{in.getLsn()};
    NETML_TRY(footer.head.chain, read_hash(in.getChainHash()));
    footer.state_lsn = Lsn{in.getStateLsn()};
    footer.effective_time = WallTime{in.getEffectiveTime()};
    footer.digest = {in.getDigestLow(), in.getDigestHigh()};
    footer.chunks = in.getChunks();
    footer.counts = to_vector(in.getCounts());
    footer.next_id = RecordId{in.getNextId()};
    footer.next_number = RecordNumber{in.getNextNumber()};
    footer.next_entries = to_vector(in.getNextEntries());
    return footer;
  });
}

}  // namespace netml::wal
