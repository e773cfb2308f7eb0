#pragma once

#include "phyxel/matter/force_fields/force_field.h"
#include "phyxel/matter/force_fields/force_field_view.h"

// The types of force fields. A program adds one of its own with a struct of parameters, their
// description, and one pure function:
//
//   struct Fan { Real thrust = 1; };
//   void describe(Fields& field, Fan& f) { field("thrust", f.thrust, "m/s^2", any_number, "up"); }
//   FieldEffect blow(const Fan& f, const FieldPoint& at) { return {{0, f.thrust, 0}}; }
//
//   add_field_type(field_type<Fan, blow>("fan", "blows upwards"));
//
// Places of kernels are relative to the origin of the scene; parameters that are Vec3d with the
// unit m are places, and moved with it.

namespace phyxel {

/// When and for what kind of scene a field is shown to kernels.
struct FieldMoment {
  double time = 0;  // s
  std::uint32_t seed = 1;
  bool flat = false;
};

struct FieldType {
  std::string name;     // the word of `type` in a scene file
  std::string summary;  // one line
  std::any (*default_parameters)() = nullptr;
  void (*describe)(Fields& fields, std::any& parameters) = nullptr;
  /// Writes the numbers of its law, and how kernels find that.
  void (*show)(const std::any& parameters, const FieldMoment& moment,
               ForceFieldView& view) = nullptr;
  /// "" or what is wrong with parameters that are each within their ranges: begins with the name
  /// of one. Null: nothing can be.
  std::string (*check)(const std::any& parameters, bool flat) = nullptr;
  /// Potential energy over mass at x, J/kg; null where the type has none.
  double (*potential)(const std::any& parameters, const Vec3& x) = nullptr;
  bool runs_on_gpu = false;
};

/// All types: those of the library, then those that were added.
const std::vector<FieldType>& field_types();
const FieldType* find_field_type(const std::string& name);
std::vector<std::string> field_type_names();

/// Adds a type before the first scene is read. Throws Error where that is too late, or where there
/// is one of this name.
void add_field_type(FieldType type);

namespace detail {

/// A type without a law yet.
template <class Parameters>
FieldType type_of_parameters(std::string name, std::string summary) {
  FieldType type;
  type.name = std::move(name);
  type.summary = std::move(summary);
  type.default_parameters = [] { return std::any(Parameters{}); };
  type.describe = [](Fields& fields, std::any& parameters) {
    describe(fields, std::any_cast<Parameters&>(parameters));
  };
  return type;
}

/// Puts the numbers of a law where kernels read them.
template <class Law>
void write_law(const Law& law, ForceFieldKind kind, ForceFieldView& view) {
  static_assert(std::is_trivially_copyable_v<Law>, "kernels read a copy of its bytes");
  static_assert(sizeof(Law) <= ForceFieldView::room && alignof(Law) <= 16);
  std::memcpy(view.law, &law, sizeof(Law));
  view.kind = kind;
}

}  // namespace detail

/// A type whose scene tables have these Parameters; describe(fields, parameters) is beside them.
/// `law`: FieldEffect law(const Parameters&, const FieldPoint&), pure. Runs on the CPU.
template <class Parameters, FieldEffect (*law)(const Parameters&, const FieldPoint&)>
FieldType field_type(std::string name, std::string summary) {
  FieldType type = detail::type_of_parameters<Parameters>(std::move(name), std::move(summary));
  type.show = [](const std::any& parameters, const FieldMoment&, ForceFieldView& view) {
    detail::write_law(std::any_cast<const Parameters&>(parameters), ForceFieldKind::other, view);
    view.other = [](const void* numbers, const FieldPoint& at) {
      return law(*static_cast<const Parameters*>(numbers), at);
    };
  };
  return type;
}

}  // namespace phyxel
