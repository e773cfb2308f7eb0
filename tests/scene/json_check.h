#pragma once

#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>

namespace phyxel {

/// Whether a text is one JSON value (RFC 8259) and nothing else; enough to test writers.
class JsonCheck {
 public:
  explicit JsonCheck(std::string_view text) : text_(text) {}
  bool valid() {
    const bool fine = value();
    spaces();
    return fine && at_ == text_.size();
  }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void spaces() {
    while (next() == ' ' || next() == '\n' || next() == '\t' || next() == '\r') ++at_;
  }
  bool take(char c) {
    spaces();
    if (next() != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view w) {
    if (text_.substr(at_, w.size()) != w) return false;
    at_ += w.size();
    return true;
  }
  bool string() {
    if (!take('"')) return false;
    for (; next() != '"'; ++at_) {
      if (static_cast<unsigned char>(next()) < 0x20) return false;
      if (next() != '\\') continue;
      ++at_;
      if (std::string_view("\"\\/bfnrtu").find(next()) == std::string_view::npos) return false;
    }
    ++at_;
    return true;
  }
  bool number() {
    const std::string rest(text_.substr(at_, 40));
    char* end = nullptr;
    std::strtod(rest.c_str(), &end);
    const bool fine = end != rest.c_str() && (rest[0] == '-' || std::isdigit(rest[0]));
    at_ += static_cast<std::size_t>(end - rest.c_str());
    return fine;
  }
  template <class Element>
  bool list(char close, Element element) {
    if (take(close)) return true;
    do {
      if (!element()) return false;
    } while (take(','));
    return take(close);
  }
  bool value() {
    spaces();
    if (take('{')) return list('}', [&] { return string() && take(':') && value(); });
    if (take('[')) return list(']', [&] { return value(); });
    if (next() == '"') return string();
    return word("true") || word("false") || word("null") || number();
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

inline bool is_json(std::string_view text) {
  return JsonCheck(text).valid();
}

}  // namespace phyxel
