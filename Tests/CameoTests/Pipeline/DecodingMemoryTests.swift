import Foundation
import Synchronization
import Testing

@testable import Cameo

struct DecodingMemoryTests {
    /// A progressive JPEG of one level of grey, by hand: all that is coded of a block is one bit, which says that it is
    /// like the block before it. A decoder has to hold all coefficients, two bytes a pixel.
    private static func progressive(_ size: PixelSize) -> [UInt8] {
        let tables: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
        let codes: [UInt8] = [0xFF, 0xC4, 0, 20, 0, 1] + [UInt8](repeating: 0, count: 15) + [0]
        let frame: [UInt8] =
            [0xFF, 0xC2, 0, 11, 8] + MadeUp.big(size.height, 2) + MadeUp.big(size.width, 2) + [1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0]
        let blocks = [UInt8](repeating: 0, count: size.area / 64 / 8)
        return [0xFF, 0xD8] + tables + codes + frame + scan + blocks + [0xFF, 0xD9]
    }

    @Test(
        "Several huge progressive JPEGs at once stay within the memory for decoding",
        .disabled(if: Patience.isSanitized, "a sanitizer's own memory counts"))
    func hugeProgressives() async {
        // In a process of its own, whose memory is all of this.
        await #expect(processExitsWith: .success) {
            let size = PixelSize(width: 8000, height: 6400)
            let budget = 320 << 20
            var configuration = ImagePipeline.Configuration()
            configuration.workers = 4
            configuration.decodingMemory = budget
            configuration.pressure = nil
            let pipeline = ImagePipeline(configuration)
            let rendition = Rendition.thumbnail(PixelSize(square: 2000))
            let levels = Mutex<[[UInt8]]>([])
            let bytes = Self.progressive(size)
            let submit = { (bytes: [UInt8], name: String) in
                pipeline.submit(
                    BatchRequest(.bytes(bytes, name: name), [rendition]) { outcome in
                        let pixels = try? outcome.get().result.images[0].pixels
                        levels.withLock {
                            $0.append(pixels.map { $0[0, 0] + $0[$0.size.width - 1, $0.size.height - 1] } ?? [])
                        }
                    })
            }
            // What is loaded and started once is not counted.
            submit(Self.progressive(PixelSize(width: 80, height: 64)), "warm")
            pipeline.waitUntilIdle()
            levels.withLock { $0 = [] }
            let before = try #require(Memory.peak())
            for number in 0..<6 { submit(bytes, "\(number)") }
            // Waiting here would hold one of the few threads that tasks share.
            await withCheckedContinuation { done in
                Thread.detachNewThread {
                    pipeline.waitUntilIdle()
                    done.resume()
                }
            }
            #expect(levels.withLock { $0 } == [[UInt8]](repeating: [UInt8](repeating: 128, count: 6), count: 6))
            // One is thought to take six bytes a pixel, so two are too much; they would hold two each at least.
            let most = try #require(Memory.peak()) - before
            #expect(most > 2 * size.area && most < 2 * 2 * size.area, "\(most >> 20) MiB")
        }
    }
}
