#pragma once

#include <optional>

#include "phyxel/matter/force_fields/field_types.h"
#include "phyxel/scene/shape_spec.h"

namespace phyxel {

/// The table of a force field: what every one has, and the parameters of its type.
struct FieldSpec : FieldParameters {
  std::string name;
  Place place;
  const FieldType* type = nullptr;
  std::any parameters;                 // of the type
  std::optional<ShapeSpec> region;     // none: everywhere
  std::vector<std::string> materials;  // none: all
};

inline void describe_field_choice(Fields& field, std::string& type, FieldSpec& f) {
  field.choice("type", type, field_type_names(), "what it does");
  field("material", f.materials,
        "name of a [material.NAME] table, or a list of them: what it acts on; all when absent");
}

/// Without `type` and `material`, which are read first.
inline void describe(Fields& field, FieldSpec& f) {
  describe(field, static_cast<FieldParameters&>(f));
  if (f.type) f.type->describe(field, f.parameters);
}

}  // namespace phyxel
