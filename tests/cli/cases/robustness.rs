//! Scenes and limits that ended a run wrongly.

/// The cases of this module.
const CASES: &[&str] = &[
    "robustness/ballistic_restitution_gains_energy.ron",
    "robustness/checkpoints_pile_up.sh",
    "robustness/dfsph_restitution_compresses.ron",
    "robustness/dfsph_small_courant_stalls.ron",
    "robustness/file_size_limit.sh",
    "robustness/full_box_dfsph_gains_and_stalls.ron",
    "robustness/gen_attrs_vtp.py",
    "robustness/gen_boxes.py",
    "robustness/long_fluid_name.ron",
    "robustness/stamp_with_half_a_gap_stalls_dfsph.ron",
    "robustness/tiny.ron",
    "robustness/wcsph_shifting_gains_energy.ron",
];

/// The cases that this module covers.
pub fn names() -> Vec<String> {
    CASES.iter().map(|name| (*name).to_owned()).collect()
}
