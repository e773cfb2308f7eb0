#include "phyxel/core/problems.h"

#include <algorithm>
#include <regex>
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
  if (problems.size() > most_shown)
    text += "; the first " + std::to_string(most_shown) + " are shown";
  return text;
}

}  // namespace

InputErrors::InputErrors(std::vector<Problem> problems)
    : InputError(text_of(sorted(problems))), problems_(sorted(std::move(problems))) {}

std::vector<Problem> problems_of(const InputError& error) {
  if (const auto* several = dynamic_cast<const InputErrors*>(&error)) return several->problems();
  const std::string text = error.what();
  static const std::regex in_front("^([^\\n]*?):([0-9]{1,9}):([0-9]{1,9}): ");
  // Places stand at the very beginning; a search through pages of text would be slow.
  const std::string begin = text.substr(0, 4096);
  std::smatch found;
  Problem problem;
  problem.message = text;
  if (std::regex_search(begin, found, in_front)) {
    problem.place = {found[1], std::stoi(found[2]), std::stoi(found[3])};
    problem.message = text.substr(static_cast<std::size_t>(found.length(0)));
  }
  return std::vector<Problem>(1, problem);
}

void Problems::add(const InputError& error) {
  for (Problem& problem : problems_of(error)) list_.push_back(std::move(problem));
}

void Problems::raise() const {
  const std::vector<Problem> list = sorted(list_);
  if (list.size() == 1) throw InputError(list.front().place, list.front().message);
  if (!list.empty()) throw InputErrors(list);
}

}  // namespace phyxel
