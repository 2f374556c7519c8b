#include <vips/vips.h>

// A cell's picture as most programs would make it: vips_thumbnail, cropped to a square, as 8-bit RGB in memory.
// Returns 0 and the pixels, which are freed with g_free, or -1.
static inline int plain_vips_cell(const char *path, int side, void **pixels, size_t *length, int *width, int *height) {
    VipsImage *small = NULL, *flat = NULL, *rgb = NULL;
    int status = -1;
    if (vips_thumbnail(path, &small, side, "height", side, "size", VIPS_SIZE_DOWN, "crop", VIPS_INTERESTING_CENTRE,
                       NULL))
        goto done;
    if (vips_image_hasalpha(small) ? vips_flatten(small, &flat, NULL) : vips_copy(small, &flat, NULL)) goto done;
    if (vips_colourspace(flat, &rgb, VIPS_INTERPRETATION_sRGB, NULL)) goto done;
    *pixels = vips_image_write_to_memory(rgb, length);
    *width = rgb->Xsize;
    *height = rgb->Ysize;
    status = *pixels ? 0 : -1;
done:
    if (small) g_object_unref(small);
    if (flat) g_object_unref(flat);
    if (rgb) g_object_unref(rgb);
    return status;
}
