//! Where the bodies that move freely went, as charts show it.

use super::table::Table;
use serde::Serialize;

/// Bodies that charts show at the most: more curves could not be told apart.
const MAX_BODIES: usize = 8;

/// The path of a body.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BodyPath {
    /// Its name.
    name: String,
    /// Times \[s\].
    time: Vec<f64>,
    /// Its centre of mass along x \[m\].
    x: Vec<f64>,
    /// The same along z \[m\].
    z: Vec<f64>,
}

/// The paths of the first bodies of a `bodies.csv`, as far as its rows are whole.
pub fn body_paths(bytes: &[u8]) -> Vec<BodyPath> {
    let table = Table::from_csv(bytes);
    let at = |name: &str| table.header.iter().position(|column| column == name);
    let columns = ["time", "body", "name", "x", "z"].map(at);
    let [Some(time), Some(body), Some(name), Some(x), Some(z)] = columns else {
        return Vec::new();
    };
    let mut numbers: Vec<&str> = Vec::new();
    let mut paths: Vec<BodyPath> = Vec::new();
    for row in &table.rows {
        let place = numbers.iter().position(|known| *known == row[body]).unwrap_or_else(|| {
            numbers.push(&row[body]);
            paths.push(BodyPath { name: row[name].clone(), ..BodyPath::default() });
            paths.len() - 1
        });
        let number = |column: usize| row[column].parse::<f64>().ok().filter(|x| x.is_finite());
        if let (Some(time), Some(x), Some(z)) = (number(time), number(x), number(z)) {
            let path = &mut paths[place];
            path.time.push(time);
            path.x.push(x);
            path.z.push(z);
        }
    }
    paths.truncate(MAX_BODIES);
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_body_has_its_own_path_and_a_cut_row_does_not_count() {
        let text = "frame,time,body,name,x,y,z\n0,0.0,2,a,1,0,2\n0,0.0,5,b,3,0,4\n\
                    1,0.5,2,a,1.5,0,2.5\n1,0.5,5,b,3.5,0,4";
        let paths = body_paths(text.as_bytes());
        assert_eq!(paths.iter().map(|path| path.name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((&paths[0].time, &paths[0].z), (&vec![0.0, 0.5], &vec![2.0, 2.5]));
        assert_eq!((&paths[1].x, &paths[1].z), (&vec![3.0], &vec![4.0]));
        assert!(body_paths(b"").is_empty());
    }
}
