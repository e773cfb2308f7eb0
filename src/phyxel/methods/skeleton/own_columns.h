#pragma once

#include <functional>
#include <map>
#include <memory>
#include <typeindex>
#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/matter/shared_column.h"
#include "phyxel/methods/skeleton/particle_view.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// Where a column of a method is written.
enum class KeptIn { files_and_checkpoints, checkpoints };

template <class T>
T* data_for_kernels(Column<T>& column) {
  return column.data();
}
template <class T>
T* data_for_kernels(SharedColumn<T>& column) {
  return column.for_kernels().data();
}

/// The columns that a method has beside the shared ones, each declared once. Resizing, reordering,
/// checkpoints and the pointers of kernel views follow from the declaration. Where `in_use` is
/// given, a column is empty and its pointer null until it becomes true; resize() has to follow.
class OwnColumns {
 public:
  /// State: `column` belongs to the method and outlives this list; new particles have `initial`.
  /// `pointer` is the member of the kernels' view, or nullptr.
  template <class T, class Pointer = std::nullptr_t>
  void add(const char* name, const char* unit, KeptIn kept_in, const T& initial,
           SharedColumn<T>& column, Pointer pointer = nullptr, const bool* in_use = nullptr) {
    Declared declared;
    declared.in_use = in_use;
    declared.resize = [=, &column](std::size_t n) { column.for_host().resize(n, initial); };
    declared.reorder = reordering<T>([&column]() -> Column<T>& { return column.for_kernels(); });
    declared.shrink = [&column] { column.shrink_to_fit(); };
    declared.view = [=, &column] {
      ColumnView own = phyxel::view(name, unit, column.for_host());
      own.in_files = kept_in == KeptIn::files_and_checkpoints;
      return own;
    };
    if constexpr (!std::is_null_pointer_v<Pointer>) declared.point = pointing(column, pointer);
    columns_.push_back(std::move(declared));
  }

  /// Values for files that the host finds: in diagnostics, or by `update` whenever they are shown.
  template <class T>
  void add_result(const char* name, const char* unit, HostColumn<T>& column,
                  const std::function<void()>& update = {}) {
    Declared declared;
    declared.resize = [&column](std::size_t n) { column.resize(n); };
    declared.shrink = [&column] { column.shrink_to_fit(); };
    declared.view = [=, &column] {
      if (update) update();
      return phyxel::view(name, unit, column);
    };
    columns_.push_back(std::move(declared));
  }

  /// A column that is no longer valid when particles are reordered, for kernels alone. It has
  /// `spare` elements beyond the particles.
  template <class View, class T>
  Column<std::remove_const_t<T>>& scratch(T* View::*pointer, std::size_t spare = 0,
                                          const bool* in_use = nullptr) {
    const auto column = std::make_shared<Column<std::remove_const_t<T>>>();
    Declared declared;
    declared.in_use = in_use;
    declared.resize = [=](std::size_t n) { column->resize(n + spare); };
    declared.shrink = [=] { *column = {}; };
    declared.point = pointing(*column, pointer);
    columns_.push_back(std::move(declared));
    return *column;
  }

  /// A column for kernels alone that follows its particles when they are reordered.
  template <class View, class T>
  Column<std::remove_const_t<T>>& carried(T* View::*pointer) {
    using Value = std::remove_const_t<T>;
    Column<Value>& column = scratch(pointer);
    columns_.back().reorder = reordering<Value>([&column]() -> Column<Value>& { return column; });
    columns_.back().shrink = [&column] { column.shrink_to_fit(); };
    return column;
  }

  void resize(std::size_t n) {
    for (const Declared& column : columns_)
      if (column.is_used()) column.resize(n);
  }
  /// Gives back memory that holds no particle. Columns that are not valid after reordering are
  /// empty until resize().
  void shrink() {
    for (const Declared& column : columns_) column.shrink();
    for (const auto& give_back : spaces_) give_back();
  }
  /// All columns k <- order[k]; where `order` is shorter than they are, others are gone.
  void reorder(const Exec& exec, const char* stage, const Column<Index>& order) {
    for (const Declared& column : columns_)
      if (column.is_used() && column.reorder) column.reorder(exec, stage, order);
  }
  std::vector<ColumnView> views() const {
    std::vector<ColumnView> all;
    for (const Declared& column : columns_)
      if (column.is_used() && column.view) all.push_back(column.view());
    return all;
  }
  /// Sets the pointers of a view of the type that columns were declared with.
  void point(ParticleView& view) const {
    for (const Declared& column : columns_)
      if (column.is_used() && column.point) column.point(view);
  }

 private:
  using Reorder = std::function<void(const Exec&, const char*, const Column<Index>&)>;
  using Point = std::function<void(ParticleView&)>;

  struct Declared {
    const bool* in_use = nullptr;
    std::function<void(std::size_t)> resize;
    std::function<void()> shrink;
    Reorder reorder;
    std::function<ColumnView()> view;
    Point point;

    bool is_used() const { return !in_use || *in_use; }
  };

  /// Columns of one type share the space to reorder them.
  template <class T, class Get>
  Reorder reordering(const Get& get) {
    std::shared_ptr<void>& space = space_[typeid(T)];
    const bool is_new = !space;
    if (is_new) space = std::make_shared<Column<T>>();
    const auto spare = std::static_pointer_cast<Column<T>>(space);
    if (is_new) spaces_.push_back([=] { *spare = {}; });
    return [=](const Exec& exec, const char* stage, const Column<Index>& order) {
      permute(exec, stage, get(), order, *spare);
    };
  }

  template <class AnyColumn, class View, class T>
  static Point pointing(AnyColumn& column, T* View::*pointer) {
    return [&column, pointer](ParticleView& view) {
      static_cast<View&>(view).*pointer = data_for_kernels(column);
    };
  }

  std::vector<Declared> columns_;
  std::map<std::type_index, std::shared_ptr<void>> space_;
  std::vector<std::function<void()>> spaces_;  // that give their memory back
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
