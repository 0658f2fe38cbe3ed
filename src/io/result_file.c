// SPDX-License-Identifier: MIT
#include "io/result_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "io/journal_format.h"
#include "io/place.h"

// ORDER format_of_extension
typedef enum Format { FORMAT_UNKNOWN, FORMAT_JOURNAL, FORMAT_MAT4, FORMAT_MAT5, FORMAT_CSV } Format;

static Format format_of_extension(const char *path) {
    if (rb_file_is_standard(path)) return FORMAT_CSV;
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    if (!dot) return FORMAT_UNKNOWN;
    if (strcasecmp(dot, ".rbj") == 0) return FORMAT_JOURNAL;
    if (strcasecmp(dot, ".mat") == 0) return FORMAT_MAT4;
    if (strcasecmp(dot, ".csv") == 0) return FORMAT_CSV;
    return FORMAT_UNKNOWN;
}

static Format format_of_content(const char start[32], size_t size) {
    static const char aclass[] = "Aclass"; // name of the first matrix, behind its header
    if (size >= 4 && memcmp(start, RB_JOURNAL_MARK, 4) == 0) return FORMAT_JOURNAL;
    if (size >= 10 && memcmp(start, "MATLAB 5.0", 10) == 0) return FORMAT_MAT5;
    if (size >= 20 + sizeof aclass && memcmp(start + 20, aclass, sizeof aclass) == 0)
        return FORMAT_MAT4;
    if (size >= 6 && memcmp(start, "\"time\"", 6) == 0) return FORMAT_CSV;
    if (size >= 5 && memcmp(start, "time", 4) == 0 && strchr(",;\t\r\n", start[4]))
        return FORMAT_CSV;
    return FORMAT_UNKNOWN;
}

static RbStatus find_format(const char *path, RbDiag *diag, Format *format) {
    RbPos at = rb_in_file(path);
    char start[32] = {0};
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return rb_fail(diag, RB_ERROR_IO, at,
                       "cannot read: it is a pipe or a device; use '-' for the standard input");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return rb_fail(diag, RB_ERROR_IO, at, "cannot open: %s", strerror(errno));
    size_t size;
    int error = rb_file_read_all(file, start, sizeof start, &size) < 0 ? errno : 0;
    close(file);
    if (error) return rb_fail(diag, RB_ERROR_IO, at, "cannot read: %s", strerror(error));
    *format = format_of_content(start, size);
    if (*format == FORMAT_UNKNOWN) *format = format_of_extension(path);
    return RB_OK;
}

// From the standard input: in memory, whatever the format.
static RbStatus read_standard_input(RbArena *arena, RbArena scratch, RbDiag *diag, RbResult **out) {
    RbBytes bytes;
    RB_TRY(rb_file_read("-", 0, &scratch, diag, &bytes));
    char start[32] = {0};
    size_t size = bytes.size < sizeof start ? bytes.size : sizeof start;
    memcpy(start, bytes.data, size);
    switch (format_of_content(start, size)) {
        case FORMAT_JOURNAL:
            return rb_journal_read_bytes("-", bytes.data, bytes.size, arena, scratch, diag, out);
        case FORMAT_MAT4:
            return rb_mat4_read_bytes("-", bytes.data, bytes.size, arena, scratch, diag, out);
        default:
            return rb_csv_read_bytes("-", (const char *)bytes.data, bytes.size, arena, scratch,
                                     diag, out);
    }
}

RbStatus rb_result_read(const char *path, RbJournalRows rows, RbArena *arena, RbArena scratch,
                        RbDiag *diag, RbResult **out) {
    *out = NULL;
    Format format = FORMAT_UNKNOWN;
    if (rb_file_is_standard(path)) return read_standard_input(arena, scratch, diag, out);
    path = rb_arena_text(diag->arena, path);
    RB_TRY(find_format(path, diag, &format));
    switch (format) {
        case FORMAT_JOURNAL: return rb_journal_read(path, rows, arena, scratch, diag, out);
        case FORMAT_MAT4: return rb_mat4_read(path, arena, scratch, diag, out);
        case FORMAT_CSV: return rb_csv_read(path, arena, scratch, diag, out);
        case FORMAT_MAT5:
            return rb_fail(diag, RB_ERROR_IO, rb_in_file(path),
                           "this is a MAT file of level 5; results are MAT files of level 4");
        case FORMAT_UNKNOWN: break;
    }
    return rb_fail(
        diag, RB_ERROR_IO, rb_in_file(path),
        "this is no result: neither a journal (.rbj) nor a MAT (.mat) nor a CSV file (.csv)");
}

bool rb_result_can_write(const char *path) {
    return format_of_extension(path) != FORMAT_UNKNOWN;
}

RbStatus rb_result_write(const char *path, const RbResult *result, RbArena *arena, RbArena scratch,
                         RbDiag *diag) {
    switch (format_of_extension(path)) {
        case FORMAT_JOURNAL: return rb_journal_write(path, result, arena, scratch, diag);
        case FORMAT_MAT4: return rb_mat4_write(path, result, scratch, diag);
        case FORMAT_CSV: return rb_csv_write(path, result, (RbCsvOptions){0}, scratch, diag);
        default: break;
    }
    return rb_fail(diag, RB_ERROR_USAGE, rb_place(diag, path),
                   "the name of a result must end in .rbj (journal), .mat or .csv");
}
