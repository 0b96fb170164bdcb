//! The arguments of `sim SCENE`, and the help of the program as a whole.

use super::shared::RunArgs;
use clap::Parser;
use std::path::PathBuf;

/// `sim SCENE.ron`
#[derive(Debug, Parser)]
#[command(
    name = "sim",
    version,
    about = "Simulates a fluid among solids and writes frames for ParaView and Blender",
    override_usage = "sim [OPTIONS] <SCENE>\n       sim check [OPTIONS] <SCENE>...\n       \
                      sim resume [OPTIONS] <DIR>\n       \
                      sim sweep [OPTIONS] <SWEEP|SCENE|DIR>\n       \
                      sim audit <DIR>...\n       \
                      sim report [OPTIONS] <DIR>\n       \
                      sim preview [OPTIONS] <DIR>\n       \
                      sim validate [OPTIONS] [CASE]...\n       \
                      sim bench [OPTIONS] [EXPERIMENT]...\n       \
                      sim surface [OPTIONS] --particle-radius <R> <FILE>...\n       \
                      sim schema [OPTIONS] [KEY]\n       \
                      sim completions <SHELL>\n       \
                      sim man [OPTIONS] [COMMAND]",
    after_help = "Commands:\n  \
        check     Read scenes and report particles, memory, disk and time step, or all errors\n  \
        resume    Resume a stopped run from its last checkpoint\n  \
        sweep     Run a scene with many parameter values and collect the results\n  \
        audit     Check the files of runs\n  \
        report    Write an HTML page with charts of a run\n  \
        preview   Render images, a film and a page with a player of a run\n  \
        validate  Run cases with a known outcome and measure the error\n  \
        bench     Run the papers' experiments with every search structure\n  \
        surface   Reconstruct surfaces from particle files of any program\n  \
        schema    Print all keys of a scene, as text or as JSON Schema\n  \
        completions  Print a shell completion script\n  \
        man       Print a man page, or write all of them\n\n\
        Examples:\n  \
        sim scenes/spheres.ron                    frames go to out/spheres/\n  \
        sim scenes/spheres.ron --frames 20 --set fluids[0].viscosity=0.05\n  \
        sim check scenes/*.ron\n  \
        sim resume out/spheres\n  \
        sim sweep scenes/dam_break.ron --set fluids[0].viscosity=0.01,0.1,1\n  \
        sim preview out/spheres\n  \
        sim validate kleefsman\n  \
        sim surface 'frames/fluid_{}.vtk' -r 0.01 -o meshes",
    arg_required_else_help = true
)]
pub struct SimulateArgs {
    /// Scene to run (RON)
    #[arg(value_name = "SCENE")]
    pub scene: PathBuf,
    /// Folder for the frames [default: out/<name of the scene>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArgs,
    /// Replace a run that is already in the folder
    #[arg(long)]
    pub overwrite: bool,
}
