//! `probes.csv`: what probes show, when, and that they change nothing.

use super::scenes::small_with;
use super::support::Place;

/// The small scene with probes at this rate.
fn with_probes(rate: &str) -> String {
    let probes = format!(
        "solver: Wcsph(),\n    probes: (rate: {rate}, list: [\n        \
         Height(name: \"H1\", x: 0.2, y: 0.1), Front(name: \"front\", axis: Z),\n        \
         Pressure(name: \"P, 1\", at: (0.2, 0.1, 0.2)),\n    ]),"
    );
    small_with("solver: Wcsph(),", &probes)
}

/// The header and the rows of `probes.csv` of a run.
fn samples(place: &Place, run: &str) -> (String, Vec<Vec<f64>>) {
    let text = place.read(&format!("out/{run}/probes.csv"));
    let mut lines = text.lines();
    let header = lines.next().unwrap().to_owned();
    let row = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    (header, lines.map(row).collect())
}

#[test]
fn probes_are_sampled_at_their_rate_and_change_nothing() {
    let place = Place::new();
    place.write("probed.ron", with_probes("250.0"));
    let probed = place.sim(["probed.ron"]);
    let plain = place.sim(["small.ron"]);
    assert_eq!(probed.assert_done().summary("state digest"), plain.summary("state digest"));
    assert!(!place.path("out/small/probes.csv").exists(), "nothing is measured there");

    let (header, rows) = samples(&place, "probed");
    assert_eq!(header, "time,H1,front,\"P, 1\"");
    // From 0 to 0.02 s: a sample at the first step that ends at or after each 4 ms.
    assert_eq!(rows.len(), 6);
    for (k, row) in rows.iter().enumerate() {
        let late = row[0] - k as f64 / 250.0;
        assert!((0.0..1e-3).contains(&late), "row {k} is {late} s late");
    }
    // The block falls: its top is at 0.26 m at the start.
    let close = |x: f64, to: f64, error: f64| assert!((x - to).abs() < error, "{x} for {to}");
    close(rows[0][1], 0.26, 0.001);
    close(rows[0][2], 0.26, 1e-6);
    let t = rows[5][0];
    close(rows[5][2], 0.26 - 0.5 * 9.81 * t * t, 0.002);
}

#[test]
fn a_rate_beyond_that_of_the_steps_gives_a_row_per_step() {
    let place = Place::new();
    place.write("probed.ron", with_probes("1e6"));
    let ended = place.sim(["probed.ron", "--frames", "1"]);
    let steps: usize = ended.assert_done().summary("steps").parse().unwrap();
    let (_, rows) = samples(&place, "probed");
    assert_eq!(rows.len(), 1 + steps);
    assert!(rows.is_sorted_by(|a, b| a[0] < b[0]));
}
