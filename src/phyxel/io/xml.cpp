#include "phyxel/io/xml.h"

#include <algorithm>
#include <fmt/format.h>

#include "phyxel/io/text_reader.h"

namespace phyxel {

namespace {

constexpr std::pair<std::string_view, char> entities[] = {
    {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};

bool ends_name(char c) {
  return c <= ' ' || c == '=' || c == '>' || c == '/' || c == '<';
}

bool is_space(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c == ' ' || (c >= 9 && c <= 13); });
}

/// UTF-8 of a code point below 2^21.
void append_utf8(std::string& to, std::uint32_t code) {
  constexpr std::uint32_t lead[] = {0, 0xC0, 0xE0, 0xF0};  // marks the number of bytes that follow
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  to += static_cast<char>(lead[more] | code >> (6 * more));
  for (int k = more - 1; k >= 0; --k) to += static_cast<char>(0x80 | (code >> (6 * k) & 0x3F));
}

bool append_entity(std::string& to, std::string_view name) {
  for (const auto& [known, c] : entities)
    if (name == known) {
      to += c;
      return true;
    }
  if (!name.starts_with('#')) return false;
  const auto code = parse_number<std::uint32_t>(name.substr(1));
  if (code && *code < 0x110000) append_utf8(to, *code);
  return code && *code < 0x110000;
}

struct XmlReader {
  TextReader r;
  XmlDocument document;
  std::vector<std::size_t> open;  // from the root to the element we are in

  bool looking_at(std::string_view text) const { return r.text.substr(r.at).starts_with(text); }

  void skip_past(std::string_view end, const char* what) {
    const std::size_t found = r.text.find(end, r.at);
    if (found == r.text.npos) r.fail(std::string(what) + " has no end; the file is cut off");
    r.at = found + end.size();
  }

  std::string_view name() {
    const std::size_t first = r.at;
    while (!r.at_end() && !ends_name(r.text[r.at])) ++r.at;
    if (first == r.at) r.fail("a name is missing in an XML tag");
    return r.text.substr(first, r.at - first);
  }

  void attribute(XmlNode& node) {
    const std::string_view key = name();
    r.skip_space();
    if (r.peek() != '=') r.fail("attribute " + in_quotes(key) + " has no value");
    ++r.at;
    r.skip_space();
    const char quote = r.peek();
    if (quote != '"' && quote != '\'') r.fail("attribute " + in_quotes(key) + " has no quotes");
    const std::size_t first = ++r.at;
    skip_past(std::string_view(&quote, 1), "an attribute");
    node.attributes.emplace_back(key, xml_unescaped(r.text.substr(first, r.at - 1 - first)));
  }

  void keep_text(std::size_t first) {
    const std::string_view text = r.text.substr(first, r.at - first);
    if (open.empty() || is_space(text)) return;
    std::string_view& kept = document.nodes[open.back()].text;
    if (kept.empty()) kept = text;
  }

  /// After '<' of a start tag; true when the rest of the file is raw.
  bool start_tag(std::string_view raw_tag) {
    XmlNode node;
    node.at = r.at - 1;
    node.tag = name();
    for (r.skip_space(); r.peek() != '>' && r.peek() != '/'; r.skip_space()) attribute(node);
    const bool closed = r.peek() == '/';
    skip_past(">", "an XML tag");
    const bool raw = node.tag == raw_tag;
    if (raw) node.text = r.text.substr(r.at);
    if (open.empty() && !document.nodes.empty()) r.fail("a second root element", node.at);
    if (!open.empty()) document.nodes[open.back()].children.push_back(document.nodes.size());
    if (!closed) open.push_back(document.nodes.size());
    document.nodes.push_back(std::move(node));
    return raw;
  }

  void end_tag() {
    const std::size_t where = r.at;
    const std::string_view tag = name();
    if (open.empty() || document.nodes[open.back()].tag != tag)
      r.fail(fmt::format("</{}> closes nothing that is open", tag.substr(0, 40)), where);
    open.pop_back();
    skip_past(">", "an XML tag");
  }

  /// One piece of mark-up at '<'; true when the rest of the file is raw.
  bool markup(std::string_view raw_tag) {
    if (looking_at("<!--")) return skip_past("-->", "a comment"), false;
    if (looking_at("<?")) return skip_past("?>", "a declaration"), false;
    if (looking_at("<!")) r.fail("document types and CDATA are not read");
    ++r.at;
    if (r.peek() != '/') return start_tag(raw_tag);
    ++r.at;
    return end_tag(), false;
  }
};

}  // namespace

std::string XmlNode::attribute(std::string_view name, const std::string& otherwise) const {
  for (const auto& [key, value] : attributes)
    if (key == name) return value;
  return otherwise;
}

const XmlNode* XmlDocument::child(const XmlNode& parent, std::string_view tag) const {
  for (const std::size_t k : parent.children)
    if (nodes[k].tag == tag) return &nodes[k];
  return nullptr;
}

XmlDocument parse_xml(std::string_view text, const std::string& file, std::string_view raw_tag) {
  XmlReader reader{{text, file}, {}, {}};
  TextReader& r = reader.r;
  bool raw = false;
  while (!raw && !r.at_end()) {
    const std::size_t first = r.at;
    r.at = std::min(text.find('<', r.at), text.size());
    reader.keep_text(first);
    if (!r.at_end()) raw = reader.markup(raw_tag);
  }
  if (reader.document.nodes.empty()) r.fail("not an XML file: it has no element", 0);
  if (!raw && !reader.open.empty())
    r.fail(fmt::format("<{}> is not closed; the file is cut off",
                       reader.document.nodes[reader.open.back()].tag.substr(0, 40)));
  return std::move(reader.document);
}

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto known = std::find_if(std::begin(entities), std::end(entities),
                                    [c](const auto& entity) { return entity.second == c; });
    if (known == std::end(entities))
      result += c;
    else
      result += fmt::format("&{};", known->first);
  }
  return result;
}

std::string xml_unescaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t mark = std::min(text.find('&'), text.size());
    result += text.substr(0, mark);
    text.remove_prefix(mark);
    if (text.empty()) break;
    const std::size_t end = text.substr(0, 12).find(';');
    if (end == text.npos || !append_entity(result, text.substr(1, end - 1))) {
      result += '&';
      text.remove_prefix(1);
    } else {
      text.remove_prefix(end + 1);
    }
  }
  return result;
}

}  // namespace phyxel
