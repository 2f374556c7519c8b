#pragma once

// Text as an image, and what Pango knows of the fonts for it.

#include <pango/pangocairo.h>
#include <vips/vips.h>

/// White text on black, one band, in a box of the given size; `markup` is Pango markup.
static inline VipsImage *cvips_text(const char *markup, const char *font, int width, int height) {
    VipsImage *out = NULL;
    if (height > 0)
        vips_text(&out, markup, "font", font, "width", width, "height", height, NULL);
    else
        vips_text(&out, markup, "font", font, NULL);
    return out;
}

/// How many characters of `text` no installed font can draw; -1 when that cannot be told.
static inline int cvips_uncovered_characters(const char *text, const char *font) {
    PangoFontMap *map = pango_cairo_font_map_new();
    if (map == NULL) return -1;
    PangoContext *context = pango_font_map_create_context(map);
    PangoLayout *layout = pango_layout_new(context);
    PangoFontDescription *description = pango_font_description_from_string(font);
    pango_layout_set_font_description(layout, description);
    pango_layout_set_text(layout, text, -1);
    int missing = pango_layout_get_unknown_glyphs_count(layout);
    pango_font_description_free(description);
    g_object_unref(layout);
    g_object_unref(context);
    g_object_unref(map);
    return missing;
}
