#include "admin/polling/detail/netbox_fetch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <span>
#include <utility>

#include "codecs/formats/netbox/netbox_dump.hpp"
#include "codecs/formats/netbox/netbox_pages.hpp"
#include "engine/base/sha256.hpp"
#include "engine/base/wording.hpp"

namespace netml::admin {

namespace {

namespace netbox = codecs::netbox;
using netbox::Endpoint;
using netbox::PageReader;

constexpr std::size_t kRecordsPerPage = 1000;  // what a NetBox gives at most by default
constexpr std::uint64_t kPageBytesMax = 64 << 20;
constexpr std::uint64_t kTreeOfPage = 4;  // times the bytes of a page, while it is read
constexpr std::size_t kRequestsMax = 20'000;
constexpr std::size_t kReadingsMax = 3;  // of one sort, whose number changes meanwhile
constexpr std::string_view kSites = "dcim.site";
constexpr std::int64_t kDay = 86'400;
// Before the time of the last answer: a transaction may have begun long before it was seen.
constexpr std::int64_t kOverlap = 900;

using Done = tl::expected<void, FetchFailure>;

tl::unexpected<FetchFailure> unexpected_answer(std::string text) {
  return tl::unexpected(FetchFailure{"unexpected_answer", std::move(text), 200});
}

// Of "Fri, 27 Nov 2026 06:02:00 GMT"; nothing of anything else.
std::optional<Instant> instant_of(std::string_view http_date) {
  std::tm time{};
  const std::string text(http_date);
  const char* const end = ::strptime(text.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return Instant{::timegm(&time)};
}

// "2026-11-27T06:02:00Z", which needs no escapes in a query.
std::string query_time(Instant instant) {
  std::string text = format_instant(instant);
  return text.replace(text.find('+'), std::string::npos, "Z");
}

// "&region=europe&slug=oslo": a site is known by its slug.
std::string query_of(const std::vector<std::string>& filters) {
  constexpr std::string_view kSite = "site=";
  std::string query;
  for (const std::string& filter : filters)
    query += filter.starts_with(kSite) ? "&slug=" + filter.substr(kSite.size()) : "&" + filter;
  return query;
}

// What is asked for, as short as it can be remembered: "&slug=oslo nodes=device".
std::string wanted_text(const NetboxChoice& choice) {
  constexpr std::size_t kCharactersMax = 150;
  const std::string mapping = codecs::netbox::mapping_text(choice.mapping);
  std::string text = query_of(choice.filters) + (mapping.empty() ? "" : " " + mapping);
  return text.size() <= kCharactersMax
             ? text
             : to_hex(Sha256Hasher().hash(std::as_bytes(std::span(text))));
}

// When a NetBox was asked, by its own clock, and for what: "netbox1 2026-11-27T06:02:00Z
// 2026-11-27T06:02:00Z &slug=oslo".
struct Memory {
  static constexpr std::string_view kKind = "netbox1";
  Instant asked;
  Instant read_whole;
  std::string wanted;

  static std::optional<Memory> parse(const std::string& text) {
    const std::size_t first = text.find(' ');
    const std::size_t second = text.find(' ', first + 1);
    const std::size_t third = second == std::string::npos ? second : text.find(' ', second + 1);
    if (third == std::string::npos || text.substr(0, first) != kKind) return std::nullopt;
    const auto asked = parse_instant(text.substr(first + 1, second - first - 1));
    const auto whole = parse_instant(text.substr(second + 1, third - second - 1));
    if (!asked || !whole) return std::nullopt;
    return Memory{*asked, *whole, text.substr(third + 1)};
  }
  std::string text() const {
    return fmt::format("{} {} {} {}", kKind, query_time(asked), query_time(read_whole), wanted);
  }
};

class NetboxFetch {
 public:
  NetboxFetch(const FetchOrder& order, const Clock& clock)
      : order_(order),
        clock_(clock),
        filters_(query_of(order.choice.filters)),
        wanted_(wanted_text(order.choice)),
        endpoints_(netbox::endpoints(order.choice.mapping)),
        reader_(std::in_place, order.choice.mapping) {
    if (order.memory_budget != nullptr)
      reserved_ = order.memory_budget->account(MemoryUse::imports, 0);
  }

  tl::expected<Fetched, FetchFailure> fetch() {
    NETML_TRY_VOID(recall());
    for (const Endpoint& endpoint : endpoints_)
      NETML_TRY_VOID(known_ ? read_changes(endpoint) : read_all(endpoint));
    return written();
  }

  // Whether it gives records of each sort; how many sites there are.
  tl::expected<std::uint64_t, FetchFailure> count_sites() {
    std::uint64_t sites = 0;
    for (const Endpoint& endpoint : endpoints_) {
      NETML_TRY(const std::uint64_t there, count(endpoint));
      if (endpoint.model == kSites) sites = there;
    }
    return sites;
  }

 private:
  tl::expected<std::uint64_t, FetchFailure> count(const Endpoint& endpoint) {
    std::vector<netbox::Id> ids;
    NETML_TRY(const std::string body, ask(endpoint, 1, 0, "&fields=id"));
    NETML_TRY(const netbox::Page page,
              taken(endpoint, PageReader::read_ids(body, order_.page_limits, ids)));
    return page.count;
  }

  // What was asked for before, where it is still there; else everything is read.
  Done recall() {
    auto memory = Memory::parse(order_.memory.etag);
    is_other_ = !memory || memory->wanted != wanted_;
    if (is_other_ || !order_.memory.file_hash) return {};
    if (memory->asked.seconds - memory->read_whole.seconds >= kDay) return {};
    const auto dump = order_.last_file();
    if (dump) NETML_TRY_VOID(reserve(dump->capacity() * (1 + kTreeOfPage)));
    is_lost_ = !dump || !reader_->resume(*dump, order_.page_limits);
    if (is_lost_)
      reader_.emplace(order_.choice.mapping);
    else
      known_ = std::move(memory);
    return {};
  }

  // ---- one sort of records ----

  Done read_all(const Endpoint& endpoint) {
    const std::string fields =
        endpoint.fields.empty() ? "" : fmt::format("&fields={}", endpoint.fields);
    return read_pages(
        endpoint, fields, [&] { reader_->keep_only(endpoint.model, {}); },
        [&](std::string_view body) {
          return reader_->add(endpoint.model, body, order_.page_limits);
        });
  }

  // A record that is gone shows in the number of those that are there alone.
  Done read_changes(const Endpoint& endpoint) {
    const std::string since = query_time(Instant{known_->asked.seconds - kOverlap});
    NETML_TRY_VOID(read_pages(
        endpoint, "&last_updated__gte=" + since, [] {},
        [&](std::string_view body) {
          return reader_->add(endpoint.model, body, order_.page_limits);
        }));
    NETML_TRY(const std::uint64_t there, count(endpoint));
    if (is_whole(endpoint, there)) return {};
    std::vector<netbox::Id> ids;
    NETML_TRY_VOID(read_pages(
        endpoint, "&fields=id", [&] { ids.clear(); },
        [&](std::string_view body) {
          return PageReader::read_ids(body, order_.page_limits, ids);
        }));
    const std::size_t found = ids.size();
    reader_->keep_only(endpoint.model, std::move(ids));
    if (is_whole(endpoint, found)) return {};
    return read_all(endpoint);
  }

  bool is_whole(const Endpoint& endpoint, std::uint64_t there) {
    reader_->seal();
    return reader_->count(endpoint.model) == there;
  }

  // From the start again where records came or went meanwhile: pages move then, and one of them
  // that nobody has seen would be missing. `begin` forgets what was read so far.
  template <class Begin, class Take>
  Done read_pages(const Endpoint& endpoint, std::string_view more, Begin&& begin, Take&& take) {
    for (std::size_t reading = 1;; ++reading) {
      begin();
      NETML_TRY(const bool is_one_list, read_list(endpoint, more, take));
      if (is_one_list) return {};
      if (reading == kReadingsMax)
        return unexpected_answer(
            fmt::format("{} changes while it is read; try again later", endpoint.path));
    }
  }

  template <class Take>
  tl::expected<bool, FetchFailure> read_list(const Endpoint& endpoint, std::string_view more,
                                             Take&& take) {
    std::uint64_t read = 0;
    std::optional<std::uint64_t> count;
    while (true) {
      NETML_TRY(const std::string body, ask(endpoint, kRecordsPerPage, read, more));
      NETML_TRY_VOID(reserve(body.capacity() * (1 + kTreeOfPage)));
      NETML_TRY(const netbox::Page page, taken(endpoint, take(body)));
      read += page.records;
      if (count.value_or(page.count) != page.count) return false;
      count = page.count;
      if (!page.next.empty() && page.records > 0) continue;
      if (read == *count) return true;
      return unexpected_answer(fmt::format("{} has {} of {} records", endpoint.path, read, *count));
    }
  }

  static tl::expected<netbox::Page, FetchFailure> taken(const Endpoint& endpoint,
                                                        netbox::PageResult page) {
    if (page) return *std::move(page);
    return unexpected_answer(fmt::format("{} is no page of NetBox: {}", endpoint.path,
                                         net::excerpt(page.error().text())));
  }

  // For what was read, and for as much more.
  Done reserve(std::uint64_t more) {
    if (order_.memory_budget == nullptr) return {};
    const Status taken = order_.memory_budget->grow(reserved_, reader_->memory_bytes() + more);
    if (!taken) return tl::unexpected(FetchFailure{"local", taken.error().message, {}});
    return {};
  }

  // ---- one request ----

  // All answers together are bounded as the file of a peer is.
  tl::expected<std::string, FetchFailure> ask(const Endpoint& endpoint, std::size_t records,
                                              std::size_t offset, std::string_view more) {
    PeerRequest request{.peer = order_.peer,
                        .target = fmt::format("/{}api/{}?limit={}&offset={}&ordering=id{}{}",
                                              order_.path, endpoint.path, records, offset,
                                              endpoint.model == kSites ? filters_ : "", more),
                        .token = order_.token,
                        .etag = {},
                        .accept = "application/json",
                        .rules = order_.rules,
                        .limits = order_.limits,
                        .stop = order_.stop};
    // From version 4.5 on there are tokens of a second sort.
    const bool is_second = order_.token && order_.token->starts_with("nbt_");
    request.scheme = is_second ? "Bearer" : "Token";
    std::string body;
    const auto take = [&](std::string_view piece) -> Status {
      bytes_ += piece.size();
      const NamedLimit& bytes_max = order_.limits.body_bytes_max;
      if (bytes_ > bytes_max.value)
        return fail(Errc::too_large, beyond_limit("bytes of all answers", bytes_max));
      if (body.size() + piece.size() > kPageBytesMax)
        return fail(Errc::too_large, fmt::format("bytes of a page: above {}", kPageBytesMax));
      body += piece;
      return {};
    };
    if (++requests_ > kRequestsMax)
      return unexpected_answer(fmt::format("it wants more than {} requests", kRequestsMax));
    PeerAnswer answer = ask_peer(request, take, clock_);
    if (answer && answer->status == 200) {
      if (requests_ == 1) asked_ = instant_of(answer->headers.get("Date"));
      return body;
    }
    FetchFailure failure = answer ? refusal(*answer) : std::move(answer.error());
    failure.text = fmt::format("{}: {}", endpoint.path, failure.text);
    return tl::unexpected(std::move(failure));
  }

  // ---- what is imported ----

  tl::expected<Fetched, FetchFailure> written() {
    auto begun = order_.begin_upload(ReadWhen::arriving);
    if (!begun) return tl::unexpected(broken(begun.error().error));
    Fetched fetched{*std::move(begun), order_.memory};
    const Status done = netbox::write_dump(
        reader_->seal(), [&](std::string_view piece) { return fetched.upload->write(piece); });
    if (!done) return tl::unexpected(broken(done.error()));
    fetched.memory.etag.clear();
    if (asked_)
      fetched.memory.etag = Memory{*asked_, known_ ? known_->read_whole : *asked_, wanted_}.text();
    // The same file may become another map; and one that is lost nobody would keep again.
    if (is_other_ || is_lost_) fetched.memory.file_hash.reset();
    return fetched;
  }

  const FetchOrder& order_;
  const Clock& clock_;
  const std::string filters_;  // of sites, as a part of a query
  const std::string wanted_;
  const std::vector<Endpoint> endpoints_;
  MemoryReservation reserved_;  // of what was read
  std::optional<PageReader> reader_;
  std::optional<Memory> known_;   // what changed since is asked for; none: everything
  bool is_other_ = false;         // than what the file that was imported last was read for
  bool is_lost_ = false;          // that file
  std::optional<Instant> asked_;  // by the clock of the NetBox; none: it does not say
  std::size_t requests_ = 0;
  std::uint64_t bytes_ = 0;  // of all answers
};

}  // namespace

tl::expected<Fetched, FetchFailure> fetch_from_netbox(const FetchOrder& order, const Clock& clock) {
  return NetboxFetch(order, clock).fetch();
}

tl::expected<std::uint64_t, FetchFailure> try_netbox(const FetchOrder& order, const Clock& clock) {
  return NetboxFetch(order, clock).count_sites();
}

}  // namespace netml::admin
