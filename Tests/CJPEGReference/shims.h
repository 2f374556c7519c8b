#pragma once

// libjpeg for tests and benchmarks: what JPEGPreview is compared with. Fixed entry points around its setjmp errors.

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf escape;
} cjpeg_errors;

static inline void cjpeg_fail(j_common_ptr info) { longjmp(((cjpeg_errors *)info->err)->escape, 1); }
static inline void cjpeg_be_quiet(j_common_ptr info, int level) {
    if (level < 0) info->err->num_warnings++;
}

static inline void cjpeg_set_errors(cjpeg_errors *errors, j_common_ptr info) {
    info->err = jpeg_std_error(&errors->base);
    errors->base.error_exit = cjpeg_fail;
    errors->base.emit_message = cjpeg_be_quiet;
}

/// One component's DC coefficients.
typedef struct {
    int columns, rows, quantizer;
    int16_t *values;
} cjpeg_plane;

typedef struct {
    int width, height, components, warnings;
    cjpeg_plane planes[4];
} cjpeg_planes;

static inline void cjpeg_free_planes(cjpeg_planes *planes) {
    for (int i = 0; i < 4; i++) free(planes->planes[i].values);
    memset(planes, 0, sizeof *planes);
}

/// Reads all coefficients and keeps DC. Returns 0, or -1 where libjpeg gives up.
static inline int cjpeg_read_dc(const void *bytes, size_t count, cjpeg_planes *out) {
    struct jpeg_decompress_struct info;
    cjpeg_errors errors;
    memset(out, 0, sizeof *out);
    cjpeg_set_errors(&errors, (j_common_ptr)&info);
    if (setjmp(errors.escape)) {
        jpeg_destroy_decompress(&info);
        cjpeg_free_planes(out);
        return -1;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, (const unsigned char *)bytes, count);
    jpeg_read_header(&info, TRUE);
    jvirt_barray_ptr *arrays = jpeg_read_coefficients(&info);
    out->width = (int)info.image_width;
    out->height = (int)info.image_height;
    out->components = info.num_components;
    for (int c = 0; c < info.num_components && c < 4; c++) {
        jpeg_component_info *component = &info.comp_info[c];
        cjpeg_plane *plane = &out->planes[c];
        plane->columns = (int)component->width_in_blocks;
        plane->rows = (int)component->height_in_blocks;
        plane->quantizer = component->quant_table ? component->quant_table->quantval[0] : 0;
        plane->values = (int16_t *)malloc(sizeof(int16_t) * (size_t)plane->columns * (size_t)plane->rows);
        for (int y = 0; y < plane->rows; y++) {
            JBLOCKARRAY row = info.mem->access_virt_barray((j_common_ptr)&info, arrays[c], (JDIMENSION)y, 1, FALSE);
            for (int x = 0; x < plane->columns; x++) plane->values[y * plane->columns + x] = row[0][x][0];
        }
    }
    jpeg_finish_decompress(&info);
    out->warnings = (int)info.err->num_warnings;
    jpeg_destroy_decompress(&info);
    return 0;
}

/// Decodes at 1 / `denominator` in libjpeg's default colour space; `*pixels` is to be freed. Returns 0 or -1.
static inline int cjpeg_decode(const void *bytes, size_t count, int denominator, uint8_t **pixels, int *width,
                               int *height, int *channels) {
    struct jpeg_decompress_struct info;
    cjpeg_errors errors;
    *pixels = NULL;
    cjpeg_set_errors(&errors, (j_common_ptr)&info);
    if (setjmp(errors.escape)) {
        jpeg_destroy_decompress(&info);
        free(*pixels);
        *pixels = NULL;
        return -1;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, (const unsigned char *)bytes, count);
    jpeg_read_header(&info, TRUE);
    info.scale_num = 1;
    info.scale_denom = (unsigned)denominator;
    jpeg_start_decompress(&info);
    *width = (int)info.output_width;
    *height = (int)info.output_height;
    *channels = info.output_components;
    size_t stride = (size_t)*width * (size_t)*channels;
    *pixels = (uint8_t *)malloc(stride * (size_t)*height);
    while (info.output_scanline < info.output_height) {
        JSAMPROW row = *pixels + stride * info.output_scanline;
        jpeg_read_scanlines(&info, &row, 1);
    }
    jpeg_finish_decompress(&info);
    jpeg_destroy_decompress(&info);
    return 0;
}

/// How to write a JPEG.
typedef struct {
    int width, height;
    int components;          // 1, 3 or 4
    int across[4], down[4];  // sampling factors
    int color_space;         // a J_COLOR_SPACE, of the samples given and of the file
    int quality;
    int restart_interval;    // in units
    int is_progressive;
    int has_optimal_tables;
    int is_split;            // a scan a component; in a progressive file, of DC, of AC and of each bit of DC left out
    int left_out;            // bits of DC that its first scan leaves out, at most 5
} cjpeg_format;

/// Encodes samples that are already in the file's colour space. `*out` is to be freed. Returns 0 or -1.
static inline int cjpeg_encode(const uint8_t *samples, const cjpeg_format *format, uint8_t **out, unsigned long *count) {
    struct jpeg_compress_struct info;
    cjpeg_errors errors;
    jpeg_scan_info scans[28];
    *out = NULL;
    *count = 0;
    cjpeg_set_errors(&errors, (j_common_ptr)&info);
    if (setjmp(errors.escape)) {
        jpeg_destroy_compress(&info);
        free(*out);
        *out = NULL;
        return -1;
    }
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, out, count);
    info.image_width = (JDIMENSION)format->width;
    info.image_height = (JDIMENSION)format->height;
    info.input_components = format->components;
    info.in_color_space = (J_COLOR_SPACE)format->color_space;
    jpeg_set_defaults(&info);
    jpeg_set_colorspace(&info, (J_COLOR_SPACE)format->color_space);
    jpeg_set_quality(&info, format->quality, TRUE);
    for (int i = 0; i < format->components; i++) {
        info.comp_info[i].h_samp_factor = format->across[i];
        info.comp_info[i].v_samp_factor = format->down[i];
    }
    info.restart_interval = (unsigned)format->restart_interval;
    info.optimize_coding = format->has_optimal_tables;
    if (format->is_progressive) jpeg_simple_progression(&info);
    if (format->is_split) {
        memset(scans, 0, sizeof scans);
        for (int i = 0; i < format->components; i++) {
            scans[i].comps_in_scan = 1;
            scans[i].component_index[0] = i;
            scans[i].Se = 63;
        }
        info.scan_info = scans;
        info.num_scans = format->components;
        for (int i = 0; format->is_progressive && i < format->components; i++) {
            scans[format->components + i] = scans[i];
            scans[format->components + i].Ss = 1;
            scans[i].Se = 0;
            scans[i].Al = format->left_out;
            info.num_scans++;
            for (int bit = format->left_out; bit > 0; bit--) {
                jpeg_scan_info *refining = &scans[(2 + format->left_out - bit) * format->components + i];
                *refining = scans[i];
                refining->Ah = bit;
                refining->Al = bit - 1;
                info.num_scans++;
            }
        }
    }
    jpeg_start_compress(&info, TRUE);
    size_t stride = (size_t)format->width * (size_t)format->components;
    while (info.next_scanline < info.image_height) {
        JSAMPROW row = (JSAMPROW)(samples + stride * info.next_scanline);
        jpeg_write_scanlines(&info, &row, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return 0;
}
