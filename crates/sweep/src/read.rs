//! Parses the text of a sweep, or `--set key=a,b,c`, into axes, with the location of every error.

use super::axes::{Axis, Cell, Column, latin_hypercube, random, range, written};
use super::model::{AxisModel, CaseModel, DrawModel, SampleModel, Scale, Settings, SweepModel};
use super::points::{MAX_POINTS, ParameterSweep};
use hashfall_scene::{Diagnostic, Node, Override, SceneText, Severity, Source, parse_document};
use std::ops::Range;
use std::sync::Arc;

/// A sweep file, read.
#[derive(Debug)]
pub struct SweepFile {
    /// The scene's file, relative to the sweep's.
    pub scene: String,
    /// Where the file names it.
    pub scene_at: Range<usize>,
    /// What it sets and varies.
    pub sweep: ParameterSweep,
}

type Faults = Vec<Diagnostic>;

impl SweepFile {
    /// Whether a text is a sweep's, by its first word.
    pub fn is_one(text: &str) -> bool {
        let chars: Vec<char> = text.chars().collect();
        let name = Node::of_text(&chars).and_then(|node| node.name);
        name.is_some_and(|name| name == "Sweep" || name == "sweep")
    }

    /// Reads the text of a sweep.
    ///
    /// # Errors
    /// Every fault that could be found in one go.
    pub fn read(file: &Source) -> Result<SweepFile, Faults> {
        let text = SceneText::new(file);
        let model: SweepModel = parse_document(&text)?;
        let tree = Node::of_text(text.chars()).expect("what was read has a value");
        let source = Source { name: file.name.clone(), text: text.to_string() };
        let reader = Reader { text: &text, tree: &tree, source: Arc::new(source) };
        reader.sweep(&model)
    }
}

/// Reads the parts of a sweep at their places.
struct Reader<'a> {
    text: &'a SceneText,
    tree: &'a Node,
    source: Arc<Source>,
}

