#include "wal/format/footer_codec.hpp"

#include <algorithm>
#include <span>

#include "wal/schema/wal.capnp.h"

namespace netml::wal {

namespace {

// Generous, with the tag of a list.
constexpr std::size_t kFooterRootWords = 64;
constexpr std::size_t kSectionWords = 2;

std::size_t words_of(const Footer& footer) {
  std::size_t words = kFooterRootWords + footer.counts.size() + footer.next_entries.size();
  if (!footer.body) return words;
  words += footer.body->sections.size() * kSectionWords;
  words += text_words(footer.body->checksums.size() * sizeof(std::uint32_t));
  return words + text_words(footer.body->mains.size() * sizeof(std::uint32_t));
}

void set_list(const std::vector<std::uint64_t>& values, ::capnp::List<std::uint64_t>::Builder out) {
  for (unsigned i = 0; i < values.size(); ++i) out.set(i, values[i]);
}

std::vector<std::uint64_t> to_vector(::capnp::List<std::uint64_t>::Reader in) {
  std::vector<std::uint64_t> values;
  for (const std::uint64_t value : in) values.push_back(value);
  return values;
}

void encode_body(const GraphBody& body, schema::GraphBody::Builder out) {
  auto sections = out.initSections(static_cast<unsigned>(body.sections.size()));
  for (unsigned i = 0; i < sections.size(); ++i) {
    sections[i].setOffset(body.sections[i].offset);
    sections[i].setBytes(body.sections[i].bytes);
  }
  out.setPieceBytes(body.piece_bytes);
  put_bytes<&schema::GraphBody::Builder::initChecksums>(out,
                                                        std::as_bytes(std::span(body.checksums)));
  auto mains = out.initMains(static_cast<unsigned>(body.mains.size()));
  for (unsigned i = 0; i < mains.size(); ++i) mains.set(i, body.mains[i].value);
  out.setNumberDigestLow(body.number_digest.low);
  out.setNumberDigestHigh(body.number_digest.high);
}

Result<GraphBody> decode_body(schema::GraphBody::Reader in) {
  GraphBody body;
  for (const auto section : in.getSections())
    body.sections.push_back({section.getOffset(), section.getBytes()});
  body.piece_bytes = in.getPieceBytes();
  const auto checksums = in.getChecksums();
  if (checksums.size() % sizeof(std::uint32_t) != 0)
    return fail(Errc::corruption, "the list of checksums is cut off");
  body.checksums.resize(checksums.size() / sizeof(std::uint32_t));
  std::ranges::copy(checksums.asBytes(), reinterpret_cast<unsigned char*>(body.checksums.data()));
  for (const std::uint32_t main : in.getMains()) body.mains.push_back(RecordId{main});
  body.number_digest = {in.getNumberDigestLow(), in.getNumberDigestHigh()};
  return body;
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
    if (footer.body) encode_body(*footer.body, out.initBody());
  };
  return scratch.build<schema::Footer>(words_of(footer), fill, consume);
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
    if (in.hasBody()) {
      NETML_TRY(footer.body, decode_body(in.getBody()));
    }
    return footer;
  });
}

}  // namespace netml::wal
