import Testing

@testable import Cameo

struct GeometryTests {
    @Test("Every small picture and box give a plan inside the picture, of the exact size, never enlarged")
    func exhaustivePlans() throws {
        let focuses: [Focus] = [.centre, .upper, .top, .point(x: 0, y: 0), .attention]
        for (width, height) in Self.pairs(1...9) {
            let upright = PixelSize(width: width, height: height)
            for (across, down) in Self.pairs(1...7) {
                let box = PixelSize(width: across, height: down)
                let fit = try CropPlan(Rendition(size: box), upright: upright, source: "")
                #expect(fit.output.width >= 1 && fit.output.height >= 1)
                #expect(fit.output.width <= min(width, across) && fit.output.height <= min(height, down))
                #expect(fit.crop == PixelRect(upright))
                // One side fills the box unless the picture is smaller.
                #expect(fit.output.width == across || fit.output.height == down || fit.output == upright)
                for focus in focuses {
                    let plan = try CropPlan(
                        Rendition(size: box, mode: .fill, focus: focus), upright: upright, source: "")
                    #expect(plan.output.width <= across && plan.output.height <= down)
                    #expect(plan.output.width <= max(1, width) && plan.output.height <= max(1, height))
                    if across == down { #expect(plan.cropSize.width == plan.cropSize.height) }
                    if across == down { #expect(plan.output.width == plan.output.height) }
                    if width >= across, height >= down, plan.warning == nil { #expect(plan.output == box) }
                    if let crop = plan.crop { #expect(crop.lies(inside: upright)) }
                    let grown = Rendition(size: box, mode: .fill, focus: focus, enlarges: true)
                    #expect(try CropPlan(grown, upright: upright, source: "").output == box)
                }
            }
        }
    }

    private static func pairs(_ range: ClosedRange<Int>) -> [(Int, Int)] {
        range.flatMap { a in range.map { (a, $0) } }
    }

    @Test("Pictures of one pixel's width keep at least that", arguments: [(1, 10_000), (10_000, 1), (1, 1), (3, 2000)])
    func thin(width: Int, height: Int) throws {
        let picture = PixelBuffer(size: PixelSize(width: width, height: height), filledWith: RGBColor(90, 120, 30))
        let renditions = [
            Rendition.thumbnail(PixelSize(square: 256)), Rendition.profilePicture(64, shape: .rectangle),
            Rendition(size: PixelSize(width: 30, height: 20), mode: .fill),
        ]
        let images = try Renderer().render(Pictures.source(picture, .png), renditions).images
        #expect(images[0].pixels.size == picture.size.fitted(into: PixelSize(square: 256), enlarging: false))
        #expect(images[1].pixels.size == PixelSize(square: 64))
        for image in images { #expect(Pictures.difference(Pictures.mean(image.pixels), [90, 120, 30]) < 1) }
    }

    @Test(
        "Rendered sizes are exact for odd and even combinations",
        arguments: [(301, 200), (300, 199), (257, 257), (512, 341)])
    func exactSizes(width: Int, height: Int) throws {
        let picture = Pictures.quarters(PixelSize(width: width, height: height))
        let renditions = (60...71).flatMap { side in
            [
                Rendition(size: PixelSize(width: side, height: side - 7), mode: .fill),
                Rendition(size: PixelSize(square: side), mode: .fill),
            ]
        }
        for (rendition, image) in zip(
            renditions, try Renderer().render(Pictures.source(picture, .jpeg), renditions).images)
        {
            #expect(image.pixels.size == rendition.size)
        }
    }

    @Test("A small source under fill is cropped to the aspect at its own size, and says so")
    func smallSource() throws {
        let picture = Pictures.quarters(PixelSize(width: 60, height: 40))
        let result = try Renderer().render(
            Pictures.source(picture, .png), [Rendition(size: PixelSize(square: 200), mode: .fill)])
        #expect(result.images[0].pixels.size == PixelSize(square: 40))
        #expect(result.images[0].crop == PixelRect(x: 10, y: 0, width: 40, height: 40))
        #expect(result.warnings == [.smaller])
    }

    @Test("A profile picture always has the size asked for, and says where it was enlarged")
    func profilePicture() throws {
        let picture = Pictures.quarters(PixelSize(width: 60, height: 40))
        let result = try Renderer().render(Pictures.source(picture, .png), [.profilePicture(200), .profilePicture(30)])
        #expect(result.images.map(\.pixels.size) == [PixelSize(square: 200), PixelSize(square: 30)])
        #expect(result.warnings == [.upscaled])
    }

    @Test("Upper focus leaves a fifth of the spare height above, and centres across")
    func upper() throws {
        let plan = try CropPlan(
            .profilePicture(100, focus: .upper), upright: PixelSize(width: 300, height: 800), source: "")
        #expect(plan.crop == PixelRect(x: 0, y: 100, width: 300, height: 300))
        let wide = try CropPlan(
            .profilePicture(100, focus: .upper), upright: PixelSize(width: 801, height: 300), source: "")
        #expect(wide.crop?.y == 0 && wide.crop?.width == 300)
        #expect([250, 251].contains(wide.crop?.x))
    }

    @Test("A focus point or rectangle given by the caller is always obeyed")
    func callerWins() throws {
        let upright = PixelSize(width: 1000, height: 500)
        let point = Rendition(size: PixelSize(square: 50), mode: .fill, focus: .point(x: 700, y: 100))
        #expect(
            try CropPlan(point, upright: upright, source: "").crop == PixelRect(x: 451, y: 0, width: 500, height: 500))
        let area = PixelRect(x: 20, y: 30, width: 101, height: 101)
        let rectangle = Rendition(size: PixelSize(square: 50), mode: .fill, focus: .rectangle(area))
        #expect(try CropPlan(rectangle, upright: upright, source: "").crop == area)
    }

    @Test("A focus outside the picture, a size of nothing and an absurd one are typed errors")
    func invalid() throws {
        let picture = try Pictures.source(Pictures.quarters(PixelSize(width: 60, height: 40)), .png)
        let bad = [
            Rendition(size: PixelSize(square: 0)), Rendition(size: PixelSize(width: 10, height: -4)),
            Rendition(size: PixelSize(width: 16_385, height: 10)),
            Rendition(size: PixelSize(square: 10), mode: .fill, focus: .point(x: 60, y: 0)),
            Rendition(
                size: PixelSize(square: 10), mode: .fill,
                focus: .rectangle(PixelRect(x: 50, y: 0, width: 20, height: 20))),
            Rendition(
                size: PixelSize(square: 10), mode: .fill, focus: .rectangle(PixelRect(x: 0, y: 0, width: 0, height: 5))),
            Rendition(size: PixelSize(square: 10), shape: .circle, encoding: Encoding(.jpeg)),
            Rendition(size: PixelSize(square: 10), encoding: Encoding(.jpeg, quality: 0)),
        ]
        for rendition in bad {
            let error = #expect(throws: RenderError.self) { try Renderer().render(picture, [rendition]) }
            #expect(error?.kind == "invalidRendition", "\(rendition)")
        }
    }

    @Test(
        "A crop that touches the edge leaves no hairline",
        arguments: [PixelRect(x: 201, y: 101, width: 100, height: 102), PixelRect(x: 0, y: 0, width: 7, height: 5)])
    func noHairline(crop: PixelRect) throws {
        let picture = PixelBuffer(size: PixelSize(width: 301, height: 203), filledWith: RGBColor(240, 230, 220))
        let rendition = Rendition(
            size: PixelSize(width: 23, height: 17), mode: .fill, focus: .rectangle(crop), enlarges: true)
        for format in [Encoding.Format.png, .jpeg] {
            let image = try Renderer().render(Pictures.source(picture, format), [rendition]).images[0]
            #expect(Pictures.difference(Pictures.mean(image.pixels), [240, 230, 220]) < 1.5)
            #expect((image.pixels.bytes.min() ?? 0) >= 218)
        }
    }

    @Test("Several sizes of one source come from one decode, each right")
    func oneDecode() throws {
        let picture = Pictures.quarters(PixelSize(width: 1200, height: 900))
        let renditions = [32, 100, 300].map { Rendition.thumbnail(PixelSize(square: $0)) }
        let images = try Renderer().render(Pictures.source(picture, .jpeg), renditions).images
        #expect(images.map(\.pixels.size.width) == [32, 100, 300])
        for image in images {
            for (index, part) in Pictures.quarters(of: image.pixels.size).enumerated() {
                let want = Pictures.quarterColor(right: index % 2 == 1, low: index > 1).map(Double.init)
                #expect(Pictures.difference(Pictures.mean(image.pixels, part), want) < 14)
            }
        }
    }
}