impl Reader<'_> {
    fn sweep(&self, model: &SweepModel) -> Result<SweepFile, Faults> {
        let mut sweep = ParameterSweep::default();
        let mut faults = Vec::new();
        for setting in self.settings("set", &model.set) {
            sweep.fix(setting).unwrap_or_else(|fault| faults.push(fault));
        }
        if model.axes.is_empty() {
            let help = "add one, such as Values(key: \"fluids[0].viscosity\", values: [0.01, 0.1])";
            faults.push(self.fault("axes", "a sweep needs an axis", help));
        }
        for (i, axis) in model.axes.iter().enumerate() {
            let path = format!("axes[{i}]");
            let added = self.axis(&path, axis).and_then(|axis| {
                sweep.vary(axis, &|message, help| self.fault(&path, message, help))
            });
            added.unwrap_or_else(|more| faults.extend(more));
        }
        let scene_at = self.inside_quotes(&self.tree.nearest("scene").span, &model.scene);
        if faults.is_empty() {
            Ok(SweepFile { scene: model.scene.clone(), scene_at, sweep })
        } else {
            Err(faults)
        }
    }

    fn axis(&self, path: &str, model: &AxisModel) -> Result<Axis, Faults> {
        let axis = match model {
            AxisModel::Values { key, values } => {
                let places = (0..values.len()).map(|i| format!("{path}.values[{i}]"));
                let settings = places.map(|place| {
                    let span = self.tree.nearest(&place).span.clone();
                    self.setting(&format!("{path}.key"), key, self.text.slice(&span), span)
                });
                Axis::for_key(key, settings.collect())
            }
            AxisModel::Range { key, from, to, count, scale } => {
                self.check_ends(path, *from, *to, *scale)?;
                self.check_count(path, *count)?;
                if *count == 1 && from != to {
                    let message = "a range of one number needs equal `from` and `to`";
                    let help = "use a count of 2 or more, or Values(key: …, values: [x])";
                    return Err(vec![self.fault(&format!("{path}.count"), message, help)]);
                }
                self.computed(path, key, &range(*from, *to, *count, *scale))
            }
            AxisModel::Zip(members) => return self.zip(path, members),
            AxisModel::Cases(cases) => self.cases(path, cases)?,
            AxisModel::Random(sample) => self.sample(path, sample, random)?,
            AxisModel::LatinHypercube(sample) => self.sample(path, sample, latin_hypercube)?,
        };
        if axis.rows.is_empty() {
            let help = "an axis needs at least one point";
            return Err(vec![self.fault(path, "this axis is empty", help)]);
        }
        Ok(axis)
    }

    fn zip(&self, path: &str, members: &[AxisModel]) -> Result<Axis, Faults> {
        let place = |i: usize| format!("{path}[{i}]");
        let axes: Vec<Result<Axis, Faults>> =
            members.iter().enumerate().map(|(i, member)| self.axis(&place(i), member)).collect();
        let mut zipped: Option<Axis> = None;
        let mut faults = Vec::new();
        for (i, axis) in axes.into_iter().enumerate() {
            match (axis, &zipped) {
                (Err(more), _) => faults.extend(more),
                (Ok(axis), Some(first)) if axis.rows.len() != first.rows.len() => {
                    let (have, want) = (axis.rows.len(), first.rows.len());
                    let message = format!(
                        "this axis has {have} points, but the one it is zipped with has {want}"
                    );
                    faults.push(self.fault(
                        &place(i),
                        &message,
                        "zipped axes need the same length",
                    ));
                }
                (Ok(axis), _) => {
                    zipped = Some(match zipped {
                        Some(first) => first.zipped(axis),
                        None => axis,
                    });
                }
            }
        }
        match zipped {
            Some(axis) if faults.is_empty() => Ok(axis),
            None if faults.is_empty() => {
                let help = "list the axes to zip: Zip([Values(…), Values(…)])";
                Err(vec![self.fault(path, "this axis is empty", help)])
            }
            _ => Err(faults),
        }
    }

    /// Named points: a column for the names, and one for each key that any of them sets.
    fn cases(&self, path: &str, cases: &[CaseModel]) -> Result<Axis, Faults> {
        let mut faults = Vec::new();
        let mut keys: Vec<&String> = Vec::new();
        for (i, case) in cases.iter().enumerate() {
            let place = format!("{path}[{i}].name");
            if case.name.trim().is_empty() {
                faults.push(self.fault(&place, "the name is empty", "give the case a name"));
            }
            if cases[..i].iter().any(|other| other.name == case.name) {
                let message = format!("duplicate case `{}`", case.name);
                faults.push(self.fault(&place, &message, "give each case a unique name"));
            }
            for (j, key) in case.set.0.iter().enumerate() {
                if case.set.0[..j].contains(key) {
                    let message = format!("`{key}` is set twice");
                    let help = "set a key once per case";
                    faults.push(self.fault(&format!("{path}[{i}].set"), &message, help));
                }
            }
            let new = case.set.0.iter().filter(|key| !keys.contains(key)).collect::<Vec<_>>();
            keys.extend(new);
        }
        let row = |(i, case): (usize, &CaseModel)| {
            let settings = self.settings(&format!("{path}[{i}].set"), &case.set);
            let cell = |key: &&String| {
                let of_key = settings.iter().find(|set| set.key == **key);
                of_key.map_or(Cell::Unset, |set| Cell::Set(set.clone()))
            };
            let name = Cell::Name(case.name.clone());
            [name].into_iter().chain(keys.iter().map(cell)).collect()
        };
        let rows = cases.iter().enumerate().map(row).collect();
        let titles = keys.iter().map(|key| Column::Key((*key).clone()));
        let columns = [Column::Name].into_iter().chain(titles).collect();
        if faults.is_empty() { Ok(Axis { columns, rows }) } else { Err(faults) }
    }

    fn sample(
        &self,
        path: &str,
        sample: &SampleModel,
        draw: fn(&SampleModel) -> Vec<Vec<f64>>,
    ) -> Result<Axis, Faults> {
        let place = |i: usize| format!("{path}.keys[{i}]");
        self.check_count(path, sample.count)?;
        for (i, DrawModel { from, to, scale, .. }) in sample.keys.iter().enumerate() {
            self.check_ends(&place(i), *from, *to, *scale)?;
        }
        let numbers = draw(sample);
        let axes = sample.keys.iter().zip(numbers).enumerate();
        let axes = axes.map(|(i, (draw, numbers))| self.computed(&place(i), &draw.key, &numbers));
        axes.reduce(Axis::zipped).ok_or_else(|| {
            let help = "list keys with their ranges: [(key: \"gravity[2]\", from: -20, to: -5)]";
            vec![self.fault(&format!("{path}.keys"), "this sample has no keys", help)]
        })
    }

    /// An axis of numbers that the entry at `path` stands for.
    fn computed(&self, path: &str, key: &str, numbers: &[f64]) -> Axis {
        let span = self.tree.nearest(path).span.clone();
        let settings = numbers.iter().map(|&x| {
            self.setting(&format!("{path}.key"), key, written(x), span.start..span.start + 1)
        });
        Axis::for_key(key, settings.collect())
    }

    fn check_ends(&self, path: &str, from: f64, to: f64, scale: Scale) -> Result<(), Faults> {
        for (name, x) in [("from", from), ("to", to)] {
            let place = format!("{path}.{name}");
            if !x.is_finite() {
                let message = "not a finite number";
                return Err(vec![self.fault(&place, message, "use a finite number, such as 0.1")]);
            }
            if scale == Scale::Logarithmic && x <= 0.0 {
                let message = "a logarithmic scale needs numbers above 0";
                let help = "use a number above 0, or `scale: Linear`";
                return Err(vec![self.fault(&place, message, help)]);
            }
        }
        Ok(())
    }

    fn check_count(&self, path: &str, count: u32) -> Result<(), Faults> {
        let place = format!("{path}.count");
        if count == 0 {
            let help = "use a whole number of at least 1, such as 5";
            return Err(vec![self.fault(&place, "this axis is empty", help)]);
        }
        if u64::from(count) > MAX_POINTS {
            let message = format!("{count} points are too many for a sweep");
            let help = format!("the maximum is {MAX_POINTS}");
            return Err(vec![self.fault(&place, &message, help)]);
        }
        Ok(())
    }

    /// The settings of a map, in its order.
    fn settings(&self, path: &str, settings: &Settings) -> Vec<Override> {
        let entries = self.tree.nearest(path).entries();
        let pairs = settings.0.iter().zip(entries);
        let setting = |(key, entry): (&String, &hashfall_scene::Entry)| {
            let key_at = entry.key.as_ref().map_or(0..0, |(_, span)| span.clone());
            let value_at = entry.value.span.clone();
            Override {
                key: key.clone(),
                value: self.text.slice(&value_at),
                source: Arc::clone(&self.source),
                key_at: self.inside_quotes(&key_at, key),
                value_at,
            }
        };
        pairs.map(setting).collect()
    }

    fn setting(&self, key_path: &str, key: &str, value: String, at: Range<usize>) -> Override {
        let key_at = self.inside_quotes(&self.tree.nearest(key_path).span, key);
        let (key, source) = (key.to_owned(), Arc::clone(&self.source));
        Override { key, value, source, key_at, value_at: at }
    }

    /// The characters of a text without its quotes; all of them where it is written with escapes.
    fn inside_quotes(&self, span: &Range<usize>, text: &str) -> Range<usize> {
        let inside = span.start + 1..span.end.saturating_sub(1).max(span.start + 1);
        if self.text.slice(&inside) == text { inside } else { span.clone() }
    }

    fn fault(&self, path: &str, message: &str, help: impl Into<String>) -> Diagnostic {
        let node = self.tree.nearest(path);
        self.text.diagnose(Severity::Error, node.head(), message.to_owned(), Some(help.into()))
    }
}

