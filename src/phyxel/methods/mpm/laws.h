#pragma once

#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "phyxel/methods/mpm/law_elastic.h"
#include "phyxel/methods/mpm/law_liquid.h"
#include "phyxel/methods/mpm/law_sand.h"
#include "phyxel/methods/mpm/law_sheet.h"
#include "phyxel/methods/mpm/law_snow.h"
#include "phyxel/methods/mpm/law_von_mises.h"

namespace phyxel::mpm {

/// All laws: a new one needs a file of its own and its name here.
template <template <class...> class List>
using ListOfLaws = List<SnowLaw, CorotatedLaw, NeoHookeanLaw, LiquidLaw, SandLaw, VonMisesLaw>;

/// The law of a material: one of these, or an elastic one of a sheet.
template <class... Law>
using OrOfSheet = std::variant<Law..., SheetOf<CorotatedLaw>, SheetOf<NeoHookeanLaw>>;
using AnyLaw = ListOfLaws<OrOfSheet>;
/// One of each, with the numbers a scene gives.
using LawTuple = ListOfLaws<std::tuple>;

/// The words a material's `law` may be.
inline std::vector<std::string> law_names() {
  return std::apply(
      [](const auto&... law) {
        return std::vector<std::string>{std::decay_t<decltype(law)>::name...};
      },
      LawTuple{});
}

}  // namespace phyxel::mpm
