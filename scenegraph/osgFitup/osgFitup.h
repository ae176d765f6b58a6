#pragma once

// Includes the whole node kit.
#include <osgFitup/build_on_load.h>
#include <osgFitup/collision_model_visitor.h>
#include <osgFitup/conversions.h>
#include <osgFitup/create_scene.h>
#include <osgFitup/highlight.h>
#include <osgFitup/interference_monitor.h>
#include <osgFitup/interference_visitor.h>
#include <osgFitup/part_dragger.h>
#include <osgFitup/part_ghost.h>
#include <osgFitup/part_model.h>
#include <osgFitup/part_node.h>
#include <osgFitup/refit_parts.h>
#include <osgFitup/scene_assembly.h>
#include <osgFitup/smooth_triangles.h>
#include <osgFitup/swept_volume_node.h>
#include <osgFitup/track_player.h>
#include <osgFitup/track_recorder.h>
#include <osgFitup/way_out_search.h>
