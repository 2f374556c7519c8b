// The detector, compiled once for each engine. Whoever includes this names the engine by ENGINE and has given dlib's
// namespace a name of the engine's own.

#include <dlib/image_processing/object_detector.h>
#include <dlib/image_processing/scan_fhog_pyramid.h>

namespace {

using Detector = dlib::object_detector<dlib::scan_fhog_pyramid<dlib::pyramid_down<6>>>;
using Doubling = dlib::pyramid_down<2>;

void *create(const std::string &model) {
    std::unique_ptr<Detector> detector(new Detector);
    std::istringstream stream(model);
    dlib::deserialize(*detector, stream);
    return detector.release();
}

void *copy(const void *detector) { return new Detector(*static_cast<const Detector *>(detector)); }

void destroy(void *detector) { delete static_cast<Detector *>(detector); }

int search(void *detector, const uint8_t *pixels, int width, int height, double threshold, cface_box *boxes,
           int capacity) {
    dlib::array2d<unsigned char> picture(height, width);
    for (int y = 0; y < height; y++) std::memcpy(&picture[y][0], pixels + (size_t)y * width, width);
    // The smallest face that the model knows is 80 pixels wide.
    Doubling doubling;
    dlib::pyramid_up(picture, doubling);
    std::vector<dlib::rect_detection> found;
    (*static_cast<Detector *>(detector))(picture, found, threshold);
    int count = 0;
    for (const auto &face : found) {
        if (count == capacity) break;
        const auto box = doubling.rect_down(dlib::drectangle(face.rect));
        boxes[count++] = {box.left(), box.top(), box.width(), box.height(), face.detection_confidence};
    }
    return count;
}

}  // namespace

extern const Engine ENGINE = {create, copy, destroy, search};
