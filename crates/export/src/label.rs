//! What the user calls the things of a frame, and the look of fluids.

/// What a scene calls a thing, whose [name](crate::Mesh::name) in a frame has plain letters alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Its name as the scene gives it.
    pub title: String,
    /// The material of a fluid.
    pub material: Option<FluidMaterial>,
}

/// The material of a fluid.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FluidMaterial {
    /// The name of the fluid as the scene gives it.
    pub name: String,
    /// Its colour (sRGB); clear water without one.
    pub colour: Option<[u8; 3]>,
}

/// A colour in sRGB as linear parts from 0 to 1 (IEC 61966-2-1).
pub(crate) fn linear(colour: [u8; 3]) -> [f64; 3] {
    colour.map(|part| {
        let x = f64::from(part) / 255.0;
        let linear = if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
        (linear * 1e4).round() / 1e4
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_become_linear() {
        assert_eq!(linear([0, 255, 128]), [0.0, 1.0, 0.2159]);
        assert_eq!(linear([10, 0, 0])[0], 0.003);
    }
}
