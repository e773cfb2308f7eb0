#include "phyxel/methods/mass_interaction/automaton_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>

#include "phyxel/core/error.h"

namespace phyxel::mass_interaction {

namespace {

const std::vector<std::string> observed_words = {"distance", "speed", "force"};

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
  throw InputError(fmt::format(
      "\"{}\": {}; a transition looks like \"bound -> apart: distance > 1.3 and force > 2\"", text,
      what));
}

std::vector<std::string> words_of(const std::string& text) {
  std::string spaced;
  for (const char c : text) {
    if (c == ':' || c == '<' || (c == '>' && !spaced.ends_with("-")))
      spaced += std::string(" ") + c + " ";
    else
      spaced += c;
  }
  std::istringstream in(spaced);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

int index_in(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

int state_named(const std::string& text, const std::vector<std::string>& states,
                const std::string& name) {
  const int state = index_in(states, name);
  if (state < 0)
    refuse(text,
           fmt::format("there is no state \"{}\"; there are: {}", name, fmt::join(states, ", ")));
  return state;
}

Condition read_condition(const std::string& text, const std::string& what, const std::string& sign,
                         const std::string& number, Real spacing) {
  Condition condition;
  const int observed = index_in(observed_words, what);
  if (observed < 0) refuse(text, fmt::format("\"{}\" is none of distance, speed, force", what));
  if (sign != "<" && sign != ">") refuse(text, fmt::format("\"{}\" is neither < nor >", sign));
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (end == number.c_str() || *end != 0 || !std::isfinite(value))
    refuse(text, fmt::format("\"{}\" is no number", number));
  condition.what = static_cast<Observed>(observed);
  condition.above = sign == ">";
  condition.limit = static_cast<Real>(value);
  if (condition.what == Observed::distance) condition.limit *= spacing;
  return condition;
}

}  // namespace

Transition read_transition(const std::string& text, const std::vector<std::string>& states,
                           Real spacing) {
  const std::vector<std::string> words = words_of(text);
  if (words.size() < 7 || words[1] != "->" || words[3] != ":" || words.size() % 4 != 3)
    refuse(text, "it has other parts than states, an arrow, a colon and conditions");
  Transition t;
  t.from = state_named(text, states, words[0]);
  t.to = state_named(text, states, words[2]);
  if (t.from == t.to) refuse(text, "it leads to where it comes from");
  for (std::size_t k = 4; k < words.size(); k += 4) {
    if (k > 4 && words[k - 1] != "and")
      refuse(text, fmt::format("\"{}\" stands where \"and\" should", words[k - 1]));
    if (t.conditions == most_conditions)
      refuse(text, fmt::format("it has more than {} conditions", most_conditions));
    t.condition[t.conditions++] =
        read_condition(text, words[k], words[k + 1], words[k + 2], spacing);
  }
  return t;
}

namespace {

std::string conditions_text(const Transition& t, Real spacing) {
  std::string text;
  for (int c = 0; c < t.conditions; ++c) {
    const Condition& condition = t.condition[c];
    const bool length = condition.what == Observed::distance;
    text += fmt::format("{}{} {} {:.4g}", c > 0 ? " and " : "",
                        observed_words[static_cast<int>(condition.what)],
                        condition.above ? ">" : "<", condition.limit / (length ? spacing : 1));
  }
  return text;
}

}  // namespace

std::string to_string(const Transition& t, const std::vector<std::string>& states, Real spacing) {
  return fmt::format("{} -> {}: {}", states[t.from], states[t.to], conditions_text(t, spacing));
}

namespace {

struct Spot {
  double x, y;
};

/// States stand on a circle, the first on top.
Spot spot_of(int state, int states) {
  constexpr double pi = 3.14159265358979323846;
  const double angle = 2 * pi * state / states - pi / 2;
  return {420 + 230 * std::cos(angle), 330 + 190 * std::sin(angle)};
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out;
}

std::string circle_of(const State& state, const std::string& name, const Spot& at) {
  std::string lines = fmt::format(
      "<ellipse cx=\"{0:.1f}\" cy=\"{1:.1f}\" rx=\"82\" ry=\"44\" fill=\"#eef3f8\" stroke=\"#345\" "
      "stroke-width=\"1.5\"/>\n<text x=\"{0:.1f}\" y=\"{2:.1f}\" font-weight=\"bold\">{3}</text>\n",
      at.x, at.y, at.y - 16, escaped(name));
  if (state.stiffness > 0 || state.viscosity > 0)
    lines += fmt::format(
        "<text x=\"{0:.1f}\" y=\"{1:.1f}\">K = {2:.3g} N/m</text>\n"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\">Z = {4:.3g} N s/m</text>\n",
        at.x, at.y + 2, state.stiffness, at.y + 18, state.viscosity);
  else
    lines += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">no force</text>\n", at.x, at.y + 4);
  if (state.friction > 0)
    lines += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">friction {:.3g}</text>\n", at.x,
                         at.y + 34, state.friction);
  return lines;
}

/// Arrows there and back bend to different sides; of several between the same states texts stand
/// below each other.
std::string arrow_of(const Transition& t, int states, int repeated, Real spacing) {
  const Spot a = spot_of(t.from, states), b = spot_of(t.to, states);
  const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  const double ux = dx / length, uy = dy / length, bend = 46;
  const Spot middle{(a.x + b.x) / 2 - uy * bend, (a.y + b.y) / 2 + ux * bend};
  // Ends lie on the rims, as seen from the middle.
  const auto rim = [&](const Spot& s) {
    const double vx = middle.x - s.x, vy = middle.y - s.y;
    const double scale = 1 / std::hypot(vx / 86, vy / 48);
    return Spot{s.x + vx * scale, s.y + vy * scale};
  };
  const Spot from = rim(a), to = rim(b);
  return fmt::format(
      "<path d=\"M {:.1f} {:.1f} Q {:.1f} {:.1f} {:.1f} {:.1f}\" fill=\"none\" stroke=\"#345\" "
      "stroke-width=\"1.5\" marker-end=\"url(#head)\"/>\n<text x=\"{:.1f}\" y=\"{:.1f}\" "
      "fill=\"#a33\">{}</text>\n",
      from.x, from.y, middle.x, middle.y, to.x, to.y, middle.x, middle.y + 16 * repeated,
      escaped(conditions_text(t, spacing)));
}

}  // namespace

