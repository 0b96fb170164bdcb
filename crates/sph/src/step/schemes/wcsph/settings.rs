//! What [`Wcsph`] tells about weakly compressible SPH.

use crate::world::{
    Density, Feature, KeyProblem, Refusal, SolverSettings, Tait, Wcsph, WholeNumber, WorldError,
    fraction, not_negative, positive, tait_exponent,
};
use hashfall_core::Dimension;
use hashfall_core::kernel::KernelKind;

impl Wcsph {
    /// Tait's equation; its speed of sound is NaN where none is given.
    pub(super) fn equation(&self) -> Tait {
        let sound_speed = self.sound_speed.unwrap_or(f64::NAN);
        Tait { sound_speed, exponent: self.exponent as u32 }
    }

    /// Whether densities are sums over neighbours.
    fn sums_density(&self) -> bool {
        self.density() == Density::Summation
    }
}

impl SolverSettings for Wcsph {
    fn name(&self) -> &'static str {
        "Wcsph"
    }

    fn validate(&self) -> Result<(), WorldError> {
        positive("sound_speed", self.equation().sound_speed)?;
        tait_exponent(self.exponent)?;
        not_negative("artificial_viscosity", self.artificial_viscosity())?;
        not_negative("shifting", self.shifting)?;
        not_negative("background_pressure", self.background_pressure)?;
        not_negative("interface_sharpening", self.interface_sharpening)?;
        if let Density::Continuity { diffusion } = self.density() {
            fraction("diffusion", diffusion)?;
        }
        if self.individual_steps > 0.0 && !self.sums_density() {
            let what = "densities by continuity";
            return Err(WorldError::Unsupported { scheme: "individual_steps", what });
        }
        Ok(())
    }

    fn whole_numbers(&self) -> Vec<WholeNumber> {
        let water = "a whole number; 7.0 for water";
        vec![
            WholeNumber { key: "exponent", value: self.exponent, help: water },
            WholeNumber::individual_steps(self.individual_steps),
        ]
    }

    fn key_conflicts(&self) -> Vec<KeyProblem> {
        let flows = self.individual_steps > 0.0 && !self.sums_density();
        let problem = flows.then(|| KeyProblem {
            key: "individual_steps",
            also_at: "solver",
            message: "`individual_steps` need densities that are sums".into(),
            help: "individual_steps: 0.0, or density: Summation".into(),
        });
        problem.into_iter().collect()
    }

    /// One fluid has no interface.
    fn unused_keys(&self, fluids: usize) -> Vec<KeyProblem> {
        let problem = (self.interface_sharpening > 0.0 && fluids == 1).then(|| KeyProblem {
            key: "interface_sharpening",
            also_at: "fluids",
            message: "interface sharpening has no effect with one fluid".into(),
            help: "0.0, or a second fluid".into(),
        });
        problem.into_iter().collect()
    }

    /// Sums know of the air, and pairs take what pressure gives: large drops do not burst.
    fn set_tension_defaults(&mut self) {
        self.density = self.density.or(Some(Density::Summation));
    }

    fn tension_problem(&self) -> Option<KeyProblem> {
        (!self.sums_density()).then(|| KeyProblem {
            key: "density",
            also_at: "fluids",
            message:
                "with densities that go with the flow surface tension makes energy: drops of 36 \
                 spacings across their radius gain it, and larger ones burst"
                    .into(),
            help: "density: Summation, the default with surface tension, or solver: Dfsph()".into(),
        })
    }

    fn refuses_kernel(&self, _: KernelKind) -> Option<Refusal> {
        None
    }

    fn refuses(&self, feature: Feature) -> Option<Refusal> {
        match feature {
            Feature::TensionInIndividualSteps => Some(Refusal {
                message: "`individual_steps` need no tension",
                help: "individual_steps: 0.0, or no tension",
            }),
            Feature::RandomPositions => Some(Refusal::RANDOM_POSITIONS),
            Feature::ImplicitViscosity
            | Feature::SurfaceTension
            | Feature::ContactAngles
            | Feature::NoSlip
            | Feature::Emitters => None,
        }
    }

    fn has_interactions(&self) -> bool {
        true
    }

    fn courant(&self) -> f64 {
        self.courant.unwrap_or(if self.sums_density() { 0.4 } else { 0.6 })
    }

    fn halvings(&self) -> u32 {
        self.individual_steps as u32
    }

    /// Corrected gradients want more neighbours than sums, most by Wendland's kernel.
    fn default_support(&self, dimension: Dimension, kernel: KernelKind) -> f64 {
        match (kernel, dimension) {
            _ if self.sums_density() => 4.0,
            (KernelKind::WendlandC2, _) => 6.0,
            (_, Dimension::Two) => 5.0,
            (_, Dimension::Three) => 4.0,
        }
    }

    fn contact_radius(&self) -> f64 {
        1.0
    }

    fn has_pairwise_viscosity(&self) -> bool {
        true
    }

    fn is_incompressible(&self) -> bool {
        false
    }

    fn tait(&self) -> Option<Tait> {
        Some(self.equation())
    }

    fn has_compressed_layers(&self) -> bool {
        self.sums_density()
    }

    /// A dam that collapses gains 1.2 % of what it can release where density flows.
    fn energy_errors(&self) -> f64 {
        if self.sums_density() { 1.0 } else { 10.0 }
    }

    fn energy_keys(&self, _: bool) -> Vec<&'static str> {
        let keys = [
            (!self.sums_density(), "density"),
            (self.background_pressure > 0.0, "background_pressure"),
            (self.individual_steps > 0.0, "individual_steps"),
            (true, "sound_speed"),
        ];
        keys.into_iter().filter_map(|(is_one, key)| is_one.then_some(key)).collect()
    }

    fn needs_sound_speed(&self) -> bool {
        self.sound_speed.is_none()
    }

    fn complete(&mut self, sound_speed: Option<f64>) {
        *self = Wcsph {
            sound_speed: self.sound_speed.or(sound_speed),
            artificial_viscosity: Some(self.artificial_viscosity()),
            courant: Some(self.courant()),
            density: Some(self.density()),
            ..*self
        };
    }
}
