#include "phyxel/methods/mpm/material.h"

#include <fmt/format.h>

#include "phyxel/core/error.h"

namespace phyxel::mpm {

AnyLaw law_of(const Parameters& p) {
  AnyLaw chosen;
  int number = 0;
  std::apply([&](const auto&... law) { ((number++ == p.law ? void(chosen = law) : void()), ...); },
             p.laws);
  std::visit(
      [&](auto& law) {
        if constexpr (requires { law.elastic; })
          law.elastic = lame(p.youngs_modulus, p.poissons_ratio);
      },
      chosen);
  return chosen;
}

namespace {

AnyLaw sheet_of(const CorotatedLaw& law) {
  return SheetOf<CorotatedLaw>{law};
}
AnyLaw sheet_of(const NeoHookeanLaw& law) {
  return SheetOf<NeoHookeanLaw>{law};
}

}  // namespace

std::string refuses_sheet(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  if (p.integration == Integration::implicit)
    return "integration = \"implicit\" has no stiffness of sheets; choose \"explicit\"";
  return std::visit(
      [](const auto& law) -> std::string {
        if constexpr (requires { sheet_of(law); })
          return "";
        else
          return fmt::format(
              "law = \"{}\" does not know how a sheet of it flows across its plane; choose "
              "\"corotated\" or \"neo_hookean\"",
              law.name);
      },
      law_of(p));
}

AnyLaw law_in(const Material& material, bool sheet) {
  const AnyLaw law = law_of(parameters_of<Parameters>(material));
  if (!sheet) return law;
  if (const std::string why = refuses_sheet(material); !why.empty())
    throw InputError(
        fmt::format("material.{}.{}, or world.plane = \"strain\"", material.name, why));
  return std::visit(
      [](const auto& solid) -> AnyLaw {
        if constexpr (requires { sheet_of(solid); })
          return sheet_of(solid);
        else
          return solid;
      },
      law);
}

/// Of solids.
template <class Law>
constexpr bool has_elasticity = requires(Law law) {
  law.elastic;
};

std::string idle(const Parameters& p, const std::set<std::string>& given, const std::string& name) {
  const auto is_one_of = [&](const std::set<std::string>& names) { return names.contains(name); };
  const bool elastic =
      std::visit([]<class Law>(const Law&) { return has_elasticity<Law>; }, law_of(p));
  if (is_one_of({"youngs_modulus", "poissons_ratio"}) && !elastic)
    return fmt::format("law = \"{}\" has none; give bulk_modulus, or choose another law",
                       law_names()[p.law]);
  if (name == "flip" && p.transfer != Transfer::flip)
    return "it is of transfer = \"flip\", and this one is \"apic\"; remove it or choose that";
  if (is_one_of({"implicit_share", "tolerance", "iterations"}) &&
      p.integration != Integration::implicit)
    return "steps are explicit; remove it or choose integration = \"implicit\"";
  // They need heat as latent_heat does.
  if (is_one_of({"melts_into", "freezes_into"})) return idle(p.thermal, given, "latent_heat");
  return idle(p.thermal, given, name);
}

Real natural_cell(double volume, int dimensions) {
  return static_cast<Real>(2 * (dimensions == 2 ? std::sqrt(volume) : std::cbrt(volume)));
}

namespace {

/// Numbers of a law, with values as text.
template <class Law>
std::vector<std::pair<std::string, std::string>> numbers_of(Law law) {
  Fields fields;
  describe(fields, law);
  std::vector<std::pair<std::string, std::string>> numbers;
  for (const Parameter& p : fields.list) numbers.emplace_back(p.name, value_text(p));
  return numbers;
}

/// A number that the material's law does not use would silently do nothing.
void refuse_foreign_numbers(const Material& material, const Parameters& p) {
  int number = 0;
  const auto check = [&](const auto& law) {
    using Law = std::decay_t<decltype(law)>;
    if (number++ == p.law) return;
    const auto given = numbers_of(law), usual = numbers_of(Law{});
    for (std::size_t k = 0; k < given.size(); ++k)
      if (given[k] != usual[k])
        throw InputError(fmt::format(
            "material.{}.{} = {} means nothing to law = \"{}\"; it belongs to law = \"{}\"",
            material.name, given[k].first, given[k].second, law_names()[p.law], Law::name));
  };
  std::apply([&](const auto&... law) { (check(law), ...); }, p.laws);
}

}  // namespace

void resolve(Material& material) {
  Parameters& p = std::any_cast<Parameters&>(material.parameters);
  refuse_foreign_numbers(material, p);
  const double least = 0.1 * material.spacing, most = 100 * material.spacing;
  if (p.cell < least || p.cell > most)  // not where it is absent
    throw InputError(fmt::format(
        "material.{}.cell = {:.4g} m must be at least {:.4g} m and at most {:.4g} m, a tenth and a "
        "hundred times the spacing of its particles; two spacings are usual: leave it out for that",
        material.name, p.cell, least, most));
}

void check_agreement(const Material& a, const Material& b) {
  const Parameters &p = parameters_of<Parameters>(a), &q = parameters_of<Parameters>(b);
  const auto refuse = [&](const char* name) {
    throw InputError(fmt::format(
        "material.{}.{} differs from that of material.{}; all materials of mpm share one grid",
        b.name, name, a.name));
  };
  if (p.transfer != q.transfer) refuse("transfer");
  if (p.flip != q.flip) refuse("flip");
  if (p.volumes != q.volumes) refuse("volumes");
  if (p.integration != q.integration) refuse("integration");
  if (p.implicit_share != q.implicit_share) refuse("implicit_share");
  if (p.tolerance != q.tolerance) refuse("tolerance");
  if (p.iterations != q.iterations) refuse("iterations");
  if (is_given(p.cell) && is_given(q.cell) && p.cell != q.cell) refuse("cell");
}

std::vector<std::string> report(const Material& material) {
  const Parameters& p = parameters_of<Parameters>(material);
  std::vector<std::string> lines = {
      fmt::format("law                         {}", law_names()[p.law])};
  std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.elastic; })
          lines.push_back(fmt::format("Lame's mu and lambda        {:.6g} and {:.6g} Pa",
                                      law.elastic.mu, law.elastic.lambda));
        double modulus = 0;
        if constexpr (requires { law.elastic; })
          modulus = law.elastic.lambda + 2 * law.elastic.mu;
        else
          modulus = law.bulk_modulus;
        lines.push_back(fmt::format("speed of pressure waves     {:.6g} m/s",
                                    std::sqrt(modulus / material.density)));
      },
      law_of(p));
  return lines;
}

}  // namespace phyxel::mpm
