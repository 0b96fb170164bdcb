//! A run as a page: its facts and its scene, and charts of its log and its probes over time.

use super::body_paths::body_paths;
use super::html::{Page, escape, grouped, json, picture};
use super::table::Table;
use hashfall_core::{format_significant, units};
use hashfall_output::log::{Meaning, meaning};
use hashfall_output::{Exchanged, Manifest};
use serde_json::json;
use std::time::Duration;

/// Figures of facts: what single precision holds.
const FIGURES: usize = 6;
/// Columns of the log that no chart shows: texts that look like numbers by chance.
const NOT_SHOWN: [&str; 2] = ["digest", "elastic_digest"];
/// The scripts of its charts.
const SCRIPTS: [&str; 1] = [include_str!("page/run_page.js")];

/// What the page of a run is made of.
#[derive(Clone, Copy, Debug)]
pub struct RunPage<'a> {
    /// What the run is and how far it got.
    pub manifest: &'a Manifest,
    /// `log.csv`; what was cut at its end does not count.
    pub log: &'a [u8],
    /// `probes.csv`; empty if nothing was measured.
    pub probes: &'a [u8],
    /// `bodies.csv`; empty if no body moves freely.
    pub bodies: &'a [u8],
    /// The name of each probe, and its unit.
    pub units: &'a [(String, String)],
    /// The scene as resolved.
    pub scene: &'a str,
    /// Whether it continues while this is written.
    pub goes_on: bool,
    /// Frames, their times \[s\], and pictures of them (PNG), in order.
    pub pictures: &'a [(u32, f64, Vec<u8>)],
}