std::string diagram(const NamedAutomaton& named, const std::string& title, Real spacing) {
  const Automaton& a = named.automaton;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"840\" height=\"640\" "
      "font-family=\"sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n"
      "<defs><marker id=\"head\" markerWidth=\"10\" markerHeight=\"8\" refX=\"8\" refY=\"4\" "
      "orient=\"auto\"><path d=\"M 0 0 L 9 4 L 0 8 z\" fill=\"#345\"/></marker></defs>\n"
      "<rect width=\"840\" height=\"640\" fill=\"white\"/>\n"
      "<text x=\"420\" y=\"34\" font-size=\"18\">{}</text>\n"
      "<text x=\"420\" y=\"624\" fill=\"#666\">distances in units of the spacing, {:.4g} m; pairs "
      "begin as {} and are forgotten beyond {:.4g}</text>\n",
      escaped(title), spacing, escaped(named.states[0]), a.reach / spacing);
  for (int k = 0; k < a.transitions; ++k) {
    int repeated = 0;
    for (int before = 0; before < k; ++before)
      repeated += a.transition[before].from == a.transition[k].from &&
                  a.transition[before].to == a.transition[k].to;
    svg += arrow_of(a.transition[k], a.states, repeated, spacing);
  }
  for (int s = 0; s < a.states; ++s)
    svg += circle_of(a.state[s], named.states[s], spot_of(s, a.states));
  return svg + "</svg>\n";
}

}  // namespace phyxel::mass_interaction
