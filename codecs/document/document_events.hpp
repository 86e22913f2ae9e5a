// What a file says once its values are checked, call by call in the order of the file: topologies
// with their members and the references between them. A topology has a header (what it says of
// itself), a body (its institutions, links and nodes) and then sub-topologies.
//
// The views handed in live during the call. Thread: its owner.
#pragma once

#include <string_view>

#include "codecs/document/error_list.hpp"
#include "engine/graph/document.hpp"

namespace netml::codecs {

class DocumentEvents {
 public:
  virtual ~DocumentEvents() = default;

  // Remarks are added where they arise; they belong before the next call.
  virtual engine::DocumentNotes& notes() = 0;

  // ---- topologies ----
  virtual void open_topology() = 0;
  virtual void set_primary_owner(std::string_view id, TextPosition at) = 0;
  virtual void close_header(engine::AttributesPtr attributes, TextPosition at) = 0;
  virtual bool body_open() const = 0;
  virtual void close_body() = 0;
  virtual void close_topology() = 0;
  // The identifier of the innermost topology whose header is closed.
  virtual std::string_view topology_id() const = 0;

  // ---- the members of the open body ----
  // An institution, node or link, after its references.
  virtual void add(engine::AttributesPtr attributes, TextPosition at) = 0;
  virtual void add_owner(std::string_view id, TextPosition at) = 0;
  virtual void add_end(std::string_view id, TextPosition at) = 0;
};

}  // namespace netml::codecs
