#include "admin/services/secrets.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>

#include "net/unique_fd.hpp"

namespace netml::admin {

namespace {

constexpr const char* kKeyFile = "node.key";

unsigned char* bytes(std::byte* data) {
  return reinterpret_cast<unsigned char*>(data);
}
const unsigned char* bytes(const std::byte* data) {
  return reinterpret_cast<const unsigned char*>(data);
}
const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Secrets::Key derive(const Secrets::Key& key, std::uint64_t number) {
  Secrets::Key derived;
  crypto_kdf_derive_from_key(bytes(derived.data()), derived.size(), number, "netmlkey",
                             bytes(key.data()));
  return derived;
}

tl::unexpected<Error> system_error(std::string_view what, const std::string& path) {
  return fail(Errc::io_error, fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

Result<Secrets::Key> read_key(int file, const std::string& path) {
  struct stat info;
  if (::fstat(file, &info) != 0) return system_error("examine", path);
  if ((info.st_mode & 077) != 0)
    return fail(Errc::denied, fmt::format("{} may be read by others; chmod 600 it", path));
  Secrets::Key key;
  const ssize_t got = ::read(file, key.data(), key.size());
  if (got < 0) return system_error("read", path);
  if (static_cast<std::size_t>(got) != key.size() || info.st_size != Secrets::kKeyBytes)
    return fail(Errc::corruption,
                fmt::format("{} is not a key of {} bytes", path, Secrets::kKeyBytes));
  return key;
}

// Under a temporary name until it is durable, so that a crash leaves no half of a key.
Result<Secrets::Key> create_key(const std::string& directory, const std::string& path,
                                Random& random) {
  Secrets::Key key;
  random.fill(key);
  const std::string temporary = path + ".new";
  const net::UniqueFd file(
      ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return system_error("create", temporary);
  if (::write(file.get(), key.data(), key.size()) != static_cast<ssize_t>(key.size()) ||
      ::fsync(file.get()) != 0)
    return system_error("write", temporary);
  if (::rename(temporary.c_str(), path.c_str()) != 0) return system_error("rename", temporary);
  const net::UniqueFd parent(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent || ::fsync(parent.get()) != 0) return system_error("sync", directory);
  return key;
}

}  // namespace

SystemRandom::SystemRandom() {
  const int ready = sodium_init();  // does nothing when it was called before
  NETML_ASSERT(ready >= 0);
}

void SystemRandom::fill(std::span<std::byte> target) {
  randombytes_buf(target.data(), target.size());
}

std::string make_token_value(Random& random) {
  std::array<std::byte, 24> raw;
  random.fill(raw);
  std::array<char, 33> text;
  sodium_bin2base64(text.data(), text.size(), bytes(raw.data()), raw.size(),
                    sodium_base64_VARIANT_URLSAFE_NO_PADDING);
  return text.data();
}

Secrets::Secrets(const Key& key) : mac_key_(derive(key, 1)), seal_key_(derive(key, 2)) {}

Result<Secrets> Secrets::load(const std::string& data_directory, Random& random, bool may_create) {
  const std::string path = data_directory + "/" + kKeyFile;
  const net::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (file) {
    NETML_TRY(const Key key, read_key(file.get(), path));
    return Secrets(key);
  }
  if (errno != ENOENT) return system_error("open", path);
  if (!may_create) return fail(Errc::not_found, fmt::format("{} is missing", path));
  NETML_TRY(const Key key, create_key(data_directory, path, random));
  return Secrets(key);
}

std::array<std::byte, 32> Secrets::mac(std::string_view value) const {
  std::array<std::byte, 32> result;
  crypto_auth_hmacsha256(bytes(result.data()), bytes(value), value.size(), bytes(mac_key_.data()));
  return result;
}

bool Secrets::equal(const std::array<std::byte, 32>& a, const std::array<std::byte, 32>& b) {
  return sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string Secrets::seal(std::string_view text, Random& random) const {
  std::array<std::byte, crypto_aead_xchacha20poly1305_ietf_NPUBBYTES> nonce;
  random.fill(nonce);
  std::string sealed(nonce.size() + text.size() + crypto_aead_xchacha20poly1305_ietf_ABYTES, '\0');
  std::memcpy(sealed.data(), nonce.data(), nonce.size());
  crypto_aead_xchacha20poly1305_ietf_encrypt(
      reinterpret_cast<unsigned char*>(sealed.data()) + nonce.size(), nullptr, bytes(text),
      text.size(), nullptr, 0, nullptr, bytes(nonce.data()), bytes(seal_key_.data()));
  return sealed;
}

std::optional<std::string> Secrets::open(std::string_view sealed) const {
  constexpr std::size_t kNonce = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
  constexpr std::size_t kTag = crypto_aead_xchacha20poly1305_ietf_ABYTES;
  if (sealed.size() < kNonce + kTag) return std::nullopt;
  std::string text(sealed.size() - kNonce - kTag, '\0');
  const int valid = crypto_aead_xchacha20poly1305_ietf_decrypt(
      reinterpret_cast<unsigned char*>(text.data()), nullptr, nullptr, bytes(sealed) + kNonce,
      sealed.size() - kNonce, nullptr, 0, bytes(sealed), bytes(seal_key_.data()));
  if (valid != 0) return std::nullopt;
  return text;
}

}  // namespace netml::admin
