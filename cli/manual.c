// SPDX-License-Identifier: MIT
// The table of commands as help text, man page and bash completion.
#include <string.h>

#include "cli.h"

static const char exit_codes[] =
    "0 done; 1 model error (compare: outside the tube); 2 wrong usage; 3 initialisation failed; 4 "
    "integration failed; "
    "5 assertion in the model; 6 file error; 7 no memory; 8 defect of Rattleback; 130 interrupted";

static const char about[] = "Simulates mechanical and multi-domain systems whose bodies collide "
                            "and whose structure changes while they run.";

// Lines for a shell, by command; "" is the page about all of them.
static const struct {
    const char *command, *line, *what;
} examples[] = {
    {"", "rattleback simulate Rattleback.Examples.Motor",
     "a model of the library that is built in"},
    {"", "rattleback info", "what there is"},
    {"simulate", "rattleback simulate Ball.mo --override e=0.8 --output-file Ball.csv",
     "a Modelica file, with another value of a parameter"},
    {"simulate", "rattleback simulate Circuits.mo Circuits.Filter --library ~/modelica",
     "a class of a package, which needs the standard library"},
    {"simulate", "rattleback simulate billiards --log EVENTS",
     "a scene; what happens, as it happens"},
    {"check", "rattleback check Ball.mo", "errors, and the number of equations and unknowns"},
    {"compare", "rattleback compare Ball.csv reference.csv",
     "the result first, then what it is measured by"},
    {"convert", "rattleback convert Ball_res.mat Ball.csv", "the names say the formats"},
    {"plot", "rattleback plot Ball.csv h v --output-file Ball.svg", "two variables over time"},
    {"plot", "rattleback plot Ball.csv 'ball[0-9]+[.]h' --preview", "all of a kind, with letters"},
    {"view", "rattleback view billiards_res.mat", "bodies in a browser"},
    {"info", "rattleback info Ball.mo", "parameters, inputs and states"},
    {"import", "rattleback import Motor.fmu", "the class Motor, which runs the FMU, in Motor.mo"},
    {"info", "rattleback info --materials Steel,DryWood", "what the constants of a contact imply"},
    {"dump", "rattleback dump Ball.mo --stage=sorted",
     "equations in the order of their evaluation"},
};

static const struct {
    const char *name, *what;
} environment[] = {
    {"MODELICAPATH", "folders in which Modelica packages are found, separated by colons; those of "
                     "--library come first"},
    {"CC", "compiler for external C functions and for the optimised code of long runs; default cc"},
    {"XDG_CACHE_HOME", "compiled models are kept in its folder rattleback; default ~/.cache"},
    {"TMPDIR", "where the browser that draws PNG files and films keeps its profile, and where FMUs are unpacked; default /tmp"},
};

// Words of a paragraph, wrapped at 96 columns behind an indentation.
static void wrap(Text *out, const char *text, int indent, int column) {
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column + 1 + length > 96 && column > indent) {
            text_printf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            text_add(out, " ");
            column++;
        }
        text_add_bytes(out, text, (size_t)length);
        column += length;
        text += length + (text[length] == ' ');
    }
    text_add(out, "\n");
}

static void print_options(const Option *options, Text *out) {
    for (const Option *o = options; o->name; o++) {
        int start = out->count;
        bool attached = o->argument && strncmp(o->argument, "[=", 2) == 0; // --name[=value]
        text_printf(out, "  --%s%s%s", o->name, o->argument && !attached ? " " : "",
                    o->argument ? o->argument : "");
        int width = out->count - start;
        if (width < 32)
            text_printf(out, "%*s", 32 - width, "");
        else
            text_printf(out, "\n%*s", 32, "");
        wrap(out, o->help, 32, 32);
    }
}

void cli_print_help(const Command *command, Text *out) {
    if (command) {
        text_printf(out, "usage: rattleback %s %s%s[options]\n\n", command->name,
                    command->arguments, command->arguments[0] ? " " : "");
        text_printf(out, "%s\n\n", command->summary);
        if (command->text[0]) {
            wrap(out, command->text, 0, 0);
            text_add(out, "\n");
        }
        print_options(command->options, out);
        return;
    }
    text_add(out, "usage: rattleback COMMAND [arguments] [options]\n\n");
    wrap(out, about, 0, 0);
    text_add(out, "\n");
    for (const Command *c = commands; c->name; c++)
        text_printf(out, "  %-12s%s\n", c->name, c->summary);
    text_add(out, "\n`rattleback COMMAND --help` explains a command; `rattleback --version` "
                  "prints the version.\n"
                  "Exit codes: ");
    wrap(out, exit_codes, 0, 12);
}

// -----------------------------------------------------------------------------------------------------
// man pages

