#include "phyxel/scene/reference.h"

#include <fmt/format.h>
#include <functional>

#include "phyxel/matter/unit_limits.h"
#include "phyxel/scene/body_material.h"
#include "phyxel/scene/presets.h"
#include "phyxel/scene/scene.h"
#include "phyxel/scene/words.h"

namespace phyxel {

namespace {

/// A part of the scene file: its name and what may stand in it.
struct Section {
  std::string title;
  std::string text;
  Fields fields;
};

/// Owns what the fields of the sections point into.
struct Defaults {
  Scene scene;
  Material material;
  BodySpec body, emitter;
  ColliderSpec collider;
  PinSpec pin;
  SinkSpec sink;
  std::vector<FieldSpec> fields;
  SurfaceSpec surface;
  LightSpec light;
  Motion motion;
  std::string method, preset;
  EventSpec event;
  KeyframeSpec keyframe;
  std::vector<std::any> parameters;
  std::vector<ShapeSpec> shapes;
};

template <class T>
Section section(std::string title, std::string text, T& thing) {
  return {std::move(title), std::move(text), described(thing)};
}

/// "`collider.NAME.friction|restitution`": what events may set in each table that has such keys.
std::vector<std::string> changeable_keys(const std::vector<Section>& sections) {
  std::vector<std::string> tables;
  for (const Section& s : sections) {
    std::vector<std::string> names;
    for (const Parameter& p : s.fields.list)
      if (p.changeable) names.push_back(p.name);
    const std::string table = s.title.substr(1, s.title.find(']') - 1);
    if (!names.empty()) tables.push_back(fmt::format("`{}.{}`", table, fmt::join(names, "|")));
  }
  return tables;
}

std::string field_title(const FieldType& type) {
  return fmt::format("[field.NAME] with type = \"{}\"", type.name);
}

/// Those keys and the ones that all types have.
void add_field_sections(Defaults& d, std::vector<Section>& sections) {
  d.fields.reserve(field_types().size());
  for (const FieldType& type : field_types()) {
    FieldSpec& field = d.fields.emplace_back();
    field.type = &type;
    field.parameters = type.default_parameters();
    Section section{field_title(type), "", {}};
    section.text =
        fmt::format("A force field: {}. And an optional `region`, a shape that it is limited to.",
                    type.summary);
    section.fields(
        "material", field.materials,
        "name of a [material.NAME] table, or a list of them: what it acts on; all when absent");
    describe(section.fields, field);
    sections.push_back(std::move(section));
  }
}

std::vector<Section> table_sections(Defaults& d) {
  std::vector<Section> sections;
  sections.push_back(section("top of the file", "", d.scene));
  sections.push_back(section("[world]", "", d.scene.world));
  Section domain{"[world.domain]", "Optional. Needed for periodic axes and walls.", {}};
  describe_domain(domain.fields, d.scene.world);
  sections.push_back(domain);
  sections.push_back(section(
      "[time]", "Optional. Without it the step is the largest that is stable.", d.scene.time));
  Section material{"[material.NAME]", "These keys, and those of its method below.", {}};
  material.fields("preset", d.preset, "known material to start from; `phyxel list materials`");
  material.fields("method", d.method, "how it is simulated; `phyxel list methods`");
  describe(material.fields, d.material);
  sections.push_back(material);
  sections.push_back(section("[body.NAME]", "And `shape`, see below.", d.body));
  d.emitter.nozzle.emplace();
  sections.push_back(
      section("[emitter.NAME]",
              "Matter that comes out of a nozzle: its mouth is where the plane through the middle "
              "of `shape`, across `direction`, cuts it. And an optional `motion`.",
              d.emitter));
  sections.push_back(
      section("[collider.NAME]", "And `shape`, see below, and an optional `motion`.", d.collider));
  sections.push_back(
      section("[pin.NAME]",
              "Holds the particles of a body that are inside `shape` at the start, and moves "
              "them by an optional `motion`.",
              d.pin));
  sections.push_back(
      section("[sink.NAME]",
              "Removes matter that gets into its `shape`, see below, and moves by an optional "
              "`motion`. `world.remove_every` says how often it looks.",
              d.sink));
  add_field_sections(d, sections);
  sections.push_back(
      section("motion = { ... }", "Of a collider, an emitter, a pin or a sink.", d.motion));
  sections.push_back(
      section("[[event]]",
              fmt::format("And `set = {{ \"material.NAME.KEY\" = value, ... }}`: also {}.",
                          fmt::join(changeable_keys(sections), ", ")),
              d.event));
  sections.push_back(section(
      "[[keyframe]]",
      "And `values`: a list of numbers, or of 3 numbers each. `path` as in an event.", d.keyframe));
  sections.push_back(section("[surface.NAME]",
                             "NAME is a material, or a body. Without such a table its particles "
                             "are drawn as spheres.",
                             d.surface));
  sections.push_back(
      section("[light.NAME]", "Optional. A glowing rectangle, beside the other lights.", d.light));
  sections.push_back(
      section("[render]", "Optional. The defaults give a good picture.", d.scene.render));
  sections.push_back(section("[output]", "Optional.", d.scene.output));
  return sections;
}

std::vector<Section> method_sections(Defaults& d) {
  std::vector<Section> sections;
  d.parameters.reserve(method_registry().size());
  for (const MethodInfo& method : method_registry()) {
    d.parameters.push_back(method.default_parameters());
    sections.push_back({fmt::format("[material.NAME] with method = \"{}\"", method.name),
                        method.summary, described(method, d.parameters.back())});
  }
  return sections;
}

std::vector<Section> shape_sections(Defaults& d) {
  std::vector<Section> sections;
  d.shapes.reserve(shape_types().size());
  for (const std::string& type : shape_types()) {
    d.shapes.emplace_back().type = type;
    const bool operation = type == "union" || type == "intersection" || type == "difference";
    sections.push_back(section(fmt::format("shape = {{ type = \"{}\", ... }}", type),
                               operation ? "And `of = [ { type = ... }, { type = ... } ]`." : "",
                               d.shapes.back()));
  }
  return sections;
}

std::string markdown(const Section& s) {
  std::string text =
      fmt::format("\n## `{}`\n\n{}{}", s.title, s.text, s.text.empty() ? "" : "\n\n");
  text += "| key | value | unit | default | limit | meaning |\n|---|---|---|---|---|---|\n";
  for (const Parameter& p : s.fields.list) {
    const bool limited = p.range.min > -infinity || p.range.max < infinity;
    const std::string value = value_text(p);
    std::string kind = kind_of(p);
    if (const std::size_t unit = kind.find(" in "); unit != std::string::npos) kind.erase(unit);
    text += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", p.name, kind, p.unit,
                        value.empty() || value == "inf" ? "" : "`" + value + "`",
                        limited ? to_string(p.range).substr(8) : "", p.help);
  }
  return text;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string json_type(const Parameter& p) {
  static const std::string numbers = R"("type": "array", "items": {"type": "number"})";
  if (std::holds_alternative<int*>(p.value)) return R"("type": "integer")";
  if (std::holds_alternative<bool*>(p.value)) return R"("type": "boolean")";
  if (std::holds_alternative<std::string*>(p.value)) return R"("type": "string")";
  if (std::holds_alternative<Vec3*>(p.value) || std::holds_alternative<Vec3d*>(p.value))
    return numbers + R"(, "minItems": 3, "maxItems": 3)";
  if (std::holds_alternative<Bool3*>(p.value))
    return R"("type": "array", "items": {"type": "boolean"}, "minItems": 3, "maxItems": 3)";
  if (std::holds_alternative<std::vector<double>*>(p.value)) return numbers;
  if (std::holds_alternative<std::vector<Vec3>*>(p.value))
    return R"("type": "array", "items": {)" + numbers + R"(, "minItems": 3, "maxItems": 3})";
  if (std::holds_alternative<std::vector<std::string>*>(p.value))
    return R"("type": ["string", "array"], "items": {"type": "string"})";
  if (const auto* choice = std::get_if<Choice>(&p.value)) {
    std::vector<std::string> words;
    for (const std::string& word : choice->words) words.push_back(quoted(word));
    return fmt::format("\"enum\": [{}]", fmt::join(words, ", "));
  }
  return R"("type": "number")";
}

std::string json_limits(const Parameter& p) {
  std::string text;
  const bool scalar = json_type(p).find("number\"") == 9 || std::holds_alternative<int*>(p.value);
  if (!scalar) return text;
  if (p.range.min > -infinity)
    text += fmt::format(", \"{}\": {:.9g}", p.range.min_included ? "minimum" : "exclusiveMinimum",
                        p.range.min);
  if (p.range.max < infinity)
    text += fmt::format(", \"{}\": {:.9g}", p.range.max_included ? "maximum" : "exclusiveMaximum",
                        p.range.max);
  return text;
}

std::string json_properties(const Fields& fields) {
  std::vector<std::string> entries;
  for (const Parameter& p : fields.list)
    entries.push_back(fmt::format("{}: {{{}{}, \"description\": {}}}", quoted(p.name), json_type(p),
                                  json_limits(p),
                                  quoted(p.help + (p.unit.empty() ? "" : " [" + p.unit + "]"))));
  return fmt::format("{}", fmt::join(entries, ",\n  "));
}

std::string json_object(const std::string& properties) {
  return "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {\n  " +
         properties + "}}";
}

std::string json_shape(Defaults& d) {
  std::vector<std::string> variants;
  for (const Section& s : shape_sections(d)) {
    const std::string type = d.shapes[variants.size()].type;
    std::string properties =
        fmt::format("\"type\": {{\"const\": {}}},\n  {}", quoted(type), json_properties(s.fields));
    if (s.text.starts_with("And `of"))
      properties +=
          R"(, "of": {"type": "array", "minItems": 2, "items": {"$ref": "#/$defs/shape"}})";
    variants.push_back(json_object(properties));
  }
  for (const char* type : {"mesh", "particles"}) {
    ShapeSpec spec;
    spec.type = type;
    Fields fields = described(spec);
    std::erase_if(fields.list, [](const Parameter& p) { return p.name == "file"; });
    variants.push_back(json_object(
        fmt::format("\"{}\": {{\"type\": \"string\"}},\n  {}", type, json_properties(fields))));
  }
  return fmt::format("{{\"anyOf\": [{}]}}", fmt::join(variants, ",\n"));
}

std::string json_material(Defaults& d) {
  std::vector<std::string> variants;
  for (const Section& s : method_sections(d)) {
    const Fields fields = described(d.material);
    std::vector<std::string> names;
    for (const KnownMaterial& preset : known_materials()) names.push_back(quoted(preset.name));
    variants.push_back(json_object(fmt::format(
        "\"preset\": {{\"enum\": [{}]}},\n  \"method\": {{\"const\": {}}},\n  {},\n  {}",
        fmt::join(names, ", "), quoted(method_registry()[variants.size()].name),
        json_properties(fields), json_properties(s.fields))));
  }
  return fmt::format("{{\"anyOf\": [{}]}}", fmt::join(variants, ",\n"));
}

std::string in_quotes(const std::vector<std::string>& words) {
  std::vector<std::string> texts;
  for (const std::string& word : words) texts.push_back("`" + word + "`");
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Other spellings and words of other programs.
std::string words_section() {
  std::string text =
      "\n## Other words\n\nThese are read as the words of this page:\n\n| written | read as | "
      "|\n|---|---|---|\n";
  for (const Word& word : accepted_keys())
    text += fmt::format("| `{}` | {} | {} |\n", word.typed, in_quotes(word.meant), word.note);
  for (const Word& word : accepted_shapes())
    text += fmt::format("| `type = \"{}\"` | `type = \"{}\"` | {} |\n", word.typed,
                        word.meant.front(), word.note);
  text +=
      "\nThese are refused, with the right word as a suggestion: the first that the table "
      "has.\n\n| written | suggested | |\n|---|---|---|\n";
  for (const Word& word : explained_words())
    text += fmt::format("| `{}` | {} | {} |\n", word.typed, in_quotes(word.meant), word.note);
  return text;
}

/// Limits that hold whatever a number is for.
std::string limits_section() {
  std::string text =
      "\n## Largest numbers\n\nBesides the limits above, a number must not be larger than this, "
      "whatever its sign:\n\n| unit | largest | |\n|---|---|---|\n";
  for (const UnitLimit& limit : unit_limits())
    text += fmt::format("| {} | {:.0e} | {} |\n", limit.unit.empty() ? "none" : limit.unit,
                        limit.largest, limit.remedy);
  return text;
}

const Fields& fields_of(const std::vector<Section>& sections, const std::string& title) {
  for (const Section& s : sections)
    if (s.title == title) return s.fields;
  throw Error("no section " + title);
}

}  // namespace

std::string scene_reference() {
  Defaults d;
  std::string text =
      "# Scene file reference\n\nGenerated from the descriptions in the source by `phyxel "
      "reference`; every key is checked "
      "by exactly these rules. Units are SI, temperatures in degrees C, angles in degrees. A key "
      "that is not listed is an "
      "error.\n";
  for (const Section& s : table_sections(d)) text += markdown(s);
  for (const Section& s : method_sections(d)) text += markdown(s);
  text +=
      "\n## Shapes\n\n`shape = { mesh = \"file.obj\" }` and `shape = { particles = \"file.xyz\" }` "
      "are short forms.\n";
  for (const Section& s : shape_sections(d)) text += "#" + markdown(s).substr(1);
  text += "\n## Presets\n\n| preset | method | |\n|---|---|---|\n";
  for (const KnownMaterial& p : known_materials())
    text += fmt::format("| `{}` | `{}` | {} |\n", p.name, p.method, p.summary);
  return text + limits_section() + words_section();
}

std::string scene_schema() {
  Defaults d;
  const std::vector<Section> sections = table_sections(d);
  const auto properties = [&](const char* title) {
    return json_properties(fields_of(sections, title));
  };
  const auto named = [](const std::string& schema) {
    return "{\"type\": \"object\", \"additionalProperties\": " + schema + "}";
  };
  const std::string shape = R"("shape": {"$ref": "#/$defs/shape"})",
                    motion = R"("motion": {"$ref": "#/$defs/motion"})";
  std::string text =
      "{\n\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n\"title\": \"phyxel "
      "scene\",\n";
  text += "\"type\": \"object\", \"additionalProperties\": false,\n\"properties\": {\n  " +
          properties("top of the file");
  text += ",\n\"world\": " + json_object(properties("[world]") + ",\n  \"domain\": " +
                                         json_object(properties("[world.domain]")));
  text += ",\n\"time\": " + json_object(properties("[time]"));
  text += ",\n\"render\": " + json_object(properties("[render]"));
  text += ",\n\"output\": " + json_object(properties("[output]"));
  text += ",\n\"material\": " + named(json_material(d));
  text += ",\n\"body\": " + named(json_object(shape + ", " + properties("[body.NAME]")));
  text += ",\n\"emitter\": " +
          named(json_object(shape + ", " + motion + ", " + properties("[emitter.NAME]")));
  text += ",\n\"collider\": " +
          named(json_object(shape + ", " + motion + ", " + properties("[collider.NAME]")));
  text +=
      ",\n\"pin\": " + named(json_object(shape + ", " + motion + ", " + properties("[pin.NAME]")));
  text += ",\n\"sink\": " +
          named(json_object(shape + ", " + motion + ", " + properties("[sink.NAME]")));
  std::vector<std::string> field_variants;
  for (const FieldType& type : field_types())
    field_variants.push_back(json_object(fmt::format(
        "\"type\": {{\"const\": {}}}, \"region\": {{\"$ref\": \"#/$defs/shape\"}},\n  {}",
        quoted(type.name), properties(field_title(type).c_str()))));
  text += ",\n\"field\": " +
          named(fmt::format("{{\"anyOf\": [{}]}}", fmt::join(field_variants, ",\n")));
  text += ",\n\"surface\": " + named(json_object(properties("[surface.NAME]")));
  text += ",\n\"light\": " + named(json_object(properties("[light.NAME]")));
  text += ",\n\"event\": {\"type\": \"array\", \"items\": " +
          json_object(properties("[[event]]") + ", \"set\": {\"type\": \"object\"}") + "}";
  text += ",\n\"keyframe\": {\"type\": \"array\", \"items\": " +
          json_object(properties("[[keyframe]]") + ", \"values\": {\"type\": \"array\"}") + "}";
  text += "\n},\n\"$defs\": {\n\"shape\": " + json_shape(d) +
          ",\n\"motion\": " + json_object(properties("motion = { ... }"));
  return text + "\n}\n}\n";
}

}  // namespace phyxel
