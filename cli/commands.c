// SPDX-License-Identifier: MIT
// All commands and options, once.
#include "cli.h"

#define COMMON                                                                                     \
    {"log", "TOPICS",                                                                              \
     "write what happens to stderr; topics, separated by commas: EVENTS (conditions, samples, "    \
     "impacts and contacts), INIT (states at the start), SOLVER (its choice and restarts), NLS "   \
     "(each solution of a nonlinear system), ZEROCROSSINGS (event indicators), STRUCTURE "         \
     "(segments and their states), STATS (checkpoints and the like)"},                             \
        {"message-format", "FORMAT",                                                               \
         "text (default) or json: how errors and warnings are written"},                           \
        {"help", NULL, "print this help, as -h and `rattleback help COMMAND` do"}, {               \
        0                                                                                          \
    }

#define RESIDUAL_FORM                                                                              \
    {                                                                                              \
        "residual-form", "HOW",                                                                    \
            "linear systems whose unknowns are derivatives of states: auto (default): those of "   \
            "50 or "                                                                               \
            "more go to ida as residuals instead of being solved at every evaluation; always: "    \
            "also "                                                                                \
            "smaller ones; never: all are solved"                                                  \
    }

#define MULTIBODY                                                                                  \
    {                                                                                              \
        "multibody", "HOW",                                                                        \
            "classes of Modelica.Mechanics.MultiBody: equations (default), as they are written; "  \
            "engine: by the multibody engine, where it knows all of them"                          \
    }

#define BUDGET                                                                                     \
    {"no-external", NULL,                                                                          \
     "refuse external \"C\" functions, which are programs that may do anything; for models whose " \
     "author you do not know"},                                                                    \
        {"translation-memory", "GB",                                                               \
         "what the translation of a Modelica model may need; default 4"},                          \
    {                                                                                              \
        "translation-time", "S", "CPU time that the translation may take [s]; default 600"         \
    }

