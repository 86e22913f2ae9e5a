// What the elements of an NML document are, and how they hang together: topologies, nodes, links
// and ports, each described in one place or several, and the relations between them.
//
// An element inside a Relation, or in a port or link of both directions, that has an identifier and
// nothing else refers to what is described elsewhere. Numbers are places in objects().
//
// Thread: any, once made; the tree outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "codecs/document/id_key.hpp"
#include "codecs/formats/nml/nml_tree.hpp"

namespace netml::codecs {

enum class NmlIs : std::uint8_t {
  other,
  topology,
  institution,  // of the extension
  node,
  link,            // one way; also a group
  port,            // one way; also a group
  both_ways_link,  // BidirectionalLink
  both_ways_port,
};

struct NmlObject {
  NmlIs is = NmlIs::other;
  std::string_view id = {};                      // may be empty
  std::vector<std::uint32_t> descriptions = {};  // elements of the tree
  std::vector<std::uint32_t> topologies = {};    // that it is in, or that it is a port of
  std::vector<std::uint32_t> nodes = {};         // of a port
  std::vector<std::uint32_t> parts = {};         // of one for both ways: those of one way
  std::vector<std::uint32_t> whole = {};         // of a part
  std::vector<std::uint32_t> sources = {};       // ports of a link
  std::vector<std::uint32_t> sinks = {};
  std::vector<std::uint32_t> aliases = {};  // of a port: other ports
  bool inbound = false;                     // of a port
  bool outbound = false;
};

// A field of an object, or of what stands outside all objects.
struct NmlField {
  std::string_view path = {};  // "location.lat"; from the object on, in lower case
  std::string_view value = {};
  std::uint32_t element = 0;
  std::uint32_t fields = 1;  // in the file
  bool is_relation = false;  // the network says it
  std::string_view space = {};
};

class NmlNetwork {
 public:
  explicit NmlNetwork(const NmlTree& tree);

  const std::vector<NmlObject>& objects() const { return objects_; }
  const NmlObject& operator[](std::uint32_t object) const { return objects_[object]; }
  const NmlTree& tree() const { return tree_; }

  // Fields of a description, without those of what is described in it.
  void for_each_field(std::uint32_t description,
                      const std::function<void(const NmlField&)>& visit) const;
  // Fields outside of all objects; none where the document is an object.
  void for_each_field_outside(const std::function<void(const NmlField&)>& visit) const;

 private:
  static constexpr std::uint32_t kNone = NmlElement::kNone;
  // What is known of an element of the tree.
  struct Place {
    std::uint32_t object = kNone;    // that it is, or refers to
    std::uint32_t inside = kNone;    // the nearest object around it
    std::uint32_t topology = kNone;  // the nearest topology around it
    std::string_view relation = {};  // the nearest Relation between, by its type
    bool refers = false;
    bool understood = false;  // what it refers to is in the objects
  };

  void find_place(std::uint32_t element);
  std::uint32_t object_of(NmlIs is, std::string_view id);
  bool relate(std::uint32_t parent, std::string_view relation, std::uint32_t child);
  void describe_what_is_only_referred_to();
  void visit_fields(std::uint32_t begin, std::uint32_t end, bool names_itself,
                    const std::function<void(const NmlField&)>& visit) const;
  bool is_described_here(std::uint32_t element) const {
    return places_[element].object != kNone && !places_[element].refers;
  }

  const NmlTree& tree_;
  std::vector<Place> places_;
  std::vector<NmlObject> objects_;
  boost::unordered_flat_map<IdKey, std::uint32_t, IdKeyHash> numbers_[8];  // by what they are
};

}  // namespace netml::codecs
