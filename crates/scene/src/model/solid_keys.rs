//! The keys that every solid has: its name, its contact law and its motion.
//!
//! They stand in the struct of each solid, as a struct within it would be a key of the scene, and
//! one that serde flattens would let unknown keys pass.

use super::body_motion::BodyMotion;
use hashfall_solid::ContactLaw;

/// What every solid has.
pub trait SolidKeys {
    /// Name, if it has one.
    fn name(&self) -> Option<&str>;
    /// Contact law.
    fn contact(&self) -> ContactLaw;
    /// Motion.
    fn motion(&self) -> &BodyMotion;
    /// Motion, to be completed.
    fn motion_mut(&mut self) -> &mut BodyMotion;
}

/// A struct of these keys and of those that every solid has.
macro_rules! solid {
    (
        $(#[$about:meta])*
        $name:ident as $called:literal { $($(#[$meta:meta])* $key:ident: $type:ty,)* }
        $(#[$motion:meta])* motion
    ) => {
        $(#[$about])*
        #[derive(
            Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(rename = $called, deny_unknown_fields)]
        pub struct $name {
            /// Name, by which nodes of elastic bodies are tied to it; `None` for its index alone.
            #[serde(default)]
            pub name: Option<String>,
            $($(#[$meta])* pub $key: $type,)*
            /// Contact law.
            #[serde(default)]
            pub contact: hashfall_solid::ContactLaw,
            $(#[$motion])*
            #[serde(default)]
            pub motion: crate::model::BodyMotion,
        }

        impl crate::model::SolidKeys for $name {
            fn name(&self) -> Option<&str> {
                self.name.as_deref()
            }

            fn contact(&self) -> hashfall_solid::ContactLaw {
                self.contact
            }

            fn motion(&self) -> &crate::model::BodyMotion {
                &self.motion
            }

            fn motion_mut(&mut self) -> &mut crate::model::BodyMotion {
                &mut self.motion
            }
        }
    };
}

pub(super) use solid;
