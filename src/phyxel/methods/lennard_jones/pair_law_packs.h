#pragma once

#include <memory>
#include <vector>

#include "phyxel/methods/lennard_jones/law.h"

namespace phyxel::lennard_jones {

struct PackLaw;

/// The laws of all pairs of materials as packs evaluate them: hides code that is slow to compile.
class PackLaws {
 public:
  PackLaws();
  ~PackLaws();
  PackLaws(const PackLaws&) = delete;
  PackLaws& operator=(const PackLaws&) = delete;

  void assign(const std::vector<PairLaw>& laws);
  const PackLaw* data() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace phyxel::lennard_jones
