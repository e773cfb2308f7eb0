#pragma once

// The public interface on one page. Everything here is documented where it is declared:
//
//   Scene scene = phyxel::read_scene("bunny.toml");     what the file says, checked
//   World world = phyxel::build(scene);                 particles, colliders, methods at time 0
//   while (world.frame < scene.frames()) {
//     phyxel::advance(world);                           to the next frame, in stable steps
//     Frame frame = phyxel::take_frame(world);          immutable columns in order of particle id
//     phyxel::write_ply("frame.ply", frame);
//   }
//
// or all of it at once: phyxel::run(scene, {.out = "out/bunny"}).

#include "phyxel/app/run.h"           // run: the frame loop with files, pictures and checkpoints
#include "phyxel/core/exec.h"         // Exec, ThreadLimit
#include "phyxel/core/problems.h"     // InputErrors: several mistakes of a scene
#include "phyxel/io/mesh_write.h"     // write_surface
#include "phyxel/io/ply.h"            // write_ply, read_ply
#include "phyxel/io/points.h"         // read_points: particles from any known format
#include "phyxel/io/set_write.h"      // write_set: meshes, points and grids of a frame
#include "phyxel/io/vdb.h"            // write_vdb: level sets and densities for OpenVDB
#include "phyxel/io/vtk.h"            // write_vtp, read_vtk
#include "phyxel/matter/body_seed.h"  // BodySeed: a body as its method gets it
#include "phyxel/matter/force_fields/field_types.h"  // add_field_type: a force field of your own
#include "phyxel/matter/frame.h"                     // Frame
#include "phyxel/methods/method_info.h"              // MethodInfo: what a method brings
#include "phyxel/methods/registry.h"                 // add_method: a method of your own
#include "phyxel/scene/build.h"                      // plan, build
#include "phyxel/scene/read_scene.h"                 // read_scene, parse_scene
#include "phyxel/scene/scene.h"                      // Scene
#include "phyxel/scene/to_toml.h"                    // to_toml: a scene as the text of its file
#include "phyxel/scene/world.h"                      // World, advance, take_frame, diagnose
#include "phyxel/surfaces/flow_frame.h"    // structure_frame: graph, vectors and border of a flow
#include "phyxel/surfaces/make_surface.h"  // make_surface: triangles around the particles of a frame
#include "phyxel/surfaces/surfels/advance_surfels.h"  // advance_surfels: a surface of discs on phyxels
#include "phyxel/surfaces/surfels/sample_surfels.h"  // sample_surfels: discs on a shape or a mesh
