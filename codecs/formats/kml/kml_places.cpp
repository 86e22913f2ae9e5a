#include "codecs/formats/kml/kml_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "codecs/document/numbers.hpp"
#include "codecs/document/xml_text.hpp"

namespace netml::codecs {

namespace {

constexpr double kLatitudeMax = 90;
constexpr double kLongitudeMax = 180;
constexpr std::size_t kNumberBytesMax = 64;

double eastern(double longitude) {
  return longitude == -kLongitudeMax ? kLongitudeMax : longitude;
}

// Walks through a text of coordinates.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) { skip_blanks(); }

  bool at_end() const { return text_.empty(); }

  bool take(KmlPlace& place) {
    constexpr std::size_t kNumbersMax = 3;
    std::array<std::string_view, kNumbersMax> numbers{};
    std::size_t count = 0;
    do {
      const std::string_view number = take_number();
      if (count == kNumbersMax || number.empty() || number.size() > kNumberBytesMax) return false;
      numbers[count++] = number;
    } while (skip_comma());
    const auto longitude = parse_number(numbers[0]);
    const auto latitude = parse_number(numbers[1]);
    if (!longitude || !latitude || !(std::abs(*longitude) <= kLongitudeMax) ||
        !(std::abs(*latitude) <= kLatitudeMax) ||
        (!numbers[2].empty() && !parse_number(numbers[2])))
      return false;
    place = {*longitude, *latitude, numbers[0], numbers[1], numbers[2]};
    return true;
  }

 private:
  void skip_blanks() {
    text_.remove_prefix(std::min(text_.find_first_not_of(kXmlBlanks), text_.size()));
  }

  std::string_view take_number() {
    const std::string_view number = text_.substr(0, text_.find_first_of(" \t\r\n,"));
    text_.remove_prefix(number.size());
    skip_blanks();
    return number;
  }

  bool skip_comma() {
    if (!text_.starts_with(',')) return false;
    text_.remove_prefix(1);
    skip_blanks();
    return true;
  }

  std::string_view text_;
};

}  // namespace

bool KmlPlace::is_at(const KmlPlace& other) const {
  return latitude == other.latitude && eastern(longitude) == eastern(other.longitude);
}

bool parse_places(std::string_view text, std::vector<KmlPlace>& places) {
  places.clear();
  for (Places left(text); !left.at_end();)
    if (!left.take(places.emplace_back())) return false;
  return true;
}

bool join_at_180(std::vector<KmlPlace>& line, const std::vector<KmlPlace>& next) {
  if (line.empty() || next.empty()) return false;
  const KmlPlace& here = line.back();
  const KmlPlace& there = next.front();
  if (std::abs(here.longitude) != kLongitudeMax || here.longitude != -there.longitude ||
      here.latitude != there.latitude)
    return false;
  line.pop_back();
  line.insert(line.end(), next.begin() + 1, next.end());
  return true;
}

}  // namespace netml::codecs
