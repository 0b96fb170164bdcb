//! Tests of the names: a run knows its own files, and takes no others for them.

use super::*;

#[test]
fn a_run_knows_its_own_files_and_no_others() {
    let ours = [
        particles(7, "vtp"),
        particles(7, "ply"),
        foam(7, "vtp"),
        foam(123_456, "ply"),
        FOAM_RECORD.into(),
        FOAM_SERIES.into(),
        FOAM_PLY_SERIES.into(),
        SurfacePart::Surface.mesh(None, 123_456, "ply"),
        SurfacePart::Spray.mesh(None, 12, "vtp"),
        SurfacePart::Surface.mesh(Some("oil_2"), 7, "vtp"),
        SurfacePart::Spray.series(Some("oil_2"), "vtp"),
        SurfacePart::Elastic.mesh(Some("cloth"), 7, "ply"),
        SurfacePart::Elastic.series(Some("cloth"), "ply"),
        SurfacePart::Surface.series(None, "ply"),
        PARAVIEW.into(),
        obstacle("spheres", "vtp"),
        obstacle("mesh_00", "ply"),
        moving_obstacle("mesh_00", 12, "ply"),
        moving_obstacle("spheres", 123_456, "vtp"),
        obstacle(&body_name(7), "ply"),
        body_poses(12),
        MANIFEST.into(),
        SOLIDS_SERIES.into(),
        BODIES_SERIES.into(),
        BODIES.into(),
        PROBES.into(),
        REPORT.into(),
        checkpoint(77),
        preview(7),
        preview_script(123_456),
        PREVIEW_GIF.into(),
        "export/usd/run.usda".into(),
    ];
    assert!(ours.iter().all(|name| is_of_a_run(name)));
    let others = [
        "particles/particles_00001.vtp.bak",
        "particles/particles_1.vtp",
        "foam/foam_1.vtp",
        "foam/foam_00001.vtk",
        "foam/foam.csv",
        "foam.vtk.series",
        "particles/notes.txt",
        "surface/surface_0000x.ply",
        "meshes/column.obj",
        "renders/surface_00001.ply",
        "surface/surface__00001.ply",
        "surface/surface_oil 2_00001.ply",
        "surface/surfaces_00001.ply",
        "surface_.pvd",
        "surface.obj.series",
        "surface.ply",
        "particles_oil.pvd",
        "surfaces.pvd",
        "checkpoints/step_12.safetensors",
        "checkpoints/best.safetensors",
        "scene.ron.old",
        "solids/mesh_00_0012.ply",
        "solids/mesh_00012.obj",
        "solids/ball_00012.ply",
        "solids/bodies_0012.vtp",
        "solids/bodies_00012.ply",
        "solids/body_1.vtp",
        "preview/frame_7.png",
        "preview/frame_00007.jpg",
        "preview/page/frame_00007.png",
        "preview/f00007.js",
        "preview/page/index.html",
        "export/usd/shot.usda",
        "",
    ];
    assert!(!others.iter().any(|name| is_of_a_run(name)));
    let names = file_names(["oil", "fresh water", "Fresh/Water", "öl", "oil"]);
    assert_eq!(names, ["oil", "fresh_water", "Fresh_Water_2", "_l", "oil_2"]);
    assert_eq!(checkpoint_step(&checkpoint(12_345_678_901)), Some(12_345_678_901));
    assert_eq!(
        [
            particles(3, "vtp"),
            SurfacePart::Surface.mesh(None, 123_456, "ply"),
            SurfacePart::Spray.mesh(Some("oil_2"), 7, "vtp")
        ]
        .map(|name| frame_of(&name)),
        [Some(3), Some(123_456), Some(7)]
    );
    assert_eq!(series_of(&particles(3, "vtp")).as_deref(), Some(PARTICLES_SERIES));
    assert_eq!(series_of(&foam(3, "vtp")).as_deref(), Some(FOAM_SERIES));
    assert_eq!(series_of(&foam(3, "ply")).as_deref(), Some(FOAM_PLY_SERIES));
    assert!(is_foam(&foam(3, "ply")) && is_foam(FOAM_RECORD) && is_foam(FOAM_SERIES));
    assert!(!is_foam(&particles(3, "ply")) && !is_foam("foam/notes.txt"));
    for fluid in [None, Some("oil_2")] {
        for extension in ["vtp", "ply", "vtk"] {
            let mesh = SurfacePart::Spray.mesh(fluid, 7, extension);
            let series = SurfacePart::Spray.series(fluid, extension);
            assert!(series_of(&mesh) == Some(series.clone()) && is_series(&series));
            assert_eq!(owner_of(&mesh).map(|(_, owner)| owner), fluid);
        }
    }
    let poses = body_poses(12);
    assert_eq!((frame_of(&poses), moving_name(&poses)), (Some(12), None));
    assert_eq!(series_of(&poses).as_deref(), Some(BODIES_SERIES));
    let moving = moving_obstacle("mesh_00", 12, "vtp");
    assert_eq!(frame_of(&moving), Some(12));
    assert_eq!(series_of(&moving).as_deref(), Some(SOLIDS_SERIES));
    assert_eq!(moving_name(&moving), Some("mesh_00"));
    assert_eq!(moving_name(&obstacle("mesh_00001", "vtp")), None, "the mesh of that number");
    let previews = [preview(7), preview_script(8)].map(|name| frame_of(&name));
    assert_eq!(previews, [Some(7), Some(8)]);
    assert!(series_of(&moving_obstacle("mesh_00", 1, "ply")).is_none());
    assert!(!is_series(SOLIDS_SERIES) && owner_of(&particles(3, "vtp")).is_none());
    assert!([obstacle("mesh_00", "ply"), LOG.into()].iter().all(|n| frame_of(n).is_none()));
    assert!(is_unfinished("surface/.hashfall-a1b2.tmp") && !is_unfinished("a.tmp"));
}
