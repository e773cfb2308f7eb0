#include "phyxel/core/problems.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <tuple>

namespace phyxel {

namespace {

/// In the order of the file; what stands in no line (options of the command line) comes last.
bool is_before(const Problem& a, const Problem& b) {
  const auto order = [](const Problem& p) {
    return std::tuple(p.place.line <= 0, p.place.line > 0 ? p.place.file : "", p.place.line,
                      p.place.column);
  };
  return order(a) < order(b);
}

std::vector<Problem> sorted(std::vector<Problem> problems) {
  std::stable_sort(problems.begin(), problems.end(), is_before);
  const auto same = [](const Problem& a, const Problem& b) {
    return to_string(a.place) == to_string(b.place) && a.message == b.message;
  };
  problems.erase(std::unique(problems.begin(), problems.end(), same), problems.end());
  return problems;
}

std::string text_of(const std::vector<Problem>& problems) {
  constexpr std::size_t most_shown = 100;
  std::string text;
  for (std::size_t k = 0; k < std::min(problems.size(), most_shown); ++k)
    text += (k > 0 ? "\n" : "") + std::string(Error(problems[k].place, problems[k].message).what());
  if (problems.size() > 1) text += "\n" + std::to_string(problems.size()) + " mistakes";
  if (problems.size() >= Problems::most) text += " and more";
  if (problems.size() > most_shown)
    text += "; the first " + std::to_string(most_shown) + " are shown";
  return text;
}

/// The number between `from` and `to`; none where other characters are there.
std::optional<int> whole_number(const std::string& text, std::size_t from, std::size_t to) {
  int number = 0;
  const char* const end = text.data() + to;
  const auto [stopped, failed] = std::from_chars(text.data() + from, end, number);
  const bool has_digit = from < to && text[from] != '-';
  return has_digit && failed == std::errc{} && stopped == end ? std::optional(number)
                                                              : std::nullopt;
}

/// Message and place, where the text begins with "file:line:column: ".
Problem parted(const std::string& text) {
  const std::size_t line_end = std::min(text.find('\n'), text.size());
  for (std::size_t end = text.find(": "); end < line_end; end = text.find(": ", end + 1)) {
    const std::size_t second = end > 0 ? text.rfind(':', end - 1) : text.npos;
    const std::size_t first =
        second != text.npos && second > 0 ? text.rfind(':', second - 1) : text.npos;
    if (first == text.npos) continue;
    const auto line = whole_number(text, first + 1, second),
               column = whole_number(text, second + 1, end);
    if (line && column) return {{text.substr(0, first), *line, *column}, text.substr(end + 2)};
  }
  return {{}, text};
}

}  // namespace

InputErrors::InputErrors(std::vector<Problem> problems)
    : InputError(text_of(sorted(problems))), problems_(sorted(std::move(problems))) {}

std::vector<Problem> problems_of(const InputError& error) {
  if (const auto* several = dynamic_cast<const InputErrors*>(&error)) return several->problems();
  return std::vector<Problem>(1, parted(error.what()));
}

void Problems::add(const Place& place, const std::string& message) {
  list_.push_back({place, message});
  if (list_.size() >= most) raise();
}

void Problems::add(const InputError& error) {
  for (const Problem& problem : problems_of(error)) add(problem.place, problem.message);
}

void Problems::raise() const {
  const std::vector<Problem> list = sorted(list_);
  if (list.size() == 1) throw InputError(list.front().place, list.front().message);
  if (!list.empty()) throw InputErrors(list);
}

}  // namespace phyxel
