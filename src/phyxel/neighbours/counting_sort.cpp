#include "phyxel/neighbours/counting_sort.h"

#include <algorithm>

namespace phyxel {

namespace {

constexpr int max_digit_bits = 11;  // 2048 counters of a piece fit the first-level cache
constexpr std::size_t piece_size = 16384;

struct Digit {
  int shift;
  std::size_t values;  // 2^bits of the digit
  std::size_t operator()(std::uint64_t key) const { return (key >> shift) & (values - 1); }
};

/// histogram[d * pieces + p] = how often digit d occurs in piece p.
void count_digits(const Exec& exec, const Digit& digit, const Column<std::uint64_t>& keys,
                  std::size_t pieces, Column<Index>& histogram) {
  histogram.assign(digit.values * pieces, 0);
  for_each_coarse(exec, "neighbours.count_digits", static_cast<Index>(pieces), [&](Index p) {
    const std::size_t last = std::min(keys.size(), (p + 1) * piece_size);
    for (std::size_t k = p * piece_size; k < last; ++k) ++histogram[digit(keys[k]) * pieces + p];
  });
}

/// Moves keys to where the scanned histogram says; pieces in order, so equal digits keep theirs.
void move_by_digit(const Exec& exec, const Digit& digit, const Column<std::uint64_t>& keys,
                   const Column<Index>& order, std::size_t pieces, CountingSort& to) {
  for_each_coarse(exec, "neighbours.move_by_digit", static_cast<Index>(pieces), [&](Index p) {
    const std::size_t last = std::min(keys.size(), (p + 1) * piece_size);
    for (std::size_t k = p * piece_size; k < last; ++k) {
      const Index place = to.histogram[digit(keys[k]) * pieces + p]++;
      to.keys_out[place] = keys[k];
      to.order_out[place] = order[k];
    }
  });
}

}  // namespace

void counting_sort(const Exec& exec, int bits, Column<std::uint64_t>& keys, Column<Index>& order,
                   CountingSort& scratch) {
  const std::size_t pieces = (keys.size() + piece_size - 1) / piece_size;
  const int passes = (bits + max_digit_bits - 1) / max_digit_bits;
  scratch.keys_out.resize(keys.size());
  scratch.order_out.resize(keys.size());
  for (int pass = 0, shift = 0; pass < passes; ++pass) {
    const int digit_bits = (bits - shift + passes - pass - 1) / (passes - pass);
    const Digit digit{shift, std::size_t{1} << digit_bits};
    count_digits(exec, digit, keys, pieces, scratch.histogram);
    scan(exec, "neighbours.scan_digits", scratch.histogram);
    move_by_digit(exec, digit, keys, order, pieces, scratch);
    keys.swap(scratch.keys_out);
    order.swap(scratch.order_out);
    shift += digit_bits;
  }
}

}  // namespace phyxel
