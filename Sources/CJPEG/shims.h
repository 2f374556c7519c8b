#pragma once

// libjpeg reports errors by not returning, which Swift cannot have: these do, and are for JPEGs of our own making.

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>
#include <jpeglib.h>

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf out;
} cjpeg_errors;

static inline void cjpeg_leave(j_common_ptr info) { longjmp(((cjpeg_errors *)info->err)->out, 1); }
static inline void cjpeg_say_nothing(j_common_ptr info) {}

/// Finds the size of a JPEG by its frame header, without setting a decoder up; 0 where it has three components.
static inline int cjpeg_size(const unsigned char *bytes, size_t count, int *width, int *height) {
    size_t place = 2;
    while (place + 10 <= count && bytes[place] == 0xFF) {
        unsigned marker = bytes[place + 1];
        if (marker >= 0xC0 && marker <= 0xC2) {
            *height = bytes[place + 5] << 8 | bytes[place + 6];
            *width = bytes[place + 7] << 8 | bytes[place + 8];
            return bytes[place + 9] == 3 && *width > 0 && *height > 0 ? 0 : -1;
        }
        place += 2 + (bytes[place + 2] << 8 | bytes[place + 3]);
    }
    return -1;
}

/// Decodes a JPEG into `pixels`, which holds `width` × `height` of them, three bytes each; 0 where nothing was wrong.
static inline int cjpeg_decode(const unsigned char *bytes, size_t count, unsigned char *pixels, int width, int height) {
    struct jpeg_decompress_struct info;
    cjpeg_errors errors;
    info.err = jpeg_std_error(&errors.base);
    errors.base.error_exit = cjpeg_leave;
    errors.base.output_message = cjpeg_say_nothing;
    if (setjmp(errors.out)) {
        jpeg_destroy_decompress(&info);
        return -1;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, (unsigned char *)bytes, count);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_RGB;
    jpeg_start_decompress(&info);
    int status = (int)info.output_width == width && (int)info.output_height == height ? 0 : -1;
    while (status == 0 && info.output_scanline < info.output_height) {
        JSAMPROW row = pixels + (size_t)info.output_scanline * (size_t)width * 3;
        jpeg_read_scanlines(&info, &row, 1);
    }
    if (status == 0) jpeg_finish_decompress(&info);
    if (errors.base.num_warnings > 0) status = -1;
    jpeg_destroy_decompress(&info);
    return status;
}
