import Foundation
import Testing

@testable import Cameo

struct PlaceholderTests {
    @Test(
        "Initials are the first letters of the first and last word, of any script",
        arguments: [
            ("Ada Lovelace", "AL"), ("madonna", "M"), ("Jean-Luc van der Berg", "JB"), ("  élodie  Ünal ", "ÉÜ"),
            ("ß", "S"),
            ("Иван Петров", "ИП"), ("محمد علي", "مع"), ("דוד כהן", "דכ"), ("山田太郎", "山"), ("नेहा शर्मा", "नेश"),
            ("3 Musketeers", "3M"),
            ("e\u{301}lan vital", "E\u{301}V"),
        ])
    func initials(name: String, expected: String) {
        #expect(Placeholder.initials(of: name) == expected)
    }

    @Test("A name without letters has none", arguments: ["", "   ", "!?", "🙂🙃"])
    func noInitials(name: String) {
        #expect(Placeholder.initials(of: name) == nil)
        #expect(Placeholder(name: name).initials == nil)
    }

    @Test("A name in a script that no installed font covers gets the silhouette, not boxes")
    func uncovered() {
        // Private-use characters, which no font may cover, taken for letters by nobody but this test's fonts; and
        // cuneiform, a script with letters that ordinary fonts do not have.
        #expect(Placeholder(name: "\u{12000}\u{12001}").initials == nil)
        #expect(Placeholder(name: "Ada Lovelace").initials == "AL")
    }

    @Test("The colour depends on the name alone, not on its case or Unicode form")
    func stableColor() {
        #expect(Placeholder(name: "Élodie").color == Placeholder(name: "E\u{301}LODIE").color)
        // FNV-1a of "a" is af63dc4c8601ec8c (the algorithm's published test vectors); modulo 12 it is entry 0.
        #expect(Placeholder(name: "a").color == Placeholder.palette[Int(0xAF63_DC4C_8601_EC8C % UInt64(12))])
        let colors = Set((0..<200).map { Placeholder(name: "Person \($0)").color })
        #expect(colors.count == Placeholder.palette.count)
    }

    @Test("White text stands out from every colour by 4.5 to 1", arguments: Placeholder.palette)
    func contrast(color: RGBColor) {
        // WCAG 2.2's relative luminance.
        let channels = [color.red, color.green, color.blue].map { value in
            let share = Double(value) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        let luminance = 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
        #expect(1.05 / (luminance + 0.05) >= 4.5)
    }

    @Test(
        "A placeholder has the size and shape asked for, its letters in the middle",
        arguments: ["Ada Lovelace", "WW", "i", "?"])
    func drawn(name: String) throws {
        let placeholder = Placeholder(name: name)
        let pixels = try placeholder.render(.profilePicture(120)).pixels
        #expect(pixels.size == PixelSize(square: 120) && pixels.channels == 4)
        #expect(pixels[0, 0][3] == 0)
        let background = [placeholder.color.red, placeholder.color.green, placeholder.color.blue, 255]
        #expect(pixels[60, 6] == background)
        // Ink: what differs from the background inside the circle.
        var (left, right) = (120, 0)
        for y in 10..<110 {
            for x in 20..<100 where pixels[x, y][3] == 255 && pixels[x, y] != background {
                (left, right) = (min(left, x), max(right, x))
            }
        }
        #expect(left < right && abs(left + right - 119) <= 3, "\(left) to \(right)")
    }
}
