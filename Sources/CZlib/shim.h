// zlib. Its initialisers are macros, which Swift cannot call.
#ifndef HOMEPORT_ZLIB_H
#define HOMEPORT_ZLIB_H

#include <zlib.h>

static inline int homeport_deflate_init(z_stream *stream, int level, int windowBits, int memoryLevel) {
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, memoryLevel, Z_DEFAULT_STRATEGY);
}

static inline int homeport_inflate_init(z_stream *stream, int windowBits) { return inflateInit2(stream, windowBits); }

#endif
