"""Progressive JPEGs of camera size, made of a sample photo by the libvips that the command itself runs on."""
import ctypes
import ctypes.util

_vips = ctypes.CDLL(ctypes.util.find_library("vips") or "libvips.so.42")
_vips.vips_init(b"tests")


def _check(status):
    if status != 0:
        _vips.vips_error_buffer.restype = ctypes.c_char_p
        raise RuntimeError(_vips.vips_error_buffer().decode())


def camera(photo, width=4032, height=3024, quality=92, interlace=True, suffix="jpeg"):
    """The bytes of `photo` enlarged to so many pixels, with grain as a sensor's."""
    number = ctypes.c_int
    enlarged = ctypes.c_void_p()
    _check(_vips.vips_thumbnail(
        str(photo).encode(), ctypes.byref(enlarged), number(width), b"height", number(height), b"crop", number(1), None))
    grain = ctypes.c_void_p()
    _check(_vips.vips_gaussnoise(
        ctypes.byref(grain), number(width), number(height), b"mean", ctypes.c_double(0), b"sigma", ctypes.c_double(8),
        b"seed", number(1),
        None))
    noisy, pixels = ctypes.c_void_p(), ctypes.c_void_p()
    _check(_vips.vips_add(enlarged, grain, ctypes.byref(noisy), None))
    _check(_vips.vips_cast(noisy, ctypes.byref(pixels), number(0), None))
    data, size = ctypes.c_void_p(), ctypes.c_size_t()
    options = [b"interlace", number(interlace)] + ([b"Q", number(quality)] if suffix == "jpeg" else [])
    _check(getattr(_vips, f"vips_{suffix}save_buffer")(
        pixels, ctypes.byref(data), ctypes.byref(size), *options, None))
    made = ctypes.string_at(data, size.value)
    for image in (enlarged, grain, noisy, pixels):
        _vips.g_object_unref(image)
    _vips.g_free(data)
    return made
