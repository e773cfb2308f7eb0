#pragma once

#include "phyxel/core/vec.h"

namespace phyxel {

/// A number and its slopes along three variables: a function written for T that is called with
/// Dual<T> returns its derivatives too (forward mode of automatic differentiation). T is a number
/// or a pack; comparisons use the value alone.
template <class T>
struct Dual {
  using value_type = LaneOf<T>;  // for LaneOf<Dual<T>>

  T value;
  Vec<T, 3> slope;

  Dual() = default;
  template <class N, class = IfNumber<N>>
  PHYXEL_FN explicit Dual(N number) : value(T(number)), slope(Vec<T, 3>::zero()) {}
  PHYXEL_FN Dual(const T& v, const Vec<T, 3>& s) : value(v), slope(s) {}

  PHYXEL_FN Dual& operator+=(const Dual& b) { return *this = *this + b; }
  PHYXEL_FN Dual& operator-=(const Dual& b) { return *this = *this - b; }
  PHYXEL_FN Dual& operator*=(const Dual& b) { return *this = *this * b; }
};

template <class T>
PHYXEL_FN Dual<T> constant(const T& value) {
  return {value, Vec<T, 3>::zero()};
}
/// Variable k of three.
template <class T>
PHYXEL_FN Dual<T> variable(const T& value, int k) {
  Dual<T> d = constant(value);
  d.slope[k] = T(1);
  return d;
}

template <class T>
PHYXEL_FN Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
  return {a.value + b.value, a.slope + b.slope};
}
template <class T>
PHYXEL_FN Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
  return {a.value - b.value, a.slope - b.slope};
}
template <class T>
PHYXEL_FN Dual<T> operator-(const Dual<T>& a) {
  return {-a.value, -a.slope};
}
template <class T>
PHYXEL_FN Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.value * b.value, a.slope * b.value + b.slope * a.value};
}
template <class T>
PHYXEL_FN Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  const T inverse = T(1) / b.value, quotient = a.value * inverse;
  return {quotient, (a.slope - b.slope * quotient) * inverse};
}

template <class T>
PHYXEL_FN auto operator<(const Dual<T>& a, const Dual<T>& b) {
  return a.value < b.value;
}
template <class T>
PHYXEL_FN auto operator>(const Dual<T>& a, const Dual<T>& b) {
  return a.value > b.value;
}
template <class T>
PHYXEL_FN auto operator<=(const Dual<T>& a, const Dual<T>& b) {
  return a.value <= b.value;
}
template <class T>
PHYXEL_FN auto operator>=(const Dual<T>& a, const Dual<T>& b) {
  return a.value >= b.value;
}

template <class Mask, class T>
PHYXEL_FN Dual<T> select(const Mask& mask, const Dual<T>& a, const Dual<T>& b) {
  Dual<T> chosen;
  chosen.value = select(mask, a.value, b.value);
  for (int k = 0; k < 3; ++k) chosen.slope[k] = select(mask, a.slope[k], b.slope[k]);
  return chosen;
}
template <class T>
PHYXEL_FN Dual<T> min(const Dual<T>& a, const Dual<T>& b) {
  return select(a < b, a, b);
}
template <class T>
PHYXEL_FN Dual<T> max(const Dual<T>& a, const Dual<T>& b) {
  return select(a > b, a, b);
}
template <class T>
PHYXEL_FN Dual<T> abs(const Dual<T>& a) {
  return max(a, -a);
}
template <class T>
PHYXEL_FN Dual<T> sqrt(const Dual<T>& a) {
  const T root = sqrt(a.value);
  return {root, a.slope / (T(2) * root)};
}
template <class T>
PHYXEL_FN Dual<T> exp(const Dual<T>& a) {
  using std::exp;
  const T power = exp(a.value);
  return {power, a.slope * power};
}
template <class T>
PHYXEL_FN Dual<T> log(const Dual<T>& a) {
  using std::log;
  return {log(a.value), a.slope / a.value};
}

}  // namespace phyxel
