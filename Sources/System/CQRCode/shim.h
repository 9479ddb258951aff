// The parts of libqrencode that draw a short text as a QR code.
//
// The library (Debian: libqrencode4) is opened when the first code is drawn, and nothing of it is needed to build: what is
// declared here is what qrencode.h of version 4 declares (https://fukuchi.org/works/qrencode/manual/).
#ifndef PORTOLAN_CQRCODE_SHIM_H
#define PORTOLAN_CQRCODE_SHIM_H

#include <dlfcn.h>
#include <stddef.h>

// QRcode: width * width bytes, row by row; the lowest bit of each says whether that module is dark.
typedef struct PortolanQRCode {
    int version;
    int width;
    unsigned char *data;
} PortolanQRCode;

// QRecLevel: how much of a code may be hidden or dirty.
enum { PORTOLAN_QR_LEVEL_MEDIUM = 1 };

typedef struct PortolanQREncoder {
    // A text of bytes; version 0 takes the smallest that the text fits into. NULL and errno when it cannot be done.
    PortolanQRCode *(*encode)(const char *text, int version, int level);
    void (*destroy)(PortolanQRCode *code);
} PortolanQREncoder;

// Fills the table. Returns NULL, or why not.
static inline const char *portolan_qr_load(PortolanQREncoder *table) {
    void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
    *(void **)&table->encode = dlsym(library, "QRcode_encodeString8bit");
    *(void **)&table->destroy = dlsym(library, "QRcode_free");
    return table->encode && table->destroy ? NULL : "It lacks a function that every version 4 has.";
}

#endif
