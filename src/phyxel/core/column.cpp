#include "phyxel/core/column.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace phyxel {

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  // Whether it is granted changes nothing but the speed. Whole pages only: what follows the end is
  // other memory.
  madvise(memory, bytes / huge_page * huge_page, MADV_HUGEPAGE);
#endif
}

}  // namespace phyxel
