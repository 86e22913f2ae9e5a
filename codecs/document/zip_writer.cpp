#include "codecs/document/zip_writer.hpp"

#include <minizip/zip.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "engine/base/guarded.hpp"

namespace netml::codecs {

namespace {

using Output = ZipWriter::Output;

Output& output_of(void* stream) {
  return *static_cast<Output*>(stream);
}

void* open_output(void* opaque, const void*, int) {
  return opaque;
}

uLong read_output(void*, void*, void*, uLong) {
  return 0;  // nothing is read back
}

// Nothing may be thrown through minizip; less than `size` is its failure.
uLong write_output(void*, void* stream, const void* buffer, uLong size) {
  Output& output = output_of(stream);
  const std::size_t replaced = std::min<std::size_t>(size, output.bytes.size() - output.at);
  try {
    output.bytes.replace(output.at, replaced, static_cast<const char*>(buffer), size);
  } catch (const std::exception&) {
    return 0;
  }
  output.at += size;
  return size;
}

ZPOS64_T tell_output(void*, void* stream) {
  return output_of(stream).at;
}

long seek_output(void*, void* stream, ZPOS64_T offset, int origin) {
  Output& output = output_of(stream);
  const std::size_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                           : origin == ZLIB_FILEFUNC_SEEK_CUR ? output.at
                                                              : output.bytes.size();
  if (offset > output.bytes.size() - base) return -1;
  output.at = base + offset;
  return 0;
}

int nothing(void*, void*) {
  return 0;
}

// All that is asked for is right, and all is written to memory.
void check(int status) {
  check_allocated(status == ZIP_OK);
}

}  // namespace

ZipWriter::ZipWriter() {
  zlib_filefunc64_def functions{open_output, read_output, write_output, tell_output,
                                seek_output, nothing,     nothing,      &output_};
  archive_ = zipOpen2_64("", APPEND_STATUS_CREATE, nullptr, &functions);
  check_allocated(archive_ != nullptr);
}

ZipWriter::~ZipWriter() {
  // What is not finished is not wanted.
  if (archive_ != nullptr) zipClose(archive_, nullptr);
}

void ZipWriter::end_entry() {
  if (std::exchange(in_entry_, false)) check(zipCloseFileInZip(archive_));
}

void ZipWriter::begin(const std::string& name) {
  end_entry();
  zip_fileinfo info{};
  info.tmz_date.tm_year = 1980;  // where the dates of zip begin
  info.tmz_date.tm_mday = 1;
  check(zipOpenNewFileInZip64(archive_, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr,
                              Z_DEFLATED, Z_DEFAULT_COMPRESSION, 0));
  in_entry_ = true;
}

void ZipWriter::write(std::string_view bytes) {
  check(zipWriteInFileInZip(archive_, bytes.data(), static_cast<unsigned>(bytes.size())));
}

std::string ZipWriter::finish() && {
  end_entry();
  check(zipClose(std::exchange(archive_, nullptr), nullptr));
  return std::move(output_.bytes);
}

}  // namespace netml::codecs
