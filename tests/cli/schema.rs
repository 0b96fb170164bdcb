//! `sim schema`: what a scene may hold, for people and for programs.

use super::support::Place;

#[test]
fn the_schema_is_told_whole_in_part_and_as_json() {
    let place = Place::new();
    let whole = place.sim(["schema"]);
    whole.assert_done();
    assert!(whole.stderr.is_empty() && !whole.stdout.contains('\x1b'), "{whole:?}");
    assert!(whole.stdout.lines().all(|line| line.chars().count() <= 100));
    let viscosity = "fluids.viscosity\n    number; m²/s; from 0 to 10000; required\n    \
                     Kinematic viscosity.\n\n";
    assert!(whole.stdout.contains(viscosity), "{}", whole.stdout);
    for key in ["fluids[0].viscosity", "fluids.viscosity", "viscosity"] {
        assert_eq!(place.sim(["schema", key]).assert_done().stdout, viscosity);
    }
    let solver = place.sim(["schema", "solver"]).stdout;
    assert!(solver.starts_with(
        "solver\n    Dfsph(…) | Wcsph(…) | Multiphase(…) | Ballistic(…); default Dfsph()\n"
    ));
    assert!(solver.contains("solver.courant  (of Dfsph)\n"), "{solver}");
    let json = place.sim(["schema", "--json"]);
    json.assert_done();
    let read: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(read, hashfall_scene::schema::for_editors());
}

#[test]
fn an_unknown_key_is_offered_a_near_one() {
    let place = Place::new();
    for (key, suggestion) in [("fluids.viscosty", "fluids.viscosity"), ("viscosty", "viscosity")] {
        place
            .sim(["schema", key])
            .assert_refused(&["no key", &format!("did you mean `{suggestion}`?")]);
    }
    place.sim(["schema", ""]).assert_refused(&["no key given"]);
    place.sim(["schema", "colour"]).assert_refused(&["`sim schema` lists all"]);
    place.sim(["schema", "solver", "--json"]).assert_usage();
}
