// The parts of libavahi that Portolan uses.
//
// libavahi-common is linked. libavahi-client (the way to the system's daemon) and libavahi-core (the mDNS stack to run in
// a process) are opened when they are needed, for two reasons:
//
// - Both export a function named avahi_entry_group_free, with different parameters. In one global scope the second
//   library's calls to its own function land in the first library and crash; each must be opened in a scope of its own.
// - libavahi-client brings D-Bus, systemd and compression libraries along. A program that knows its peer's address
//   starts without them.
#ifndef PORTOLAN_CAVAHI_SHIM_H
#define PORTOLAN_CAVAHI_SHIM_H

#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/simple-watch.h>
#include <avahi-core/core.h>
#include <avahi-core/log.h>
#include <avahi-core/lookup.h>
#include <avahi-core/publish.h>
#include <dlfcn.h>
#include <stddef.h>

// What wakes the loop that Avahi runs on, and what tells that addresses have changed: Swift's Glibc module has neither.
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/eventfd.h>

// One line a function: the name in the table, the name in the library. The headers give the types.
#define PORTOLAN_AVAHI_CLIENT_FUNCTIONS(each)                                   \
    each(client_new, avahi_client_new)                                          \
    each(client_free, avahi_client_free)                                        \
    each(client_errno, avahi_client_errno)                                      \
    each(service_browser_new, avahi_service_browser_new)                        \
    each(service_browser_free, avahi_service_browser_free)                      \
    each(service_resolver_new, avahi_service_resolver_new)                      \
    each(service_resolver_free, avahi_service_resolver_free)                    \
    each(entry_group_new, avahi_entry_group_new)                                \
    each(entry_group_free, avahi_entry_group_free)                              \
    each(entry_group_add_service, avahi_entry_group_add_service_strlst)         \
    each(entry_group_update_text, avahi_entry_group_update_service_txt_strlst)  \
    each(entry_group_add_address, avahi_entry_group_add_address)                \
    each(entry_group_commit, avahi_entry_group_commit)                          \
    each(entry_group_reset, avahi_entry_group_reset)

#define PORTOLAN_AVAHI_CORE_FUNCTIONS(each)                                     \
    each(set_log_function, avahi_set_log_function)                              \
    each(server_config_init, avahi_server_config_init)                          \
    each(server_config_free, avahi_server_config_free)                          \
    each(server_new, avahi_server_new)                                          \
    each(server_free, avahi_server_free)                                        \
    each(server_errno, avahi_server_errno)                                      \
    each(server_add_address, avahi_server_add_address)                          \
    each(server_add_service, avahi_server_add_service_strlst)                   \
    each(server_update_text, avahi_server_update_service_txt_strlst)            \
    each(service_browser_new, avahi_s_service_browser_new)                      \
    each(service_browser_free, avahi_s_service_browser_free)                    \
    each(service_resolver_new, avahi_s_service_resolver_new)                    \
    each(service_resolver_free, avahi_s_service_resolver_free)                  \
    each(entry_group_new, avahi_s_entry_group_new)                              \
    each(entry_group_free, avahi_s_entry_group_free)                            \
    each(entry_group_commit, avahi_s_entry_group_commit)                        \
    each(entry_group_reset, avahi_s_entry_group_reset)

#define PORTOLAN_FIELD(field, function) __typeof__(function) *field;
typedef struct PortolanAvahiClient { PORTOLAN_AVAHI_CLIENT_FUNCTIONS(PORTOLAN_FIELD) } PortolanAvahiClient;
typedef struct PortolanAvahiCore { PORTOLAN_AVAHI_CORE_FUNCTIONS(PORTOLAN_FIELD) } PortolanAvahiCore;
#undef PORTOLAN_FIELD

// Opens a library out of everyone else's sight.
static inline void *portolan_avahi_open(const char *library) {
    int flags = RTLD_NOW | RTLD_LOCAL;
#ifdef RTLD_DEEPBIND
    const int own_scope_first = RTLD_DEEPBIND;
#else
    const int own_scope_first = 0x8; // its value in every glibc, which shows it only to _GNU_SOURCE
#endif
    // The program may have linked one of the two itself. Only then, for sanitizers do not bear this flag.
    void *program = dlopen(NULL, RTLD_NOW);
    if (program) {
        if (dlsym(program, "avahi_entry_group_free")) flags |= own_scope_first;
        dlclose(program);
    }
    return dlopen(library, flags);
}

// Fills the table. Returns NULL, or why not.
static inline const char *portolan_avahi_client_load(PortolanAvahiClient *table) {
    void *library = portolan_avahi_open("libavahi-client.so.3");
    if (!library) return dlerror();
#define PORTOLAN_LOAD(field, function) if (!(table->field = (__typeof__(table->field))dlsym(library, #function))) return dlerror();
    PORTOLAN_AVAHI_CLIENT_FUNCTIONS(PORTOLAN_LOAD)
    return NULL;
}

static inline const char *portolan_avahi_core_load(PortolanAvahiCore *table) {
    void *library = portolan_avahi_open("libavahi-core.so.7");
    if (!library) return dlerror();
    PORTOLAN_AVAHI_CORE_FUNCTIONS(PORTOLAN_LOAD)
#undef PORTOLAN_LOAD
    return NULL;
}

#endif