/// Adds `--set key=a,b,c` to a sweep: one value sets the key, several make an axis.
///
/// # Errors
/// If it is no setting, or its key is set already.
#[allow(clippy::result_large_err, reason = "once for each argument typed")]
pub fn add_setting(sweep: &mut ParameterSweep, text: &str) -> Result<(), Faults> {
    let set = Override::parse(text).map_err(|fault| vec![fault])?;
    let values = split_values(&set.value);
    if values.len() < 2 {
        return sweep.fix(set).map_err(|fault| vec![fault]);
    }
    let chars: Vec<char> = set.value.chars().collect();
    let setting = |span: &Range<usize>| Override {
        value: chars[span.clone()].iter().collect(),
        value_at: set.value_at.start + span.start..set.value_at.start + span.end,
        ..set.clone()
    };
    let whole = |message: &str, help: String| Diagnostic {
        severity: Severity::Error,
        source_name: set.source.name.clone(),
        source_text: set.source.text.clone(),
        span: Some(set.key_at.clone()),
        message: message.to_owned(),
        help: Some(help),
    };
    if let Some(empty) = values.iter().find(|span| chars[(*span).clone()].iter().all(is_blank)) {
        let span =
            set.value_at.start + empty.start..set.value_at.start + empty.end.max(empty.start);
        let help = "write key=a,b,c with a value on both sides of each comma".to_owned();
        return Err(vec![Diagnostic { span: Some(span), ..whole("a value is missing", help) }]);
    }
    let axis = Axis::for_key(&set.key, values.iter().map(setting).collect());
    sweep.vary(axis, &|message, help| whole(message, help))
}

fn is_blank(c: &char) -> bool {
    c.is_whitespace()
}

/// The spans between commas outside of brackets and strings.
fn split_values(value: &str) -> Vec<Range<usize>> {
    let chars: Vec<char> = value.chars().collect();
    let mut commas = Vec::new();
    let (mut depth, mut quoted, mut escaped) = (0_i32, false, false);
    for (i, &c) in chars.iter().enumerate() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => commas.push(i),
            _ => {}
        }
    }
    let starts = [0].into_iter().chain(commas.iter().map(|comma| comma + 1));
    let ends = commas.iter().copied().chain([chars.len()]);
    starts.zip(ends).map(|(start, end)| start..end).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_parted_at_their_own_commas() {
        let parts = |text: &str| {
            let chars: Vec<char> = text.chars().collect();
            split_values(text)
                .into_iter()
                .map(|span| chars[span].iter().collect())
                .collect::<Vec<String>>()
        };
        assert_eq!(parts("1,2, 3"), ["1", "2", " 3"]);
        assert_eq!(parts("(0,0,-9.81),(0,0,0)"), ["(0,0,-9.81)", "(0,0,0)"]);
        assert_eq!(parts("\"a,\\\"b\",[1,2]"), ["\"a,\\\"b\"", "[1,2]"]);
        assert_eq!(parts("0.1"), ["0.1"]);
        assert_eq!(parts("1,,2"), ["1", "", "2"]);
    }
}