impl RunPage<'_> {
    /// The file.
    pub fn html(&self) -> String {
        let log = Table::from_csv(self.log);
        let probes = Table::from_csv(self.probes);
        let of_steps = |name: &&String| meaning(name) == Meaning::SinceLastFrame;
        let elastic_mass = log.first("elastic_mass");
        let data = json!({
            "since_last_frame": log.header.iter().filter(of_steps).collect::<Vec<_>>(),
            "log": log.embedded(&NOT_SHOWN),
            "probes": probes.embedded(&[]),
            "bodies": body_paths(self.bodies),
            "units": self.units,
            "fluid_volume": self.manifest.scene.fluid_volume,
        });
        let body = format!(
            "{}\n<main>\n{}{}<div id=\"charts\"></div>\n{}{}</main>\n{}",
            self.head(),
            self.facts(elastic_mass),
            self.strip(),
            self.cost(),
            self.scene_text(),
            self.foot(),
        );
        let title = format!("{} – Hashfall", self.manifest.scene.name);
        Page { title: &title, body: &body, data: &json(&data), scripts: &SCRIPTS }.html()
    }

    /// The name of the scene and how the run stands.
    fn head(&self) -> String {
        let Manifest { scene, progress, reason, .. } = self.manifest;
        let (status, note) = match self.manifest.status.as_str() {
            "running" if self.goes_on => {
                ("running", Some("It goes on: this page shows it as far as it has come.".into()))
            }
            "running" => ("killed", Some("It was killed: <code>sim resume</code> goes on.".into())),
            "interrupted" => {
                ("interrupted", Some("It was stopped: <code>sim resume</code> goes on.".into()))
            }
            status => (status, reason.as_deref().map(escape)),
        };
        let note =
            note.map_or(String::new(), |note: String| format!("<p class=\"told\">{note}</p>"));
        let status = escape(status);
        format!(
            "<header><p class=\"kind\">Run of a scene</p>\n<h1>{}</h1>\n\
             <p class=\"lead\"><span class=\"status {status}\">{status}</span> {} to {} s of \
             simulated time</p>{note}</header>",
            escape(&scene.name),
            units::count(progress.frames_written, "frame"),
            format_significant(progress.time, FIGURES),
        )
    }

    /// What the run is; `elastic_mass` is that of its elastic bodies \[kg\], if it has some.
    fn facts(&self, elastic_mass: Option<f64>) -> String {
        let Manifest { scene, progress, program, machine, .. } = self.manifest;
        let size: Vec<String> = (scene.domain_min.iter().zip(scene.domain_max))
            .map(|(from, to)| format_significant(to - from, FIGURES))
            .collect();
        let steps_a_frame = match progress.frames_written {
            0 | 1 => String::new(),
            frames => format!(", {:.1} a frame", progress.steps as f64 / f64::from(frames - 1)),
        };
        let mut facts = Vec::new();
        // Fluid may come from emitters alone.
        let has_fluid = scene.fluid_volume > 0.0 || progress.exchanged.is_some();
        if elastic_mass.is_none() || has_fluid {
            let fluid = format!("{} m³ at rest", units::three_figures(scene.fluid_volume));
            facts.push(("Particles", particles(scene.particles, progress.exchanged)));
            facts.push(("Fluid", fluid));
        }
        let elastic = elastic_mass.map(|mass| format!("{} kg", units::three_figures(mass)));
        facts.extend(elastic.map(|mass| ("Elastic bodies", mass)));
        facts.extend([
            ("Domain", format!("{} m", size.join(" × "))),
            ("Solids", solids(scene.spheres, scene.mesh_triangles)),
            (
                "Frames",
                format!(
                    "{} of {}, {} per second",
                    progress.frames_written,
                    scene.frames.saturating_add(1),
                    format_significant(scene.frame_rate, FIGURES)
                ),
            ),
            ("Steps", format!("{}{steps_a_frame}", grouped(progress.steps))),
            ("Started", self.started()),
            ("Wall time", self.wall_time()),
            ("Threads", self.manifest.threads.to_string()),
            (
                "Machine",
                format!(
                    "{}, {}, {} {}",
                    machine.cpu,
                    units::count(machine.cores as u64, "core"),
                    machine.os,
                    machine.architecture
                ),
            ),
            ("Version", format!("{} ({}), {}", program.version, program.revision, program.real)),
        ]);
        facts.extend(self.manifest.peak_memory.map(|peak| ("Memory", units::bytes(peak))));
        facts.extend(self.resumptions().map(|line| ("Resumed", line)));
        let fact = |(name, value): (&str, String)| {
            format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(&value))
        };
        format!("<dl class=\"facts\">\n{}</dl>\n", facts.into_iter().map(fact).collect::<String>())
    }

    /// When it began, to the second.
    fn started(&self) -> String {
        let started = &self.manifest.started;
        format!("{} UTC", started.get(..19).unwrap_or(started).replace('T', " "))
    }

    /// How long it took, with all that was not computed; of several sittings the computing alone.
    fn wall_time(&self) -> String {
        match self.manifest.wall_time() {
            Some(time) => units::duration(time),
            None => format!("{} in all stages", units::duration(self.computing())),
        }
    }

    /// The time in all stages.
    fn computing(&self) -> Duration {
        let ms: f64 = self.manifest.stage_ms.iter().map(|(_, ms)| ms).sum();
        Duration::try_from_secs_f64(ms / 1e3).unwrap_or_default()
    }

    /// After which frames it continued, and with which settings changed.
    fn resumptions(&self) -> Option<String> {
        let tell = |after: Option<u32>, settings: &[String]| {
            let after =
                after.map_or("from the start".into(), |frame| format!("after frame {frame}"));
            if settings.is_empty() {
                after
            } else {
                format!("{after} with {}", settings.join(", "))
            }
        };
        let resumed = &self.manifest.resumed;
        let lines: Vec<String> =
            resumed.iter().map(|one| tell(one.after_frame, &one.settings)).collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }

    /// The pictures, side by side.
    fn strip(&self) -> String {
        let figure = |(frame, time, png): &(u32, f64, Vec<u8>)| {
            format!(
                "<figure><img src=\"{}\" alt=\"frame {frame}\" loading=\"lazy\">\
                 <figcaption>{} s <span>frame {frame}</span></figcaption></figure>\n",
                picture(png),
                units::three_figures(*time),
            )
        };
        if self.pictures.is_empty() {
            return String::new();
        }
        let figures: String = self.pictures.iter().map(figure).collect();
        format!("<section class=\"strip\" aria-label=\"Frames\">\n{figures}</section>\n")
    }

    /// Where the time went, in all.
    fn cost(&self) -> String {
        let total = self.computing().as_secs_f64() * 1e3;
        let row = |(stage, ms): &(&str, f64)| {
            let share = if total > 0.0 { 100.0 * ms / total } else { 0.0 };
            format!(
                "<tr><th scope=\"row\">{stage}</th><td>{:.2}</td><td>{share:.1}</td>\
                 <td><svg class=\"share\" viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\">\
                 <rect width=\"{share:.2}\" height=\"8\"/></svg></td></tr>\n",
                ms / 1e3,
            )
        };
        let rows: String = self.manifest.stage_ms.iter().map(row).collect();
        format!(
            "<section id=\"cost\"><h2>Cost</h2>\n<div class=\"pair\"><table class=\"stages\">\n\
             <thead><tr><th scope=\"col\">stage</th><th scope=\"col\">time, s</th>\
             <th scope=\"col\">share, %</th><th></th></tr></thead>\n<tbody>\n{rows}</tbody>\n\
             <tfoot><tr><th scope=\"row\">all stages</th><td>{:.2}</td><td></td><td></td></tr>\
             </tfoot></table></div></section>\n",
            total / 1e3,
        )
    }

    fn scene_text(&self) -> String {
        format!(
            "<section><details><summary>The scene, with every default written out</summary>\n\
             <pre>{}</pre></details></section>\n",
            escape(self.scene)
        )
    }

    fn foot(&self) -> String {
        let Manifest { scene, progress, .. } = self.manifest;
        format!(
            "<footer>Scene digest <code>{}</code>, digest of the last state <code>{}</code>. \
             The numbers are those of <code>log.csv</code> and <code>probes.csv</code>.</footer>",
            escape(&scene.digest),
            escape(&progress.last_state_digest)
        )
    }
}

/// How many there are at the start; and at the end, if any came or went.
fn particles(at_start: usize, exchanged: Option<Exchanged>) -> String {
    let start = grouped(at_start as u64);
    let Some(Exchanged { particles, emitted, removed, .. }) = exchanged else { return start };
    let [end, came, went] = [particles as u64, emitted, removed].map(grouped);
    format!("{start} in the scene, {end} now: {came} came and {went} went")
}

/// How many solids there are.
fn solids(spheres: usize, triangles: usize) -> String {
    let counts = [(spheres, "sphere"), (triangles, "triangle")];
    let counts: Vec<String> = (counts.iter().filter(|(count, _)| *count > 0))
        .map(|(count, noun)| {
            let plural = if *count == 1 { "" } else { "s" };
            format!("{} {noun}{plural}", grouped(*count as u64))
        })
        .collect();
    if counts.is_empty() { "walls alone".into() } else { counts.join(", ") }
}