// A minus must be escaped, or it may become a hyphen; a dot at the start of a line is a request.
static void roff(Text *out, const char *text) {
    for (const char *c = text; *c; c++) {
        if (*c == '-')
            text_add(out, "\\-");
        else if (*c == '\\')
            text_add(out, "\\e");
        else if ((*c == '.' || *c == '\'') && c == text)
            text_printf(out, "\\&%c", *c);
        else
            text_add_bytes(out, c, 1);
    }
}

static void roff_line(Text *out, const char *request, const char *text) {
    text_printf(out, "%s", request);
    roff(out, text);
    text_add(out, "\n");
}

static void man_head(const Command *command, Text *out) {
    const char *name = command ? command->name : "";
    text_printf(out, ".TH RATTLEBACK%s%s 1 \"\" \"Rattleback %s\"\n.SH NAME\n",
                name[0] ? "\\-" : "", name, RB_VERSION_STRING);
    text_printf(out, "rattleback%s%s \\- ", name[0] ? "\\-" : "", name);
    roff_line(out, "",
              command ? command->summary
                      : "simulator for systems that collide and change their structure");
    text_printf(out, ".SH SYNOPSIS\n.B rattleback %s\n", command ? name : "COMMAND");
    roff_line(out, "", command ? command->arguments : "[arguments]");
    roff_line(out, "", "[options]");
}

static void man_tail(const char *name, Text *out) {
    bool any = false;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        if (strcmp(examples[i].command, name) != 0) continue;
        if (!any) text_add(out, ".SH EXAMPLES\n");
        any = true;
        text_add(out, ".TP\n.B ");
        roff_line(out, "", examples[i].line);
        roff_line(out, "", examples[i].what);
    }
    text_add(out, ".SH ENVIRONMENT\n");
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++) {
        text_printf(out, ".TP\n.B %s\n", environment[i].name);
        roff_line(out, "", environment[i].what);
    }
}

void cli_print_man(const Command *command, Text *out) {
    man_head(command, out);
    roff_line(out, ".SH DESCRIPTION\n",
              command ? (command->text[0] ? command->text : command->summary) : about);
    if (command) {
        text_add(out, ".SH OPTIONS\n");
        for (const Option *o = command->options; o->name; o++) {
            text_add(out, ".TP\n\\fB\\-\\-");
            roff(out, o->name);
            bool attached = o->argument && strncmp(o->argument, "[=", 2) == 0;
            text_printf(out, "\\fR%s%s%s\n", o->argument ? (attached ? "\\fI" : " \\fI") : "",
                        o->argument ? o->argument : "", o->argument ? "\\fR" : "");
            roff_line(out, "", o->help);
        }
    } else {
        text_add(out, ".SH COMMANDS\n");
        for (const Command *c = commands; c->name; c++) {
            text_printf(out, ".TP\n.BR rattleback\\-%s (1)\n", c->name);
            roff_line(out, "", c->summary);
        }
    }
    man_tail(command ? command->name : "", out);
    roff_line(out, ".SH EXIT STATUS\n", exit_codes);
}

// -----------------------------------------------------------------------------------------------------
// the reference of the manual

static void print_pair(const char *first, const char *a, const char *second, const char *b,
                       Text *out) {
    text_printf(out, "{\"%s\": ", first);
    text_add_json(out, a);
    text_printf(out, ", \"%s\": ", second);
    text_add_json(out, b);
    text_add(out, "}");
}

void cli_print_examples(const char *command, Text *out) {
    bool any = false;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        if (strcmp(examples[i].command, command) != 0) continue;
        text_add(out, any ? ", " : "");
        print_pair("line", examples[i].line, "what", examples[i].what, out);
        any = true;
    }
}

void cli_print_surroundings(Text *out) {
    text_add(out, "\"environment\": [");
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++) {
        text_add(out, i > 0 ? ", " : "");
        print_pair("name", environment[i].name, "what", environment[i].what, out);
    }
    text_add(out, "],\n\"exit_codes\": ");
    text_add_json(out, exit_codes);
}

// ----------------------------------------------------------------------------------------------------
// completion

void cli_print_completion(Text *out) {
    text_add(out, "# bash completion for rattleback\n_rattleback() {\n    local "
                  "word=${COMP_WORDS[COMP_CWORD]}\n"
                  "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W \"");
    for (const Command *c = commands; c->name; c++) text_printf(out, "%s ", c->name);
    text_add(out, "--help --version\" -- \"$word\"))\n        return\n    fi\n    local options\n"
                  "    case ${COMP_WORDS[1]} in\n");
    for (const Command *c = commands; c->name; c++) {
        text_printf(out, "        %s) options=\"", c->name);
        for (const Option *o = c->options; o->name; o++) text_printf(out, "--%s ", o->name);
        text_add(out, "\" ;;\n");
    }
    text_add(out, "    esac\n    case $word in\n        -*) COMPREPLY=($(compgen -W "
                  "\"$options\" -- \"$word\")) ;;\n"
                  "        *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
                  "complete -o filenames -F _rattleback rattleback\n");
}
