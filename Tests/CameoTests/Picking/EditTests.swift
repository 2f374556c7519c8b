import Foundation
import Testing

@testable import Cameo

/// What an editing step does to pixels.
@Suite struct EditTests {
    /// Every pixel another colour, so that each shows where it came from.
    let picture = Pictures.painted(PixelSize(width: 24, height: 16)) { x, y in [UInt8(x * 10), UInt8(y * 15), 77] }

    /// `edit` of `pixels`, pixel by pixel as one reads its definition: cut, turn clockwise, mirror.
    private func edited(_ pixels: PixelBuffer, _ edit: Edit) -> PixelBuffer {
        var result = Pictures.painted(edit.crop.size) { x, y in pixels[edit.crop.x + x, edit.crop.y + y] }
        for _ in 0..<edit.quarterTurns {
            let before = result
            result = Pictures.painted(before.size.transposed) { x, y in before[y, before.size.height - 1 - x] }
        }
        guard edit.isMirrored else { return result }
        let before = result
        return Pictures.painted(before.size) { x, y in before[before.size.width - 1 - x, y] }
    }

    private static let turns = (0..<4).flatMap { [($0, false), ($0, true)] }

    @Test("An edit is cut, then turned clockwise, then mirrored, to the pixel", arguments: turns)
    func pixels(quarterTurns: Int, isMirrored: Bool) throws {
        let source = try Pictures.source(picture, .png)
        for crop in [PixelRect(picture.size), PixelRect(x: 3, y: 5, width: 12, height: 7)] {
            let edit = Edit(crop: crop, quarterTurns: quarterTurns, isMirrored: isMirrored)
            let result = try Renderer().render(source, [edit.applied(to: Rendition(size: PixelSize(square: 64)))])
            #expect(result.images[0].pixels == edited(picture, edit))
            #expect(result.images[0].pixels.size == edit.size)
            #expect(result.images[0].crop == crop)
        }
    }

    @Test("A turned rendition has the size asked for, and is the turned rendition of the transposed size")
    func sizes() throws {
        let source = ImageSource.file(Corpus.sample("Portraits/Mei.jpg"))
        let crop = PixelRect(x: 100, y: 50, width: 600, height: 400)
        for (quarterTurns, isMirrored) in Self.turns {
            let edit = Edit(crop: crop, quarterTurns: quarterTurns, isMirrored: isMirrored)
            for mode in [Rendition.Mode.fit, .fill] {
                let size = PixelSize(width: 90, height: 60)
                var plain = Rendition(size: edit.turn.upright(size), mode: mode)
                let turned = edit.applied(to: plain)
                plain.size = size
                plain.focus = .rectangle(crop)
                let result = try Renderer().render(source, [turned, plain])
                #expect(result.images[0].pixels.size == turned.size)
                let whole = Edit(
                    crop: PixelRect(size), quarterTurns: quarterTurns, isMirrored: isMirrored)
                #expect(result.images[0].pixels == edited(result.images[1].pixels, whole))
            }
        }
    }

    @Test("A fill takes its aspect from the turned part")
    func fill() throws {
        let source = try Pictures.source(picture, .png)
        let edit = Edit(crop: PixelRect(x: 0, y: 0, width: 24, height: 8), quarterTurns: 1)
        let rendition = edit.applied(to: Rendition(size: PixelSize(width: 4, height: 6), mode: .fill))
        let image = try Renderer().render(source, [rendition]).images[0]
        #expect(image.pixels.size == PixelSize(width: 4, height: 6))
        #expect(image.crop == PixelRect(x: 6, y: 0, width: 12, height: 8))
    }

    @Test("The JSON of a rendition that turns nothing is what it was before there were turns")
    func coding() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var rendition = Rendition(size: PixelSize(square: 9))
        let text = String(decoding: try encoder.encode(rendition), as: UTF8.self)
        let before =
            #"{"encoding":{"quality":80},"enlarges":false,"focus":{"centre":{}},"mode":"fit","#
            + #""shape":"rectangle","size":{"height":9,"width":9}}"#
        #expect(text == before)
        rendition.turn = .left
        let data = try encoder.encode(rendition)
        #expect(String(decoding: data, as: UTF8.self).contains(#""turn":8"#))
        #expect(try JSONDecoder().decode(Rendition.self, from: data) == rendition)
        rendition.turn = .up
        #expect(try JSONDecoder().decode(Rendition.self, from: Data(before.utf8)) == rendition)
    }

    @Test("An edit reads what it writes, and any number of turns counts modulo 4")
    func edits() throws {
        let edit = Edit(crop: PixelRect(x: 1, y: 2, width: 3, height: 4), quarterTurns: -1, isMirrored: true)
        #expect(edit.quarterTurns == 3)
        #expect(try JSONDecoder().decode(Edit.self, from: JSONEncoder().encode(edit)) == edit)
        let odd = #"{"crop":{"x":1,"y":2,"width":3,"height":4},"quarterTurns":7,"mirrored":true}"#
        #expect(try JSONDecoder().decode(Edit.self, from: Data(odd.utf8)) == edit)
    }
}
