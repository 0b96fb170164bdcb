//! What every region can tell of itself.

use super::quadrature::{self, Answers};
use super::sites::Sites;

/// A region of space, or of the plane y = 0.
///
/// In the plane its volume is an area.
pub trait Region: Send + Sync {
    /// Lowest and highest corner of a box around it \[m\]; y does not count in the plane.
    fn bounds(&self) -> [[f64; 3]; 2];

    /// Whether a place \[m\] lies inside.
    fn contains(&self, x: &[f64; 3]) -> bool;

    /// Distance to the boundary, negative inside \[m\]. Its absolute value is never larger than
    /// the distance, and equal to it unless the region is composed of others.
    fn signed_distance(&self, x: &[f64; 3]) -> f64;

    /// Its volume \[m³\], in the plane its area \[m²\]: exact, unless it says otherwise.
    ///
    /// That of a composition is integrated by quadrature.
    fn volume(&self) -> f64 {
        let answers = Answers {
            signed_distance: &|x| self.signed_distance(x),
            contains: &|x| self.contains(x),
        };
        quadrature::volume(self.bounds(), answers)
    }

    /// The lattice of spacing `d` \[m\] from which its particles are taken.
    fn sites(&self, d: f64) -> Sites {
        Sites::in_the_middle(self.bounds(), d)
    }

    /// The sites of its lattice that lie inside, x fastest, then y, then z \[m\].
    fn points(&self, d: f64) -> Vec<[f64; 3]> {
        self.sites(d).filter(|_, x| self.contains(x))
    }
}
