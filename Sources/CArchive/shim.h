// The parts of libarchive that write a zip archive.
//
// The library (Debian: libarchive13) is opened when the first archive is made: a program that makes none starts without
// it, and runs where it is not installed.
#ifndef PORTOLAN_CARCHIVE_SHIM_H
#define PORTOLAN_CARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <locale.h>
#include <stddef.h>

// One line a function: the name in the table, the name in the library. The headers give the types.
#define PORTOLAN_ARCHIVE_FUNCTIONS(each)                                        \
    each(write_new, archive_write_new)                                          \
    each(write_set_format_zip, archive_write_set_format_zip)                    \
    each(write_set_bytes_per_block, archive_write_set_bytes_per_block)          \
    each(write_open, archive_write_open)                                        \
    each(write_header, archive_write_header)                                    \
    each(write_data, archive_write_data)                                        \
    each(write_close, archive_write_close)                                      \
    each(write_free, archive_write_free)                                        \
    each(error_string, archive_error_string)                                    \
    each(entry_new, archive_entry_new)                                          \
    each(entry_clear, archive_entry_clear)                                      \
    each(entry_free, archive_entry_free)                                        \
    each(entry_set_pathname, archive_entry_set_pathname)                        \
    each(entry_set_symlink, archive_entry_set_symlink)                          \
    each(entry_set_size, archive_entry_set_size)                                \
    each(entry_set_mode, archive_entry_set_mode)                                \
    each(entry_set_mtime, archive_entry_set_mtime)

#define PORTOLAN_FIELD(field, function) __typeof__(function) *field;
typedef struct PortolanArchive { PORTOLAN_ARCHIVE_FUNCTIONS(PORTOLAN_FIELD) } PortolanArchive;
#undef PORTOLAN_FIELD

// Fills the table. Returns NULL, or why not.
static inline const char *portolan_archive_load(PortolanArchive *table) {
    void *library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define PORTOLAN_LOAD(field, function) if (!(table->field = (__typeof__(table->field))dlsym(library, #function))) return dlerror();
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
