#pragma once

// Fixed-arity wrappers over libvips's variadic calls, which Swift cannot import, and the few GLib calls that the
// renderer needs. Nothing here decides anything: every policy is in Swift.
//
// A function that returns an image returns a new reference, or NULL on failure.

#include <gmodule.h>
#include <vips/vips.h>

// MARK: Starting

static inline void cvips_drop_log(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {}

/// Starts libvips. Must have returned before any other thread calls into libvips.
static inline int cvips_start(void) {
    // liborc 0.4.33, which Debian 12 has, is not safe in several threads: under many short resizes at once the heap
    // is corrupted within seconds with it, and never without. libvips's own switch leaves convolutions out, which the
    // search for attention uses; where liborc compiles nothing, all of libvips does without.
    g_setenv("ORC_CODE", "emulate", FALSE);
    // Debian builds some loaders as modules, and libvips loads all of them as it starts: 16 of its 17 ms, for ImageMagick,
    // Poppler and OpenSlide among others. Sought where nothing is, none is loaded; see cvips_require_module.
    gboolean is_elsewhere = g_getenv("VIPSHOME") != NULL;
    if (!is_elsewhere) g_setenv("VIPSHOME", "/nonexistent", FALSE);
    int status = vips_init("cameo");
    if (!is_elsewhere) g_unsetenv("VIPSHOME");
    if (status != 0) return -1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    vips_vector_set_enabled(FALSE);
    // Damage is reported through results; the log would only interleave with the host's own output.
    g_log_set_handler("VIPS", (GLogLevelFlags)(G_LOG_LEVEL_WARNING | G_LOG_LEVEL_INFO | G_LOG_LEVEL_DEBUG),
                      cvips_drop_log, NULL);
    return 0;
}

/// What dladdr(3) tells of an address. The C library declares it for programs that are GNU's alone, which this module
/// cannot be: other modules have the same headers without.
struct cvips_library {
    const char *path;
    void *base;
    const char *symbol;
    void *address;
};
extern int cvips_find_library(const void *address, struct cvips_library *found) __asm__("dladdr");

/// Sees to it that libvips has a class of loaders: where it is not there, the module of this name is loaded, which lies
/// beside libvips. Its loaders are not blocked. libvips must have been started.
static inline void cvips_require_module(const char *class_name, const char *name) {
    // A function's address of its own: that of a public one may be a stub's in the program.
    VipsObjectClass *inside = (VipsObjectClass *)g_type_class_peek(VIPS_TYPE_OBJECT);
    struct cvips_library library;
    if (g_type_from_name(class_name) != 0 || !inside || !cvips_find_library((const void *)inside->build, &library)) return;
    char *folder = g_path_get_dirname(library.path);
    char *path = g_strdup_printf("%s/vips-modules-%d.%d/%s.so", folder, vips_version(0), vips_version(1), name);
    GModule *module = g_module_open(path, G_MODULE_BIND_LAZY);
    if (module) g_module_make_resident(module);
    g_free(path);
    g_free(folder);
}

static inline void cvips_unref(VipsImage *image) { g_object_unref(image); }

// MARK: Watching a run

/// What a running evaluation looks at between two tiles.
typedef struct {
    int cancelled;
    gint64 deadline;  // microseconds of g_get_monotonic_time, 0 for none
    int expired;
} cvips_watch;

static inline void cvips_watch_cancel(cvips_watch *watch) { __atomic_store_n(&watch->cancelled, 1, __ATOMIC_RELEASE); }
static inline void cvips_watch_reset(cvips_watch *watch) {
    __atomic_store_n(&watch->cancelled, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&watch->expired, 0, __ATOMIC_RELEASE);
}
static inline int cvips_watch_is_cancelled(cvips_watch *watch) { return __atomic_load_n(&watch->cancelled, __ATOMIC_ACQUIRE); }
static inline int cvips_watch_is_expired(cvips_watch *watch) { return __atomic_load_n(&watch->expired, __ATOMIC_ACQUIRE); }

static inline void cvips_watch_start(cvips_watch *watch, gint64 microseconds) {
    watch->deadline = microseconds > 0 ? g_get_monotonic_time() + microseconds : 0;
}

/// Whether the work should stop; notes an elapsed deadline.
static inline int cvips_watch_check(cvips_watch *watch) {
    if (cvips_watch_is_cancelled(watch)) return 1;
    if (watch->deadline != 0 && g_get_monotonic_time() > watch->deadline) {
        __atomic_store_n(&watch->expired, 1, __ATOMIC_RELEASE);
        return 1;
    }
    return 0;
}

static inline void cvips_on_eval(VipsImage *image, VipsProgress *progress, void *data) {
    if (cvips_watch_check((cvips_watch *)data)) vips_image_set_kill(image, TRUE);
}

/// Evaluates `image` into memory that the result owns.
static inline VipsImage *cvips_copy_memory(VipsImage *image, cvips_watch *watch) {
    VipsImage *memory = vips_image_new_memory();
    gulong handler = 0;
    if (watch != NULL) {
        vips_image_set_progress(image, TRUE);
        handler = g_signal_connect(image, "eval", G_CALLBACK(cvips_on_eval), watch);
    }
    int failed = vips_image_write(image, memory);
    if (handler != 0) {
        g_signal_handler_disconnect(image, handler);
        vips_image_set_progress(image, FALSE);
    }
    if (failed) {
        g_object_unref(memory);
        return NULL;
    }
    // It inherits the place where progress is told, which is gone before it is.
    vips_image_set_progress(memory, FALSE);
    return memory;
}

// MARK: Loading, always from bytes and always by name of the loader

/// `unlimited` lifts libvips's limits on scans and on warnings.
static inline VipsImage *cvips_load_jpeg(const void *bytes, size_t count, int shrink, int fail_on, int unlimited) {
    VipsImage *out = NULL;
    vips_jpegload_buffer((void *)bytes, count, &out, "shrink", shrink, "fail_on", fail_on, "unlimited", unlimited,
                         "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    return out;
}

static inline VipsImage *cvips_load_png(const void *bytes, size_t count, int fail_on) {
    VipsImage *out = NULL;
    vips_pngload_buffer((void *)bytes, count, &out, "fail_on", fail_on, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    return out;
}

static inline VipsImage *cvips_load_gif(const void *bytes, size_t count, int fail_on) {
    VipsImage *out = NULL;
    vips_gifload_buffer((void *)bytes, count, &out, "n", 1, "fail_on", fail_on, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    return out;
}

static inline VipsImage *cvips_load_webp(const void *bytes, size_t count, double scale, int fail_on) {
    VipsImage *out = NULL;
    vips_webpload_buffer((void *)bytes, count, &out, "scale", scale, "n", 1, "fail_on", fail_on, "access",
                         VIPS_ACCESS_SEQUENTIAL, NULL);
    return out;
}

static inline VipsImage *cvips_load_heif(const void *bytes, size_t count, int page, int fail_on) {
    VipsImage *out = NULL;
    vips_heifload_buffer((void *)bytes, count, &out, "page", page, "n", 1, "fail_on", fail_on, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    return out;
}

static inline VipsImage *cvips_load_heif_thumbnail(const void *bytes, size_t count, int page) {
    VipsImage *out = NULL;
    vips_heifload_buffer((void *)bytes, count, &out, "page", page, "n", 1, "thumbnail", TRUE, NULL);
    return out;
}

static inline VipsImage *cvips_load_tiff(const void *bytes, size_t count, int fail_on) {
    VipsImage *out = NULL;
    vips_tiffload_buffer((void *)bytes, count, &out, "n", 1, "fail_on", fail_on, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    return out;
}

static inline VipsImage *cvips_load_jp2(const void *bytes, size_t count, int page, int fail_on) {
    VipsImage *out = NULL;
    vips_jp2kload_buffer((void *)bytes, count, &out, "page", page, "fail_on", fail_on, NULL);
    return out;
}

static inline VipsImage *cvips_load_jxl(const void *bytes, size_t count, int fail_on) {
    VipsImage *out = NULL;
    vips_jxlload_buffer((void *)bytes, count, &out, "fail_on", fail_on, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    return out;
}

static inline VipsImage *cvips_load_svg(const void *bytes, size_t count, double scale, int fail_on) {
    VipsImage *out = NULL;
    vips_svgload_buffer((void *)bytes, count, &out, "scale", scale, "fail_on", fail_on, NULL);
    return out;
}

static inline VipsImage *cvips_from_pixels(const void *bytes, size_t count, int width, int height, int bands) {
    VipsImage *image = vips_image_new_from_memory(bytes, count, width, height, bands, VIPS_FORMAT_UCHAR);
    if (image != NULL) image->Type = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
    return image;
}

/// The same with pixels of its own.
static inline VipsImage *cvips_from_pixels_copied(const void *bytes, size_t count, int width, int height, int bands) {
    VipsImage *image = vips_image_new_from_memory_copy(bytes, count, width, height, bands, VIPS_FORMAT_UCHAR);
    if (image != NULL) image->Type = bands < 3 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
    return image;
}

// MARK: Reading a header

static inline int cvips_get_int(VipsImage *image, const char *name, int absent) {
    int value = absent;
    if (vips_image_get_typeof(image, name) == 0 || vips_image_get_int(image, name, &value) != 0) return absent;
    return value;
}

static inline const void *cvips_get_blob(VipsImage *image, const char *name, size_t *count) {
    const void *bytes = NULL;
    *count = 0;
    if (vips_image_get_typeof(image, name) == 0 || vips_image_get_blob(image, name, &bytes, count) != 0) return NULL;
    return bytes;
}

static inline void cvips_set_profile(VipsImage *image, const void *bytes, size_t count) {
    vips_image_set_blob_copy(image, VIPS_META_ICC_NAME, bytes, count);
}

// MARK: Operations

static inline VipsImage *cvips_extract_area(VipsImage *in, int left, int top, int width, int height) {
    VipsImage *out = NULL;
    vips_extract_area(in, &out, left, top, width, height, NULL);
    return out;
}

static inline VipsImage *cvips_join_bands(VipsImage *in, VipsImage *more) {
    VipsImage *out = NULL;
    vips_bandjoin2(in, more, &out, NULL);
    return out;
}

/// `in` with an alpha band that is opaque in the area alone. The area must lie inside it.
static inline VipsImage *cvips_opaque_in(VipsImage *in, int left, int top, int width, int height) {
    VipsImage *steps[3] = {NULL, NULL, NULL}, *out = NULL;
    if (vips_black(&steps[0], width, height, NULL) == 0 &&
        vips_linear1(steps[0], &steps[1], 1, 255, "uchar", TRUE, NULL) == 0 &&
        vips_embed(steps[1], &steps[2], left, top, in->Xsize, in->Ysize, NULL) == 0)
        vips_bandjoin2(in, steps[2], &out, NULL);
    for (int step = 0; step < 3; step++)
        if (steps[step] != NULL) g_object_unref(steps[step]);
    return out;
}

static inline VipsImage *cvips_scaled_by(VipsImage *in, double factor) {
    VipsImage *out = NULL;
    vips_linear1(in, &out, factor, 0, NULL);
    return out;
}

static inline VipsImage *cvips_extract_bands(VipsImage *in, int first, int count) {
    VipsImage *out = NULL;
    vips_extract_band(in, &out, first, "n", count, NULL);
    return out;
}

static inline VipsImage *cvips_resize(VipsImage *in, double horizontal, double vertical, VipsKernel kernel) {
    VipsImage *out = NULL;
    vips_resize(in, &out, horizontal, "vscale", vertical, "kernel", kernel, NULL);
    return out;
}

static inline VipsImage *cvips_shrink(VipsImage *in, int horizontal, int vertical) {
    VipsImage *out = NULL;
    vips_shrink(in, &out, horizontal, vertical, "ceil", TRUE, NULL);
    return out;
}

static inline VipsImage *cvips_rotate(VipsImage *in, VipsAngle angle) {
    VipsImage *out = NULL;
    vips_rot(in, &out, angle, NULL);
    return out;
}

static inline VipsImage *cvips_flip(VipsImage *in, VipsDirection direction) {
    VipsImage *out = NULL;
    vips_flip(in, &out, direction, NULL);
    return out;
}

static inline VipsImage *cvips_premultiply(VipsImage *in) {
    VipsImage *out = NULL;
    vips_premultiply(in, &out, NULL);
    return out;
}

static inline VipsImage *cvips_unpremultiply(VipsImage *in) {
    VipsImage *out = NULL;
    vips_unpremultiply(in, &out, NULL);
    return out;
}

/// A cast that rounds: libvips truncates floating point, which would darken by half a level.
static inline VipsImage *cvips_round_to(VipsImage *in, VipsBandFormat format) {
    VipsImage *rounded = NULL, *out = NULL;
    if (vips_band_format_isfloat(in->BandFmt)) {
        if (vips_rint(in, &rounded, NULL) != 0) return NULL;
    } else {
        rounded = in;
        g_object_ref(rounded);
    }
    vips_cast(rounded, &out, format, NULL);
    g_object_unref(rounded);
    return out;
}

static inline VipsImage *cvips_colourspace(VipsImage *in, VipsInterpretation space) {
    VipsImage *out = NULL;
    vips_colourspace(in, &out, space, NULL);
    return out;
}

/// Names how the numbers of `in` are to be read, without changing them.
static inline VipsImage *cvips_interpreted_as(VipsImage *in, VipsInterpretation space) {
    VipsImage *out = NULL;
    vips_copy(in, &out, "interpretation", space, NULL);
    return out;
}

/// `input` is a profile of libvips's own ("cmyk"), or NULL for the embedded one.
static inline VipsImage *cvips_icc_to_srgb(VipsImage *in, const char *input, VipsIntent intent) {
    VipsImage *out = NULL;
    if (input == NULL)
        vips_icc_transform(in, &out, "srgb", "embedded", TRUE, "intent", intent, "depth", 8, NULL);
    else
        vips_icc_transform(in, &out, "srgb", "embedded", FALSE, "input_profile", input, "intent", intent, "depth", 8, NULL);
    return out;
}

/// The offset of the most interesting `width` × `height` window.
static inline int cvips_smartcrop(VipsImage *in, int width, int height, VipsInteresting interest, int *left, int *top) {
    VipsImage *out = NULL;
    if (vips_smartcrop(in, &out, width, height, "interesting", interest, NULL) != 0) return -1;
    *left = -out->Xoffset;
    *top = -out->Yoffset;
    g_object_unref(out);
    return 0;
}

// MARK: Saving, always to memory; the caller frees the bytes with g_free

static inline int cvips_save_jpeg(VipsImage *in, int quality, void **bytes, size_t *count) {
    return vips_jpegsave_buffer(in, bytes, count, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
}

static inline int cvips_save_png(VipsImage *in, int compression, void **bytes, size_t *count) {
    return vips_pngsave_buffer(in, bytes, count, "compression", compression, "filter", VIPS_FOREIGN_PNG_FILTER_ALL,
                               "strip", TRUE, NULL);
}

static inline int cvips_save_webp(VipsImage *in, int quality, void **bytes, size_t *count) {
    return vips_webpsave_buffer(in, bytes, count, "Q", quality, "strip", TRUE, NULL);
}
