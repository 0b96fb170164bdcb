//! Values in the text of a scene, where the world that was built has them rounded or not at all.

use hashfall_scene::Node;

/// The text of the value at a path of keys; `None` where the scene does not give it.
pub(super) fn value(scene: &str, keys: &[&str]) -> Option<String> {
    let chars: Vec<char> = scene.chars().collect();
    let tree = Node::of_text(&chars)?;
    let found = keys.iter().try_fold(&tree, |node, key| Some(&node.entry(key)?.value))?;
    let text: String = chars[found.span.clone()].iter().collect();
    (text != "None").then_some(text)
}

/// The number at a path of keys; `None` where the scene does not give one.
pub(super) fn number(scene: &str, keys: &[&str]) -> Option<f64> {
    value(scene, keys)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "// particle_radius: 7\nScene(particle_radius: 2.5e-2, // m\n\
                         solver: Multiphase(time_step: 0.002, courant: 0.3), surface: None)";

    #[test]
    fn values_are_found_by_their_keys_and_only_where_they_are_given() {
        assert_eq!(number(SCENE, &["particle_radius"]), Some(0.025));
        assert_eq!(number(SCENE, &["solver", "time_step"]), Some(0.002));
        assert_eq!(value(SCENE, &["solver"]).unwrap().split('(').next(), Some("Multiphase"));
        for keys in [&["support_radius"][..], &["time_step"], &["solver", "shifting"], &["surface"]]
        {
            assert_eq!(value(SCENE, keys), None, "{keys:?}");
        }
        assert_eq!(number("", &["particle_radius"]), None);
    }
}
