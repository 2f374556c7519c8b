#pragma once

// GLib's inflation, for SVG files that are compressed.

#include <gio/gio.h>

/// Inflates a gzip stream into at most `limit` bytes, to be freed with g_free.
/// Returns 0; -1 for a stream that is broken or ends early; -2 for one that is larger than `limit`.
static inline int cvips_gunzip(const void *bytes, size_t count, size_t limit, void **out, size_t *out_count) {
    GConverter *converter = G_CONVERTER(g_zlib_decompressor_new(G_ZLIB_COMPRESSOR_FORMAT_GZIP));
    GByteArray *array = g_byte_array_new();
    guint8 chunk[16384];
    size_t position = 0;
    int status = -1;
    for (;;) {
        gsize consumed = 0, produced = 0;
        GError *error = NULL;
        GConverterResult result = g_converter_convert(converter, (const guint8 *)bytes + position, count - position, chunk,
                                                      sizeof chunk, G_CONVERTER_INPUT_AT_END, &consumed, &produced, &error);
        if (result == G_CONVERTER_ERROR) {
            g_error_free(error);
            break;
        }
        position += consumed;
        g_byte_array_append(array, chunk, (guint)produced);
        if (array->len > limit) {
            status = -2;
            break;
        }
        if (result == G_CONVERTER_FINISHED) {
            status = 0;
            break;
        }
        if (consumed == 0 && produced == 0) break;
    }
    g_object_unref(converter);
    *out_count = array->len;
    *out = g_byte_array_free(array, status != 0);
    return status;
}
