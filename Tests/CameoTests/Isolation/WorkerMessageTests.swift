import Testing

@testable import Cameo

/// What a host and its workers write to each other; the host believes none of it.
struct WorkerMessageTests {
    private static func bytes(_ message: some WorkerMessage) -> [UInt8] {
        var writer = ByteWriter()
        message.write(to: &writer)
        return writer.bytes
    }

    private static func reply(_ bytes: [UInt8]) -> WorkerReply? {
        var reader = ByteReader(bytes)
        return try? WorkerReply(from: &reader)
    }

    private static let header = ImageHeader(
        format: .jpeg, storedSize: PixelSize(width: 4032, height: 3024), orientation: .leftMirrored, hasAlpha: false,
        bitsPerChannel: 8, colorSpace: "RGB", profile: "Display P3 – ü", frames: 1, isProgressive: true,
        date: CaptureDate(civilSeconds: -86_399, nanosecond: 999_999_999, offsetMinutes: -570),
        place: Place(latitude: -33.8568, longitude: 151.2153), previewSize: PixelSize(width: 160, height: 120))

    @Test("Headers of real photos arrive as they were sent, and so does one that has everything")
    func headers() throws {
        var headers = [Self.header]
        for name in [
            "Portraits/Amara.jpg", "Stickers and Screens/Paper boat.png", "Stickers and Screens/Moon phases.gif",
        ] {
            headers.append(try OpenedImage(.file(Corpus.sample(name))).header)
        }
        for header in headers {
            guard case .opened(let got, cost: 7)? = Self.reply(Self.bytes(WorkerReply.opened(header, cost: 7))) else {
                Issue.record("not read")
                return
            }
            #expect(got == header)
        }
    }

    @Test("Every focus, warning and face of a picture arrives as it was sent")
    func images() throws {
        let area = PixelRect(x: -1, y: 2, width: 3, height: 4)
        let focuses: [Focus] = [
            .centre, .upper, .top, .attention, .entropy, .point(x: -5, y: .max), .rectangle(area),
            .faces(fallback: .upper, framing: .picture),
        ]
        let sent = focuses.map { WorkerReply.Image(size: PixelSize(square: 9), channels: 4, crop: area, focus: $0) }
        let face = DetectedFace(x: 0.25, y: 0.5, width: 0.125, height: 0.1, confidence: 0.75)
        let bytes = Self.bytes(
            WorkerReply.images(sent, warnings: RenderWarning.allCases, hash: [1, 2, 255], faces: [face]))
        guard case .images(let got, let warnings, let hash, let faces)? = Self.reply(bytes) else {
            Issue.record("not read")
            return
        }
        #expect(got.map(\.focus) == focuses && got.allSatisfy { $0.crop == area && $0.size.width == 9 })
        #expect(warnings == RenderWarning.allCases && hash == [1, 2, 255] && faces == [face])
    }

    private static let face = DetectedFace(x: 0.25, y: 0.5, width: 0.125, height: 0.1, confidence: 0.75)

    /// One of each kind, with all that each can have in it.
    private static let replies: [WorkerReply] = {
        let size = PixelSize(width: 40, height: 30)
        let images = [Focus.faces(), .rectangle(PixelRect(size)), .point(x: 3, y: 4)].map {
            WorkerReply.Image(size: size, channels: 3, crop: PixelRect(size), focus: $0)
        }
        return [
            .ready(missing: ["seccomp is not to be had", ""], detector: "dlib 1"), .opened(header, cost: 1),
            .digest(String(repeating: "a", count: 64)), .faces([face, face]),
            .images(images, warnings: RenderWarning.allCases, hash: Array(0...24), faces: [face]), .nothing,
            .failed(.corrupt(source: "a.jpg", detail: "bad")), .elsewhere(at: 4800, count: 300),
        ]
    }()

    /// Whether a host could reckon with what `reply` says.
    private static func isSound(_ reply: WorkerReply) -> Bool {
        switch reply {
        case .opened(let header, let cost):
            header.storedSize.width > 0 && header.storedSize.height > 0 && (0...1 << 40).contains(cost)
                && (-899...899).contains(header.date?.offsetMinutes ?? 0)
        case .faces(let faces): faces.count <= 256 && faces.allSatisfy(\.isPlausible)
        case .images(let images, _, _, let faces):
            // A picture whose size nobody asked for has no count of bytes.
            images.allSatisfy { $0.size.width > 0 && $0.size.height > 0 && $0.count ?? 1 > 0 }
                && (faces ?? []).allSatisfy(\.isPlausible)
        case .elsewhere(let place, let count): place >= 0 && count >= 0
        case .ready, .digest, .nothing, .failed: true
        }
    }

    @Test(
        "A message that is cut anywhere is none, and one with bytes changed is none or a sound one, never a crash",
        arguments: replies.indices)
    func malformed(kind: Int) {
        let whole = Self.bytes(Self.replies[kind])
        #expect(Self.reply(whole) != nil)
        for count in 0..<whole.count { #expect(Self.reply(Array(whole.prefix(count))) == nil, "\(count)") }
        var random = Seeded(23 + kind)
        var sound = 0
        for place in whole.indices {
            for round in 0..<20 {
                var changed = whole
                changed[place] = UInt8.random(in: 0...255, using: &random)
                // Numbers are eight bytes: most of what is absurd takes two of them.
                if round > 9 { changed[Int.random(in: whole.indices, using: &random)] ^= 0xFF }
                guard let reply = Self.reply(changed) else { continue }
                #expect(Self.isSound(reply), "\(place)")
                sound += 1
            }
        }
        // Of nothing but a kind, every change makes another kind or none.
        #expect(sound > 0 || whole.count == 8)
    }

    @Test("No cost is believed that no picture can have, no offset that no clock has, and no face that lies nowhere")
    func numbers() throws {
        #expect(Self.reply(Self.bytes(WorkerReply.opened(Self.header, cost: .max))) == nil)
        #expect(Self.reply(Self.bytes(WorkerReply.opened(Self.header, cost: -1))) == nil)
        for offset in [900, -900, Int.min] {
            let date = CaptureDate(civilSeconds: 0, offsetMinutes: offset)
            let header = ImageHeader(
                format: .jpeg, storedSize: PixelSize(square: 8), orientation: .up, hasAlpha: false, bitsPerChannel: 8,
                colorSpace: "RGB", profile: nil, frames: 1, isProgressive: false, date: date, place: nil,
                previewSize: nil)
            #expect(Self.reply(Self.bytes(WorkerReply.opened(header, cost: 1))) == nil, "\(offset)")
        }
        for x in [1e300, -1e9] {
            let face = DetectedFace(x: x, y: 0, width: 0.1, height: 0.1, confidence: 1)
            #expect(
                Self.reply(Self.bytes(WorkerReply.images([], warnings: [], hash: [], faces: [face]))) == nil, "\(x)")
        }
    }

    @Test(
        "A size that is none is not believed",
        arguments: [PixelSize(width: 0, height: 1), PixelSize(width: 1, height: -1), PixelSize(square: 1 << 40)])
    func sizes(size: PixelSize) {
        let image = WorkerReply.Image(size: size, channels: 3, crop: PixelRect(size), focus: .centre)
        #expect(Self.reply(Self.bytes(WorkerReply.images([image], warnings: [], hash: [], faces: nil))) == nil)
    }
}
