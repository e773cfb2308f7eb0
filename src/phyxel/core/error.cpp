#include "phyxel/core/error.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace phyxel {

std::string to_string(const Place& place) {
  if (place.line <= 0) return place.file;
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

namespace {

/// Keeps the beginning, with place and value, and the end, with limit and remedy.
std::string shortened(const std::string& line) {
  constexpr std::size_t longest = 1000, kept = 450;
  if (line.size() <= longest) return line;
  const auto is_inside_letter = [&](std::size_t k) {  // of several bytes, in UTF-8
    return (static_cast<unsigned char>(line[k]) & 0xc0) == 0x80;
  };
  std::size_t head = kept, tail = line.size() - kept;
  while (head > 0 && is_inside_letter(head)) --head;
  while (tail < line.size() && is_inside_letter(tail)) ++tail;
  return line.substr(0, head) + " ... " + line.substr(tail);
}

}  // namespace

std::string legible(const std::string& text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string all, line;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n')
      all += shortened(line) + c, line.clear();
    else if (code < 0x20 || code == 0x7f)
      line += {'\\', 'x', digits[code / 16], digits[code % 16]};
    else
      line += c;
  }
  return all + shortened(line);
}

Error::Error(const Place& place, const std::string& message)
    : Error(place.file.empty() && place.line <= 0 ? message : to_string(place) + ": " + message) {}

int edit_distance(const std::string& a, const std::string& b) {
  const auto same = [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  };
  const int n = static_cast<int>(a.size()), m = static_cast<int>(b.size());
  std::vector<std::vector<int>> d(n + 1, std::vector<int>(m + 1));
  for (int i = 0; i <= n; ++i) d[i][0] = i;
  for (int j = 0; j <= m; ++j) d[0][j] = j;
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= m; ++j) {
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + !same(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[n][m];
}

}  // namespace phyxel
