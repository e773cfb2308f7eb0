#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

/// An element of an XML document; views point into the parsed text.
struct XmlNode {
  std::string_view tag;
  std::vector<std::pair<std::string_view, std::string>> attributes;
  std::string_view text;              // the first piece of text that is not blank, as written
  std::vector<std::size_t> children;  // indices into XmlDocument::nodes
  std::size_t at = 0;                 // byte where it begins

  /// The attribute's value, or `otherwise`.
  std::string attribute(std::string_view name, const std::string& otherwise = "") const;
};

/// nodes[0] is the root.
struct XmlDocument {
  std::vector<XmlNode> nodes;

  /// First child of `parent` with this tag, or null.
  const XmlNode* child(const XmlNode& parent, std::string_view tag) const;
};

/// Elements, attributes, text, comments, the five named entities and numbered ones: what data files
/// use; a document type is refused. Parsing stops at an element `raw_tag`, whose text is the rest
/// of the file: VTK puts raw bytes there.
XmlDocument parse_xml(std::string_view text, const std::string& file, std::string_view raw_tag);

/// `text` with &lt; &amp; ... for use in text and attributes; and back.
std::string xml_escaped(std::string_view text);
std::string xml_unescaped(std::string_view text);

}  // namespace phyxel
