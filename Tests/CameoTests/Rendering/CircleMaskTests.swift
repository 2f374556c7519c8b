import Foundation
import Testing

@testable import Cameo

struct CircleMaskTests {
    /// The share of 16 × 16 points of a pixel that lie in the circle.
    private static func sampled(_ x: Int, _ y: Int, _ size: PixelSize) -> Double {
        let (centreX, centreY) = (Double(size.width) / 2, Double(size.height) / 2)
        let radius = Double(min(size.width, size.height)) / 2
        let points = (0..<256).filter { point in
            let across = Double(x) + (Double(point % 16) + 0.5) / 16 - centreX
            let down = Double(y) + (Double(point / 16) + 0.5) / 16 - centreY
            return (across * across + down * down).squareRoot() < radius
        }
        return Double(points.count) / 256
    }

    /// The exact area of a pixel inside the circle, by the integral of the circle's height over each of its halves.
    private static func exact(_ x: Int, _ y: Int, _ side: Int) -> Double {
        let radius = Double(side) / 2
        func corner(_ x: Double, _ y: Double) -> Double {
            let (right, height) = (min(abs(x), radius), min(abs(y), radius))
            let sign = (x < 0) == (y < 0) ? 1.0 : -1.0
            let turn = (radius * radius - height * height).squareRoot()
            func under(_ t: Double) -> Double {
                (t * max(0, radius * radius - t * t).squareRoot() + radius * radius * asin(min(1, t / radius))) / 2
            }
            return sign * (right <= turn ? right * height : turn * height + under(right) - under(turn))
        }
        let (left, top) = (Double(x) - radius, Double(y) - radius)
        return corner(left + 1, top + 1) - corner(left, top + 1) - corner(left + 1, top) + corner(left, top)
    }

    @Test(
        "Each pixel's alpha is the circle's true coverage",
        arguments: Array(16...65) + [100, 128, 255, 400, 1023, 1024])
    func coverage(side: Int) {
        let size = PixelSize(square: side)
        let mask = CircleMask(in: size)
        var (worst, farthest, sum) = (0.0, 0.0, 0.0)
        // The quadrants are each other's mirror images, so one is enough, with the row and column beyond its middle.
        for y in 0...side / 2 {
            for x in 0...side / 2 {
                let coverage = mask.coverage(x, y)
                #expect(coverage == mask.coverage(side - 1 - x, y) && coverage == mask.coverage(x, side - 1 - y))
                if coverage > 0, coverage < 1 { worst = max(worst, abs(coverage - Self.sampled(x, y, size))) }
                farthest = max(farthest, abs(coverage - Self.exact(x, y, side)))
                if x < side / 2, y < side / 2 { sum += coverage - Self.exact(x, y, side) }
            }
        }
        #expect(worst * 255 <= 2, "\(worst * 255) of 255 off the samples")
        // Half a sample's row is what a grid of 16 may miss along an edge that runs with it.
        #expect(farthest * 255 <= 255.0 / 32, "\(farthest * 255) of 255 off the exact area")
        #expect(abs(sum) < 1)
    }

    @Test("A circle has no fringe: what is visible has the picture's own colour", arguments: [33, 64, 200])
    func noFringe(side: Int) throws {
        let color = RGBColor(200, 150, 100)
        let picture = PixelBuffer(size: PixelSize(square: 300), filledWith: color)
        let image = try Renderer().render(Pictures.source(picture, .png), [.profilePicture(side)]).images[0].pixels
        #expect(image.channels == 4)
        #expect(image[0, 0][3] == 0 && image[side / 2, side / 2][3] == 255)
        for pixel in 0..<image.size.area where image.bytes[pixel * 4 + 3] > 0 {
            #expect(Array(image.bytes[pixel * 4..<pixel * 4 + 3]) == [200, 150, 100])
        }
    }

    @Test("A ring lies inside the edge, in its own colour, and the picture within it")
    func ring() throws {
        let picture = PixelBuffer(size: PixelSize(square: 300), filledWith: RGBColor(10, 20, 30))
        var rendition = Rendition.profilePicture(100)
        rendition.ring = Rendition.Ring(width: 6, color: RGBColor(250, 200, 0))
        let image = try Renderer().render(Pictures.source(picture, .png), [rendition]).images[0].pixels
        #expect(image[2, 50] == [250, 200, 0, 255] && image[97, 50] == [250, 200, 0, 255])
        #expect(image[7, 50] == [10, 20, 30, 255])
        rendition.shape = .rectangle
        let square = try Renderer().render(Pictures.source(picture, .png), [rendition]).images[0].pixels
        #expect(square[0, 0] == [250, 200, 0] && square[5, 50] == [250, 200, 0] && square[6, 50] == [10, 20, 30])
    }

    @Test("A ring over transparency keeps its own colour, without a fringe of what is hidden there")
    func ringOverTransparency() throws {
        let clear = Pictures.painted(PixelSize(square: 120), channels: 4) { _, _ in [0, 0, 0, 0] }
        var rendition = Rendition.profilePicture(90)
        rendition.ring = Rendition.Ring(width: 4.5, color: .white)
        let image = try Renderer().render(Pictures.source(clear, .png), [rendition]).images[0].pixels
        let visible = (0..<image.size.area).filter { image.bytes[$0 * 4 + 3] > 0 }
        #expect(visible.count > 500)
        for pixel in visible { #expect(Array(image.bytes[pixel * 4..<pixel * 4 + 3]) == [255, 255, 255]) }
    }

    @Test("A circle into JPEG on a background has that background in its corners, never black")
    func background() throws {
        let picture = PixelBuffer(size: PixelSize(square: 300), filledWith: RGBColor(10, 20, 30))
        var rendition = Rendition.profilePicture(100)
        rendition.background = RGBColor(250, 240, 230)
        rendition.encoding = Encoding(.jpeg)
        let image = try Renderer().render(Pictures.source(picture, .png), [rendition]).images[0]
        #expect(image.pixels[0, 0] == [250, 240, 230] && image.pixels[50, 50] == [10, 20, 30])
        #expect(try image.encoded().format == .jpeg)
    }
}