static const Option simulate_options[] = {
    {"start-time", "T", "time at which the run starts [s]; default 0"},
    {"stop-time", "T", "time at which it ends [s]; default: what the model says, otherwise 1"},
    {"tolerance", "TOL",
     "relative tolerance of the integration; default: what the model says, otherwise 1e-6"},
    {"output-interval", "DT",
     "distance of the recorded points [s]; default: what the model says, otherwise (stop - "
     "start)/500; 0: only events"},
    {"events", "ROWS",
     "which events of a few bodies among many get rows of their own: all, located (default: contacts that start or end, not the "
     "bookkeeping of crowds), or summary (none: they are counted)"},
    {"max-step", "H", "largest step of the solver [s]; default: no limit"},
    {"initial-step", "H", "first step after every start [s]; default: the solver chooses"},
    {"solver", "NAME",
     "auto (default: islands for scenes of several bodies that can move apart, ida for Modelica "
     "models with large linear systems for derivatives, leapfrog for soft bodies that are not "
     "stiff, "
     "otherwise cvode), cvode, islands, adams, ida, leapfrog, or a Runge-Kutta pair: dp5, bs3, "
     "ck5, verner6, fehlberg8"},
    {"output-file", "FILE",
     "result: .mat, .csv or .rbj (journal), or - for CSV on the standard output; default "
     "MODEL_res.mat. CSV holds what varies, parameters are left out"},
    {"override-file", "FILE",
     "set parameters from a file: lines NAME=VALUE, as `rattleback linearize --point` writes them, "
     "or a parameter set of SSP "
     "(.ssv); may be given several times"},
    {"override", "NAME=VALUE",
     "set a parameter, such as ball.e=0.8, on=true, A[2,1]=3, x0={1, 2}, A=[1, 2; 3, 4] or "
     "file=data.txt; may be given several times"},
    {"input-file", "FILE",
     "signals for the inputs of a Modelica model: .csv or .mat with the time in the first column "
     "and a column for every input, by its name (u[1], u[2] for an array); linear between the "
     "rows, a "
     "time that stands twice is a jump; Integer and Boolean inputs hold their values"},
    {"variable-filter", "REGEX", "record only variables whose whole name matches"},
    {"checkpoint-interval", "DT",
     "write a checkpoint (result name with .rbc) every DT seconds of the run; the solver starts "
     "anew there, so that results differ within the tolerance from those of a run without"},
    {"resume", "FILE",
     "continue from a checkpoint, with the same options as the run that wrote it"},
    {"threads", "N", "threads for particles; default 1. Results do not depend on it"},
    {"engine", "NAME",
     "particle engine: own (default), or liggghts, which is rattleback-mpi on many processes"},
    {"engine-folder", "DIR", "folder for the messages of the engine; default liggghts"},
    {"engine-input", NULL, "write the job of the engine for a cluster, DIR/job.sh, and end"},
    {"engine-submit", NULL, "submit that job to Slurm and wait for its end"},
    {"ranks", "N", "processes of the engine, started by mpirun; default 1"},
    {"particle-files", "DIR",
     "write all particles and their contacts into VTK files, one frame for each row of the result; "
     "open DIR/grains.pvd with ParaView"},
    {"particle-results", "LIST",
     "what a journal (.rbj) keeps of particles: none, or some of place, velocity, rotation, spin, "
     "force, each with a resolution if it is to be rounded: place:1e-5,velocity:1e-3 is at most 5 "
     "um and 0.5 mm/s off and takes a fraction of the bytes; default place, in single precision"},
    {"particle-interval", "DT", "and how often; default in every row"},
    {"max-event-iterations", "N",
     "give up if an event has not settled after N iterations; default 100"},
    {"plugin", "FILE", "shared object that adds components; may be given several times"},
    {"material-file", "FILE",
     "scenes: JSON palette that adds to the built-in materials or overrides them"},
    {"contact", "A,B",
     "record the contact of two objects of a scene or parts of a Modelica model: depth, speeds, "
     "forces, point, normal, energy; may be given several times"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    {"optimize", "[=HOW]",
     "compile the equations with the system's compiler: always (what --optimize alone means), "
     "before the run; auto (default), during a run that lasts longer than a second, which then "
     "goes on with the faster code if it gives the same bits; never. Compiled models are kept in "
     "~/.cache/rattleback"},
    RESIDUAL_FORM,
    MULTIBODY,
    BUDGET,
    {"progress", "HOW",
     "auto (default: a bar on a terminal), json (a line per update on stderr), none"},
    {"keep-journal", NULL,
     "keep the journal (a.csv.rbj for a.csv) after the result was written from it"},
    {"report", "FILE",
     "also write a page (.html) that tells of the run: motion, forces, energy, curves, warnings, "
     "speed"},
    {"sensitivity", "NAMES",
     "also compute the derivatives of all signals by these parameters and start values, with "
     "commas, from four runs each "
     "next to this one"},
    {"sensitivity-file", "FILE",
     "where they go, as columns 'd(h)/d(p)' over time: .csv or .mat; default "
     "MODEL_sensitivity.csv"},
    {"jobs", "N", "processes at once for these runs; default: one per core"},
    {"summary", "HOW",
     "text (default), json (one line on the standard output) or none: what the run cost"},
    {"quiet", NULL, "no summary"},
    COMMON,
};

static const Option check_options[] = {
    {"strict", NULL, "a unit that does not fit is an error instead of a warning"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    {"optimize", "[=HOW]",
     "always (what --optimize alone means): compile the equations with the system's compiler too; "
     "auto, never (default): do not"},
    RESIDUAL_FORM,
    MULTIBODY,
    BUDGET,
    COMMON,
};

static const Option compare_options[] = {
    {"tolerance", "TOL",
     "half width of the tube, of the range of a signal in time and in value; default 2e-3"},
    {"variable-filter", "REGEX", "compare only variables whose whole name matches"},
    {"all", NULL, "list the signals inside the tube too"},
    COMMON,
};

static const Option convert_options[] = {
    {"variable-filter", "REGEX", "keep only variables whose whole name matches"},
    {"time", "T",
     "time [s] of the configuration that .obj, .ply and .stl hold (default: the last), of the "
     "single frame of .pvd (default: all are written), of the spheres of .glb"},
    COMMON,
};

static const Option state_options[] = {
    {"at", "T", "time [s]: the last row at or before it; default: the last row"},
    COMMON,
};

static const Option import_options[] = {
    {"output-file", "FILE", "file to write; default: name of the description or FMU with .mo"},
    {"class", "NAME", "of the package or class; default: name of the output file, or of the robot"},
    {"type", "TYPE", "of an FMU: me (default) for model exchange, cs for co-simulation"},
    {"quiet", NULL, "print no report"},
    COMMON,
};

static const Option export_fmu_options[] = {
    {"fmi", "VERSION", "of FMI: 2 (default) or 3"},
    {"type", "TYPE",
     "cs (default): co-simulation, with the solver inside; me: model exchange, for models whose "
     "states "
     "stay the same; both"},
    {"output-file", "FILE", "FMU to write; default: name of the model with .fmu"},
    {"override", "NAME=VALUE",
     "another start value of a parameter, as of `rattleback simulate`; may be given several times"},
    {"solver", "NAME", "as of `rattleback simulate`"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    RESIDUAL_FORM,
    MULTIBODY,
    BUDGET,
    COMMON,
};

static const Option plot_options[] = {
    {"output-file", "FILE",
     "file to write: .svg, .png or .pdf; - is SVG on the standard output; default: name of the result with .svg"},
    {"phase", NULL, "draw the other variables over the first one instead of over time"},
    {"by", "COLUMN", "of a table of runs: a curve for each value of this column"},
    {"matrix", NULL, "of a table of runs: all columns against all others"},
    {"map", NULL,
     "of a table of runs: places in a plane, columns that end in [1] and [2], coloured by the first parameter or --by"},
    {"histogram", NULL, "of a table of runs: how often which values come"},
    {"each", NULL, "of a folder of results: a line for each instead of bands"},
    {"compare", "RESULT", "draw those of another result too, and the difference"},
    {"preview", NULL, "draw with letters on the standard output, and write no file"},
    {"events", NULL, "mark the values on both sides of each event"},
    {"dark", NULL, "use a dark background"},
    {"title", "TEXT", "title; default: name of the model"},
    {"start-time", "T", "draw from this time on [s]; default: all"},
    {"stop-time", "T", "draw up to this time [s]; default: all"},
    COMMON,
};

static const Option view_options[] = {
    {"output-file", "FILE",
     "HTML file to write, - is the standard output; default: name of the result with .html"},
    {"title", "TEXT", "title; default: name of the model"},
    {"variable-filter", "REGEX",
     "put only variables whose whole name matches into the page; default: as many as fit"},
    {"picture-size", "MB",
     "points, lines and contacts take so much; beyond, not every row has them; default 32"},
    {"no-open", NULL, "only write the file, even if there is a display"},
    {"stop-time", "T", "of a MODEL: time at which its run ends [s]; default: what the model says"},
    {"override", "NAME=VALUE", "of a MODEL: set a parameter first; may be given several times"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    COMMON,
};

static const Option live_options[] = {
    {"speed", "S", "seconds of the run per second; default 1: real time; 0: as fast as possible"},
    {"stop-time", "T", "time at which it ends [s]; default: what the model says, otherwise 1"},
    {"tolerance", "TOL",
     "relative tolerance of the integration; default: what the model says, otherwise 1e-6"},
    {"output-file", "FILE", "journal (.rbj) to write; default: none"},
    {"output-interval", "DT",
     "distance of the recorded points [s]; default: what the model says, otherwise (stop - "
     "start)/500"},
    {"variable-filter", "REGEX", "record only variables whose whole name matches"},
    {"solver", "NAME", "as of `rattleback simulate`"},
    {"override-file", "FILE",
     "set parameters from a file: lines NAME=VALUE, as `rattleback linearize --point` writes them, "
     "or a parameter set of SSP "
     "(.ssv); may be given several times"},
    {"override", "NAME=VALUE", "set a parameter first; may be given several times"},
    {"port", "N", "of 127.0.0.1; default: any that is free"},
    {"no-open", NULL, "only say the address, even if there is a display"},
    {"plugin", "FILE", "shared object that adds components; may be given several times"},
    {"material-file", "FILE",
     "scenes: JSON palette that adds to the built-in materials or overrides them"},
    {"contact", "A,B", "record the contact of two objects or parts; may be given several times"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    RESIDUAL_FORM,
    MULTIBODY,
    BUDGET,
    COMMON,
};

static const Option render_options[] = {
    {"output-file", "FILE",
     "picture (.png) or film (.mp4, or .webp for pages that show pictures) to write; default: name "
     "of "
     "the result with .png"},
    {"time", "T", "time of a picture [s]; default: the last"},
    {"start-time", "T", "time at which a film starts [s]; default: the first"},
    {"stop-time", "T", "time at which a film ends [s]; default: the last"},
    {"speed", "S", "seconds of the run per second of the film; default 1"},
    {"frame-rate", "N", "pictures per second of a film; default 30"},
    {"size", "WIDTHxHEIGHT", "in pixels, both even; default 1280x720"},
    {"camera", "VIEW",
     "iso (default), front, back, left, right, top or bottom, or the place of the camera X,Y,Z "
     "[m]"},
    {"look-at", "X,Y,Z",
     "point in the middle of the picture [m]; default: the middle of what moves"},
    {"follow", "OBJECT", "the camera moves with this object"},
    {"camera-path", "FILE",
     "the camera flies from key frame to key frame: CSV with time, x, y, z, look_x, look_y, look_z, as the page saves it"},
    {"cut", "AXIS[=AT]",
     "cut away what is nearer to the camera than a plane across x, y or z [m]; default: in the middle"},
    {"label", "OBJECTS", "names of objects with commas: each gets a bright rim and its name"},
    {"see-through", "OBJECTS", "names of objects with commas that are drawn transparent"},
    {"samples", "N",
     "1 to 4; default 1: each pixel is the mean of N x N, and every frame of a film has soft "
     "shadows "
     "and reflections, which otherwise depend on the speed of the machine"},
    {"dark", NULL, "use a dark background"},
    {"strain", "S", "soft bodies in the colours of their strain: blue at -S, red at S"},
    {"show", "KINDS", "of soft bodies: molecules, surfaces, connections, or several with commas"},
    COMMON,
};

static const Option report_options[] = {
    {"output-file", "FILE", "HTML file to write; default: name of the result with -report.html"},
    {"title", "TEXT", "title; default: name of the model"},
    {"model", "FILE", "text of the model that is shown at the end"},
    COMMON,
};

static const Option flexible_options[] = {
    {"scale", "FACTOR", "metres per unit of the file; default 1"},
    {"youngs-modulus", "E", "[Pa]; default 2.1e11, steel"},
    {"poisson", "NU", "Poisson's ratio; default 0.3"},
    {"density", "RHO", "[kg/m3]; default 7850"},
    {"modes", "N", "modes with the frames held, or free ones without frames; default 10"},
    {"averaged", NULL, "frames move as their nodes do in the mean, and do not stiffen the part"},
    COMMON,
};

static const Option solid_options[] = {
    {"scale", "FACTOR", "metres per unit of the file; default 1, or what a DXF file says"},
    {"weld", "DISTANCE",
     "vertices closer than this are one [m]; default 1e-9 of the size; 0: only equal ones"},
    {"density", "RHO", "for the mass [kg/m3]; default 1000"},
    {"extrude", "HEIGHT", "draw out the closed outlines of a DXF file to this height [m]"},
    {"simplify", "TOL", "remove vertices as long as the surface moves by less than this [m]"},
    {"output-file", "FILE", "write the repaired solid, or that of --part: .stl, .obj or .ply"},
    {"draw", "FILE",
     "what it looks like, several solids in a row: a page (.html), a picture (.png), or .glb, "
     ".json, .obj, .ply, .stl"},
    {"part", "NAME", "of a class or a folder: this solid alone, such as gear.mesh or a.stl"},
    {"override", "NAME=VALUE",
     "of a class: set a parameter before solids are built; may be given several times"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    MULTIBODY,
    BUDGET,
    COMMON,
};

static const Option sweep_options[] = {
    {"vary", "NAME=VALUES",
     "FIRST:STEP:LAST, a list VALUE,VALUE,..., uniform(LOW,HIGH), loguniform(LOW,HIGH) or "
     "normal(MEAN,DEVIATION); may be given several times"},
    {"table", "FILE",
     "values from a CSV file instead: names of parameters, then a line per run; or parameter sets "
     "of SSP (.ssv), one for each "
     "run, the option once for each"},
    {"design", "HOW",
     "grid (default for ranges and lists: every combination), random (default for distributions), "
     "lhs "
     "(Latin hypercube) or sobol"},
    {"runs", "N", "of a random design; default 100"},
    {"seed", "N", "of a random design; default 1"},
    {"keep", "FORMULA",
     "NAME or final(NAME): final value; min(NAME), max(NAME), mean(NAME), rms(NAME), "
     "integral(NAME), time_min(NAME), "
     "time_max(NAME); at(NAME, TIME); when(NAME < NUMBER) or when(NAME > NUMBER): first time; "
     "events, steps, end; and "
     "formulas of them, such as 'max(abs(x - y))/2'; may be given several times. Default: final "
     "values of the states"},
    {"output-file", "TABLE", "a .csv or .mat file; default MODEL_sweep.csv"},
    {"results", "DIR", "also keep the whole result of each run, as DIR/NUMBER.rbj"},
    {"report", "FILE.html",
     "also write a page with pictures of the table, the kept results side by side, and all runs; "
     "with --results and up to 30 "
     "runs each of them can be opened in three dimensions"},
    {"only", "N", "run number N alone, and write its whole result, MODEL_runN.rbj"},
    {"jobs", "N", "processes at once; default: one per core"},
    {"engine", "NAME",
     "who makes the runs: own (default), this machine; slurm, a job array, which is submitted and "
     "collected; mpi, processes of "
     "mpirun"},
    {"tasks", "N", "of the engine; default: 100, at most one for each run"},
    {"engine-input", NULL, "write the job of the engine, TABLE.job.sh, and end"},
    {"part", "K/N",
     "make only each N-th run, from the K-th on (from 0), and leave its rows in TABLE.part-K.runs: "
     "what tasks do"},
    {"run-time", "S", "stop a run after this time on the clock [s]; default: no limit"},
    {"run-memory", "GB", "memory that a run may take; default: no limit"},
    {"resume", NULL, "continue a sweep that was interrupted or killed"},
    {"override-file", "FILE",
     "set parameters from a file: lines NAME=VALUE, as `rattleback linearize --point` writes them, "
     "or a parameter set of SSP "
     "(.ssv); may be given several times"},
    {"override", "NAME=VALUE", "set a parameter in all runs; may be given several times"},
    {"start-time", "T", "time at which runs start [s]; default 0"},
    {"stop-time", "T", "time at which they end [s]; default: what the model says, otherwise 1"},
    {"tolerance", "TOL", "relative tolerance; default: what the model says, otherwise 1e-6"},
    {"output-interval", "DT", "distance of the points that min, max, mean and at see [s]"},
    {"max-step", "H", "largest step of the solver [s]; default: no limit"},
    {"solver", "NAME", "as of `rattleback simulate`"},
    {"input-file", "FILE", "signals for the inputs of a Modelica model"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    {"plugin", "FILE", "shared object that adds components; may be given several times"},
    {"optimize", "[=HOW]", "always, auto (default) or never, as of `rattleback simulate`"},
    MULTIBODY,
    BUDGET,
    {"quiet", NULL, "no summary"},
    COMMON,
};

static const Option linearize_options[] = {
    {"at", "WHERE",
     "a time [s], or rest: the point of rest that the start leads to; default: the start"},
    {"inputs", "NAMES",
     "inputs of the linear system, with commas; default: all inputs of the model"},
    {"outputs", "NAMES",
     "its outputs, with commas: any variables that follow from states and inputs"},
    {"output-file", "FILE.mat",
     "write A, B, C, D, eigenvalues (real, imaginary) and the names of states, inputs and outputs"},
    {"response", "FILE.csv",
     "write gain [dB] and phase [deg] of all outputs by all inputs over the frequency"},
    {"plot", "KIND=FILE",
     "draw into an .svg or .png file: bode, nyquist, poles (with the zeros of each input and "
     "output) or step (responses to "
     "steps of the inputs); may be given several times"},
    {"shapes", "FILE.html", "a page in three dimensions that plays the shape of each mode that oscillates"},
    {"step-time", "T", "of the step responses [s]; default: until the slowest mode has decayed"},
    {"frequencies", "FROM:TO:COUNT", "of the response [Hz], in equal ratios; default 0.01:100:200"},
    {"point", "FILE", "write the states there, a line NAME=VALUE each"},
    {"override-file", "FILE",
     "set parameters from a file: lines NAME=VALUE, as `rattleback linearize --point` writes them, "
     "or a parameter set of SSP "
     "(.ssv); may be given several times"},
    {"override", "NAME=VALUE", "set a parameter; may be given several times"},
    {"start-time", "T", "time at which the run starts [s]; default 0"},
    {"tolerance", "TOL", "relative tolerance; default: what the model says, otherwise 1e-6"},
    {"max-step", "H", "largest step of the solver [s]; default: no limit"},
    {"solver", "NAME", "as of `rattleback simulate`"},
    {"input-file", "FILE", "signals for the inputs of a Modelica model"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    {"plugin", "FILE", "shared object that adds components; may be given several times"},
    MULTIBODY,
    BUDGET,
    COMMON,
};

static const Option fit_options[] = {
    {"fit", "NAME=LOW:START:HIGH",
     "an unknown parameter, its bounds and a guess; may be given several times"},
    {"data", "FILE[:NAME=VALUE,...]",
     "measured signals (.csv, .mat): the time, and columns called like variables of the model; "
     "with settings of "
     "this experiment; may be given several times"},
    {"output-file", "FILE.csv",
     "write model, measured values and residuals of the first experiment over time"},
    {"override-file", "FILE",
     "set parameters from a file: lines NAME=VALUE, as `rattleback linearize --point` writes them, "
     "or a parameter set of SSP "
     "(.ssv); may be given several times"},
    {"override", "NAME=VALUE", "set a parameter in all runs; may be given several times"},
    {"jobs", "N", "processes at once; default: one per core"},
    {"run-time", "S", "stop a run after this time on the clock [s]; default: no limit"},
    {"start-time", "T", "time at which runs start [s]; default 0"},
    {"tolerance", "TOL", "relative tolerance; default: what the model says, at most 1e-8"},
    {"max-step", "H", "largest step of the solver [s]; default: no limit"},
    {"solver", "NAME", "as of `rattleback simulate`"},
    {"input-file", "FILE", "signals for the inputs of a Modelica model"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    {"plugin", "FILE", "shared object that adds components; may be given several times"},
    MULTIBODY,
    BUDGET,
    {"quiet", NULL, "no progress"},
    COMMON,
};

static const Option optimize_options[] = {
    {"vary", "NAME=LOW:START:HIGH",
     "a parameter, its bounds and where to start; may be given several times"},
    {"minimize", "FORMULA",
     "what is to be least, such as 'max(h)' or 'rms(x - r) + 0.1*final(u)': formulas are those of "
     "--keep of "
     "`rattleback sweep`"},
    {"maximize", "FORMULA", "what is to be greatest"},
    {"subject-to", "FORMULA",
     "a constraint: 'max(F) <= 100', >= or ==; may be given several times"},
    {"method", "NAME",
     "of NLopt; local, from values alone: cobyla (default with constraints), bobyqa (default "
     "without), nelder-mead, "
     "sbplx; local with gradients from difference quotients, whose runs go at once: slsqp, mma, "
     "lbfgs; global, "
     "refined by a local one: direct, crs, esch, isres (with constraints)"},
    {"starts", "N",
     "searches that go at once, from START and further points that fill the bounds; default 1"},
    {"most-runs", "N",
     "of one search; default 200, of global methods 1000, for each parameter and one more"},
    {"precision", "P",
     "end when the point moves by less than this part of the bounds; default 1e-6"},
    {"target", "VALUE", "end when the objective is as good as that"},
    {"seed", "N", "of random methods and further starts; default 1"},
    {"keep", "FORMULA", "another column of the table; may be given several times"},
    {"output-file", "TABLE", "all runs: a .csv or .mat file; default MODEL_optimize.csv"},
    {"resume", NULL, "continue a search that was interrupted or killed"},
    {"override-file", "FILE",
     "set parameters from a file: lines NAME=VALUE, as `rattleback linearize --point` writes them, "
     "or a parameter set of SSP "
     "(.ssv); may be given several times"},
    {"override", "NAME=VALUE", "set a parameter in all runs; may be given several times"},
    {"jobs", "N", "processes at once; default: one per core"},
    {"run-time", "S", "stop a run after this time on the clock [s]; default: no limit"},
    {"run-memory", "GB", "memory that a run may take; default: no limit"},
    {"start-time", "T", "time at which runs start [s]; default 0"},
    {"stop-time", "T", "time at which they end [s]; default: what the model says, otherwise 1"},
    {"tolerance", "TOL", "relative tolerance; default: what the model says, at most 1e-8"},
    {"output-interval", "DT", "distance of the points that min, max, mean and at see [s]"},
    {"max-step", "H", "largest step of the solver [s]; default: no limit"},
    {"solver", "NAME", "as of `rattleback simulate`"},
    {"input-file", "FILE", "signals for the inputs of a Modelica model"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    {"plugin", "FILE", "shared object that adds components; may be given several times"},
    MULTIBODY,
    BUDGET,
    {"quiet", NULL, "no progress"},
    COMMON,
};

static const Option info_options[] = {
    {"materials", "[BALL,PLATE]",
     "print a table of all materials and pairs with their sources; of two materials: what their "
     "contact "
     "constants imply"},
    {"material-file", "FILE", "JSON palette that adds to the built-in materials"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    {"plugin", "FILE", "shared object that adds components; may be given several times"},
    COMMON,
};

static const Option dump_options[] = {
    {"stage", "STAGE",
     "of a Modelica model: ast, inst, flat, sorted, c; of any model: system (default): the "
     "composed system of the "
     "first segment (states, indicators, pattern)"},
    {"library", "DIR",
     "folder with Modelica packages, searched before MODELICAPATH; may be given several times"},
    RESIDUAL_FORM,
    MULTIBODY,
    BUDGET,
    {"override-file", "FILE",
     "set parameters from a file: lines NAME=VALUE, as `rattleback linearize --point` writes them, "
     "or a parameter set of SSP "
     "(.ssv); may be given several times"},
    {"override", "NAME=VALUE", "set a parameter first; may be given several times"},
    {"plugin", "FILE", "shared object that adds components; may be given several times"},
    COMMON,
};

static const Option format_options[] = {
    {"check", NULL, "change nothing; the exit code tells whether all files are formatted"}, COMMON};

static const Option run_options[] = {COMMON};

static const Option lsp_options[] = {
    {"library", "DIR", "folder with Modelica packages, searched before MODELICAPATH"}, COMMON};

static const Option selftest_options[] = {COMMON};

const Command commands[] = {
    {"simulate", "MODEL [CLASS]", "run a model and write its result",
     "MODEL is a Modelica file (- is the standard input; the last class in it, or CLASS), the full "
     "name of a Modelica class "
     "in a library (`Rattleback.Examples.Motor`), an FMU of another tool (.fmu), a system of them (.ssp, .ssd), or the name of a "
     "built-in "
     "scene, example or component, which `rattleback info` lists. The result holds all variables "
     "at the output "
     "points and on both sides of every event. While it runs, everything goes to a journal next to "
     "the result, so that a "
     "run that is killed leaves a readable file. Ctrl-C ends the run and keeps what was computed, "
     "and so does SIGTERM, which ends the "
     "program after a second in any case; "
     "SIGUSR1 asks for a "
     "checkpoint at the next restart of the solver.",
     simulate_options, 1, 2, run_simulate},
    {"sweep", "MODEL [CLASS]", "run a model many times with other parameters",
     "MODEL is as of `rattleback simulate`. It is translated once; each run is a process of its "
     "own, so that one "
     "that fails or hangs costs no other. The table has a row per run: its number, the varied "
     "parameters, what is "
     "kept of it, its status (0: all is well; otherwise an exit code of `rattleback simulate`, 20: "
     "stopped by "
     "--run-time, 21: crashed) and the reason of a failure. It does not depend on the number of "
     "processes. Finished "
     "runs are kept in TABLE.runs until the table is written: a sweep that was killed goes on with "
     "--resume.",
     sweep_options, 1, 2, run_sweep},
    {"linearize", "MODEL [CLASS]",
     "print eigenvalues at a point of a run, write the linear system there",
     "MODEL is as of `rattleback simulate`. Runs it to a time, or finds a point of rest, and takes "
     "its equations "
     "there as d(dx)/dt = A dx + B du, dy = C dx + D du. Prints the eigenvalues with frequency, "
     "damping ratio and "
     "the states that take part most.",
     linearize_options, 1, 2, run_linearize},
    {"fit", "MODEL [CLASS]", "find parameters for which a model follows measured signals",
     "MODEL is as of `rattleback simulate`. Makes the sum of the squared differences to the data "
     "least, each signal "
     "weighed by its noise, which is estimated. Prints the values with their 95 % confidence and "
     "their correlations. "
     "The model must depend smoothly on its parameters at the times of the data.",
     fit_options, 1, 2, run_fit},
    {"optimize", "MODEL [CLASS]", "find parameters for which a number from a run is least",
     "MODEL is as of `rattleback simulate`. Varies parameters within bounds until a formula over "
     "the signals of a run is "
     "least or greatest and all constraints hold. A run that fails counts as worse than all "
     "others. Prints the best "
     "point; the table has a row per run. Run N of search K has the number (K - 1)*10^d + N. "
     "Without an end, the rows "
     "are in TABLE.runs, and --resume goes on.",
     optimize_options, 1, 2, run_optimize},
    {"check", "FILE [CLASS]", "translate a Modelica model and say what it consists of",
     "Everything that a simulation would complain about before it starts. A scene of soft bodies "
     "(.xml) is read and checked, too.",
     check_options, 1, 2, run_check},
    {"compare", "RESULT REFERENCE", "compare two results by the tube rule",
     "Every signal of RESULT that REFERENCE has too must stay inside a tube around the reference: "
     "a rectangle of 2e-3 of the "
     "range in time and in value moved along the curve. Exit code 0: all are inside, 1: some are "
     "not.",
     compare_options, 2, 2, run_compare},
    {"convert", "RESULT OUTPUT", "write a result in another format",
     "Formats are told by the ending: .rbj (journal), .csv, .mat (level 4, as Dymola and "
     "OpenModelica write it). A name - is the standard input, or CSV on the standard output. The "
     "motion of bodies, from a journal: .glb (glTF, with animation), .json (scene of three.js); "
     "their "
     "configuration at one time: .obj, .ply, .stl; particles for ParaView: .pvd. A scene of soft "
     "bodies, instead of a result: "
     "from .xml to a Modelica model .mo, and back.",
     convert_options, 2, 2, run_convert},
    {"state", "RESULT OUTPUT", "write where a run was as the start of another one",
     "Bodies, joints and states of equations become lines NAME=VALUE in OUTPUT, which "
     "--override-file reads; particles, from a journal, become "
     "a table beside it (OUTPUT without its ending, and -particles.csv) for Particles.File. What "
     "is sticking, and what discrete variables hold, starts anew.",
     state_options, 2, 2, run_state},
    {"export-fmu", "MODEL [CLASS]", "write a Modelica model as an FMU, which other tools run",
     "MODEL is a Modelica file (the last class in it, or CLASS) or the full name of a class in a "
     "library. The FMU holds the solver and the files of the model; it needs nothing installed but "
     "the C library. Contacts, changing structure, grains and soft bodies are inside; for model "
     "exchange "
     "the states must stay the same. External "
     "\"C\" functions are refused.",
     export_fmu_options, 1, 2, run_export_fmu},
    {"import", "DESCRIPTION|FMU", "write the description of a robot, or an FMU, as Modelica",
     "DESCRIPTION is a robot in URDF, MJCF or SDF, in one file. The package has the model Robot, for "
     "models of your own, and "
     "Alone, the robot in a world. Prints what was made of every tag: mapped, approximated (how), "
     "ignored. An FMU becomes a class with its inputs, outputs and parameters, which runs the FMU "
     "that it names; a SystemStructure.ssd (SSP) a model that connects its FMUs.",
     import_options, 1, 1, run_import},
    {"plot", "RESULT... VARIABLE...", "draw variables over time, or columns of a table of runs",
     "A VARIABLE is a name or a regular expression for whole names. Variables of one unit share a "
     "panel. Jumps at events are drawn as such; missing values leave gaps. PNG files are made with "
     "chromium. RESULT may also be a table (.csv) of `rattleback sweep` or `optimize`: the "
     "VARIABLEs are columns, which are "
     "drawn over the first one; runs that failed are left out. Of a folder with the results of a "
     "sweep the bands that "
     "hold all of them and nine tenths, and the median.",
     plot_options, 1, 100, run_plot},
    {"view", "RESULT [VARIABLE...] | MODEL [CLASS]",
     "make a page that shows the run in three dimensions",
     "One HTML file with everything in it: bodies, contacts and forces over time, curves of the "
     "variables. It needs no network and nothing installed but a browser, in which it is opened if "
     "there is a display. The three-dimensional part needs a journal (.rbj) of a model with "
     "bodies. "
     "The curves of the VARIABLEs are shown at once. A MODEL, as of `rattleback simulate`, runs "
     "first; "
     "its journal stays beside the page.",
     view_options, 1, 100, run_view},
    {"live", "MODEL [CLASS]", "run a model and watch and steer it in a browser",
     "MODEL is as of `rattleback simulate`. Prints an address of this machine for the browser, and "
     "opens it if there is a display; the run begins when the page is there. It can be paused, "
     "stopped, started again, and its parameters and inputs be set: each takes effect at an event. "
     "Only programs on this machine that know the address can see it.",
     live_options, 1, 2, run_live},
    {"render", "RESULT", "make a picture or a film of a run, without a display",
     "What `rattleback view` shows, drawn by a chromium without a window; films are put together "
     "by "
     "ffmpeg. The result must be a journal (.rbj) of a model with bodies.",
     render_options, 1, 1, run_render},
    {"report", "RESULT [VARIABLE...]", "make a page that tells of a run",
     "One HTML file: what came of the run, the view of `rattleback view`, the energy balance, "
     "curves "
     "of the VARIABLEs (or of a few that are chosen), the text of the model.",
     report_options, 1, 100, run_report},
    {"info", "[FILE|MODEL [CLASS]]",
     "say what there is: examples, the parameters of a model, the contents of a result, what "
     "materials do",
     "Without an argument: the built-in examples, scenes and components. Of a Modelica model: the "
     "parameters and inputs that can be set, and the states with their start values; of another "
     "Modelica class (with connectors and no experiment, partial, a function, record or type): "
     "what it declares, "
     "with type, default, unit and comment; of an FMU: its kinds and variables; of a scene of "
     "soft bodies (.xml): its materials. "
     "With --materials: all materials and pairs as a table, with sources; with --materials "
     "BALL,PLATE: what "
     "the contact constants of a ball of the "
     "first material on a plate of the second one imply: contact time, depth and force of an "
     "impact at 1 m/s, creep speed.",
     info_options, 0, 2, run_info},
    {"solid", "FILE|FOLDER|CLASS",
     "check a mesh file, a folder of parts or the solids of a class, print mass properties, draw",
     "Reads STL, OBJ, PLY and DXF (3DFACE, polyface meshes; closed outlines with --extrude), welds "
     "and "
     "repairs, and says whether the surface encloses a body, where it does not, and what its mass, "
     "centre of mass and inertia are. Exit code 0: it encloses a body. Of a folder: the "
     "convex parts of one body, a file for each, and all together. Of a Modelica class, or a "
     "file "
     ".mo (the last class in it, or a second argument), the same for each solid that a run builds "
     "when "
     "it starts: meshes of workpieces, and parameters that are a Rattleback.Solids.TriangleMesh.",
     solid_options, 1, 2, run_solid},
    {"flexible", "FILE [SET ...]",
     "reduce a finite-element mesh to an elastic part, print its mass and frequencies",
     "Reads a mesh of tetrahedra with 4 or 10 nodes: .msh of gmsh (text, version 2.2) or .inp of "
     "Abaqus and CalculiX. Node sets "
     "(physical surfaces of gmsh) that are named are the interface frames of the part: each holds "
     "its nodes rigidly, and the "
     "modes are those of Craig and Bampton, 6 for each frame but one on top of --modes. Warns of "
     "nearly flat elements.",
     flexible_options, 1, 100, run_flexible},
    {"dump", "MODEL [CLASS]", "print an inner stage of a model", "", dump_options, 1, 2, run_dump},
    {"run", "SCRIPT", "run a script of another tool (.mos)",
     "Statements: loadFile(\"x.mo\"), loadModel(Name), checkModel(Name), translateModel(Name), "
     "simulate(Name, startTime, stopTime, tolerance, numberOfIntervals, method, fileNamePrefix, "
     "outputFormat, variableFilter by name), cd(\"folder\"); getErrorString() and echo() do "
     "nothing. The script ends at the first statement that fails, with its exit code. Results are "
     "called PREFIX_res.mat or .csv.",
     run_options, 1, 1, run_script},
    {"format", "FILE...", "indent Modelica files",
     "Rewrites the files with uniform indentation and spaces; - reads the standard input and writes "
     "the standard output. Comments, line breaks and everything but white space stay as they are. A "
     "file that cannot be parsed is left alone.",
     format_options, 1, 10000, run_format},
    {"lsp", "", "serve an editor: messages, meaning, references, renaming, completion, formatting",
     "Speaks the language server protocol over stdin and stdout; the editor starts it. Texts are "
     "translated as they are typed; external C functions are not called. A file of a package in a "
     "folder is checked as it is saved.",
     lsp_options, 0, 0, run_lsp},
    {"selftest", "", "check this installation against closed-form solutions",
     "Runs in about a second; exit code 0 if all is well.", selftest_options, 0, 0, run_selftest},
    {0},
};
