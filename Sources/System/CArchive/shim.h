// The parts of libarchive that write a zip archive.
//
// The library (Debian: libarchive13) is opened when the first archive is made: a program that makes none starts without
// it, and runs where it is not installed. Its headers are not needed: the functions are declared here, and CTestSupport
// compares the declarations with the headers.
#ifndef PORTOLAN_CARCHIVE_SHIM_H
#define PORTOLAN_CARCHIVE_SHIM_H

#include <dlfcn.h>
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct archive;
struct archive_entry;

// The result of a function that has nothing to report.
#define PORTOLAN_ARCHIVE_OK 0

// One line a function: the result, the name in the table, the name in the library, the parameters.
#define PORTOLAN_ARCHIVE_FUNCTIONS(each)                                                                              \
    each(struct archive *, write_new, archive_write_new, (void))                                                      \
    each(int, write_set_format_zip, archive_write_set_format_zip, (struct archive *))                                 \
    each(int, write_set_bytes_per_block, archive_write_set_bytes_per_block, (struct archive *, int))                  \
    each(int, write_open, archive_write_open,                                                                         \
         (struct archive *, void *, int (*)(struct archive *, void *),                                                \
          ssize_t (*)(struct archive *, void *, const void *, size_t), int (*)(struct archive *, void *)))            \
    each(int, write_header, archive_write_header, (struct archive *, struct archive_entry *))                         \
    each(ssize_t, write_data, archive_write_data, (struct archive *, const void *, size_t))                           \
    each(int, write_close, archive_write_close, (struct archive *))                                                   \
    each(int, write_free, archive_write_free, (struct archive *))                                                     \
    each(const char *, error_string, archive_error_string, (struct archive *))                                        \
    each(struct archive_entry *, entry_new, archive_entry_new, (void))                                                \
    each(struct archive_entry *, entry_clear, archive_entry_clear, (struct archive_entry *))                          \
    each(void, entry_free, archive_entry_free, (struct archive_entry *))                                              \
    each(void, entry_set_pathname, archive_entry_set_pathname, (struct archive_entry *, const char *))                \
    each(void, entry_set_symlink, archive_entry_set_symlink, (struct archive_entry *, const char *))                  \
    each(void, entry_set_size, archive_entry_set_size, (struct archive_entry *, int64_t))                             \
    each(void, entry_set_mode, archive_entry_set_mode, (struct archive_entry *, mode_t))                              \
    each(void, entry_set_mtime, archive_entry_set_mtime, (struct archive_entry *, time_t, long))

#define PORTOLAN_FIELD(result, field, function, parameters) result (*field) parameters;
typedef struct PortolanArchive { PORTOLAN_ARCHIVE_FUNCTIONS(PORTOLAN_FIELD) } PortolanArchive;
#undef PORTOLAN_FIELD

// Fills the table. Returns NULL, or why not.
static inline const char *portolan_archive_load(PortolanArchive *table) {
    void *library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define PORTOLAN_LOAD(result, field, function, parameters) \
    if (!(table->field = (result (*) parameters)dlsym(library, #function))) return dlerror();
    PORTOLAN_ARCHIVE_FUNCTIONS(PORTOLAN_LOAD)
#undef PORTOLAN_LOAD
    return NULL;
}

// libarchive reads names in the locale's encoding. Between these two calls that is UTF-8, for this thread alone.
typedef struct PortolanLocale { locale_t before, during; } PortolanLocale;

static inline PortolanLocale portolan_enter_utf8(void) {
    PortolanLocale locale = { (locale_t)0, newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0) };
    if (locale.during) locale.before = uselocale(locale.during);
    return locale;
}

static inline void portolan_leave_utf8(PortolanLocale locale) {
    if (!locale.during) return;
    uselocale(locale.before);
    freelocale(locale.during);
}

#endif
