//! Colour scales.
//!
//! | scale | for |
//! |---|---|
//! | [`water`] | speeds: deep blue where fluid is at rest, white where it is fast, as foam is |
//! | [`viridis`] | densities: van der Walt and Smith's perceptually uniform map |
//! | [`FLUIDS`] | fluids, by their index in the scene |
//!
//! Source of `viridis`: the polynomials of degree six that M. Zucker fitted to matplotlib's table
//! (<https://www.shadertoy.com/view/WlfXRN>, CC0). `water` is a table of our own.

/// The scale of still to fast water, at even steps (sRGB).
const WATER: [[u8; 3]; 6] = [
    [32, 112, 184],
    [46, 138, 206],
    [72, 168, 222],
    [124, 200, 236],
    [186, 228, 246],
    [242, 250, 254],
];

/// Coefficients of viridis, lowest power first: red, green, blue.
const VIRIDIS: [[f32; 3]; 7] = [
    [0.277_727_33, 0.005_407_345, 0.334_099_8],
    [0.105_093_04, 1.404_613_5, 1.384_590_1],
    [-0.330_861_83, 0.214_847_56, 0.095_095_16],
    [-4.634_230_5, -5.799_101, -19.332_441],
    [6.228_269_7, 14.179_933, 56.690_55],
    [4.776_385, -13.745_145, -65.353_035],
    [-5.435_456, 4.645_852_6, 26.312_435],
];

/// A colour for each fluid (sRGB); a seventh looks like the first.
pub type Fluids = [[u8; 3]; 6];

/// The usual colours of fluids.
pub const FLUIDS: Fluids = [
    [63, 159, 216],
    [230, 159, 60],
    [96, 178, 110],
    [204, 102, 140],
    [140, 120, 200],
    [210, 200, 90],
];

/// The colour of still to fast water, from 0 to 1; NaN is as 0.
pub fn water(part: f32) -> [u8; 3] {
    let place = part.clamp(0.0, 1.0).max(0.0) * (WATER.len() - 1) as f32;
    let first = (place as usize).min(WATER.len() - 2);
    let t = place - first as f32;
    std::array::from_fn(|k| {
        let [a, b] = [first, first + 1].map(|i| f32::from(WATER[i][k]));
        (a + (b - a) * t + 0.5) as u8
    })
}

/// Viridis, from 0 to 1; NaN is as 0.
pub fn viridis(part: f32) -> [u8; 3] {
    let t = part.clamp(0.0, 1.0).max(0.0);
    std::array::from_fn(|k| {
        let value = VIRIDIS.iter().rev().fold(0.0, |sum, power| sum * t + power[k]);
        (value * 255.0 + 0.5) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_begin_and_end_where_they_should_and_take_anything() {
        assert_eq!((water(0.0), water(1.0)), (WATER[0], WATER[5]));
        assert_eq!((water(f32::NAN), water(-7.0), water(9.0)), (WATER[0], WATER[0], WATER[5]));
        assert_eq!(water(0.3), [59, 153, 214], "half way from the second to the third");
        // Of matplotlib's table: (68, 1, 84), (33, 145, 140), (253, 231, 37).
        for (part, expected) in [(0.0, [68, 1, 84]), (0.5, [33, 145, 140]), (1.0, [253, 231, 37])] {
            let found = viridis(part);
            let off = found.iter().zip(expected).map(|(&a, b): (_, u8)| a.abs_diff(b));
            assert!(off.max() <= Some(5), "{part}: {found:?}");
        }
    }
}
