#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "phyxel/core/exec.h"
#include "phyxel/matter/shared_column.h"

namespace phyxel {

inline namespace PHYXEL_BACKEND {

/// Where a column of a method is written.
enum class KeptIn { files_and_checkpoints, checkpoints };

/// The columns that a method has beside the shared ones, each declared once. Resizing, reordering
/// and checkpoints follow from the declaration.
class OwnColumns {
 public:
  /// `column` belongs to the method and outlives this list; new particles have `initial`. Where
  /// `in_use` is given the column stays empty until it becomes true, which it then has to remain.
  template <class T>
  void add(const char* name, const char* unit, KeptIn kept_in, const T& initial,
           SharedColumn<T>& column, const bool* in_use = nullptr) {
    auto scratch = std::make_shared<Column<T>>();
    columns_.push_back(
        {in_use, [=, &column](std::size_t n) { column.for_host().resize(n, initial); },
         [=, &column](const Exec& exec, const char* stage, const Column<Index>& order) {
           permute(exec, stage, column.for_kernels(), order, *scratch);
         },
         [=, &column] {
           ColumnView own = phyxel::view(name, unit, column.for_host());
           own.in_files = kept_in == KeptIn::files_and_checkpoints;
           return own;
         }});
  }

  void resize(std::size_t n) {
    for (const Declared& column : columns_)
      if (column.is_used()) column.resize(n);
  }
  /// All columns k <- order[k].
  void reorder(const Exec& exec, const char* stage, const Column<Index>& order) {
    for (const Declared& column : columns_)
      if (column.is_used()) column.reorder(exec, stage, order);
  }
  std::vector<ColumnView> views() const {
    std::vector<ColumnView> all;
    for (const Declared& column : columns_)
      if (column.is_used()) all.push_back(column.view());
    return all;
  }

 private:
  struct Declared {
    const bool* in_use;
    std::function<void(std::size_t)> resize;
    std::function<void(const Exec&, const char*, const Column<Index>&)> reorder;
    std::function<ColumnView()> view;

    bool is_used() const { return !in_use || *in_use; }
  };
  std::vector<Declared> columns_;
};

}  // namespace PHYXEL_BACKEND

}  // namespace phyxel
