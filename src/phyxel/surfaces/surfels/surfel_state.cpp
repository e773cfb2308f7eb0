#include <cstring>
#include <fmt/format.h>

#include "phyxel/core/error.h"
#include "phyxel/surfaces/surfels/surfel_surface.h"

namespace phyxel {

namespace {

/// f(name, unit, column) for what a set is made of.
template <class Set, class F>
void named_columns(Set& s, F&& f) {
  f("position", "m", s.x), f("u", "m", s.u), f("v", "m", s.v);
  f("colour", "", s.colour), f("id", "", s.id);
}
template <class Set, class F>
void carried_columns(Set& s, F&& f) {
  named_columns(s, f);
  f("anchor", "m", s.anchor), f("anchor_u", "m", s.anchor_u), f("anchor_v", "m", s.anchor_v);
  f("phyxel", "", s.phyxel), f("weight", "", s.weight), f("flows", "", s.flows);
  f("play", "", s.play), f("blend", "", s.blend), f("touches", "", s.touches);
  f("object", "", s.object);
}

/// Writes columns as copies.
struct Saver {
  std::vector<FrameColumn> columns = {};

  template <class T>
  void operator()(const char* name, const char* unit, const Column<T>& column) {
    columns.push_back(make_frame_column(name, unit, column.data(), column.size()));
  }
  template <class T>
  void number(const char* name, const T& value) {
    columns.push_back(make_frame_column(name, "", &value, 1));
  }
};

const FrameColumn& find(const SurfelColumns& from, const char* name) {
  for (const FrameColumn& column : from.columns)
    if (column.name == name) return column;
  throw Error(fmt::format("surfels: what was saved has no column {}.{}", from.name, name));
}

struct Loader {
  const SurfelColumns& from;

  template <class T>
  void operator()(const char* name, const char*, Column<T>& column) const {
    const FrameColumn& saved = find(from, name);
    if (saved.type != number_type<typename ElementOf<T>::Number>() ||
        saved.components != ElementOf<T>::components || saved.data.size() % sizeof(T) != 0)
      throw Error(fmt::format("surfels: column {}.{} was saved with another type of number",
                              from.name, name));
    column.resize(saved.data.size() / sizeof(T));
    if (!column.empty()) std::memcpy(column.data(), saved.data.data(), saved.data.size());
  }
  template <class T>
  void number(const char* name, T& value) const {
    Column<T> one;
    (*this)(name, "", one);
    if (one.size() != 1) throw Error(fmt::format("surfels: {} must be one number", name));
    value = one[0];
  }
};

template <class Surface, class F>
void state_of(Surface& s, F&& f) {
  f.number("spacing", s.spacing), f.number("phyxel_spacing", s.phyxel_spacing);
  f.number("dimensions", s.dimensions);
  f.number("next_id", s.next_id), f.number("frame", s.frame);
  f("phyxel", "", s.phyxel);
}

const SurfelColumns& group(const std::vector<SurfelColumns>& saved, const char* name) {
  for (const SurfelColumns& columns : saved)
    if (columns.name == name) return columns;
  throw Error(fmt::format("surfels: what was saved has no set '{}'", name));
}

}  // namespace

std::vector<SurfelColumns> save(const SurfelSurface& s) {
  std::vector<SurfelColumns> saved;
  const auto add = [&](const char* name, const auto& visit) {
    Saver saver;
    visit(saver);
    saved.push_back({name, std::move(saver.columns)});
  };
  add("surfels", [&](Saver& f) { state_of(s, f); });
  add("detail", [&](Saver& f) { carried_columns(s.detail, f); });
  add("zombies", [&](Saver& f) { carried_columns(s.zombies, f); });
  add("implicit", [&](Saver& f) { carried_columns(s.implicit, f); });
  add("contact", [&](Saver& f) { named_columns(s.contact, f); });
  return saved;
}

SurfelSurface load_surfels(const std::vector<SurfelColumns>& saved) {
  SurfelSurface s;
  state_of(s, Loader{group(saved, "surfels")});
  carried_columns(s.detail, Loader{group(saved, "detail")});
  carried_columns(s.zombies, Loader{group(saved, "zombies")});
  carried_columns(s.implicit, Loader{group(saved, "implicit")});
  named_columns(s.contact, Loader{group(saved, "contact")});
  return s;
}

}  // namespace phyxel
