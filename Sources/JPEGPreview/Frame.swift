/// What a frame header declares (ITU-T T.81, B.2.2).
struct Frame {
    struct Component {
        let identifier: UInt8
        /// Sampling factors, 1 to 4.
        let across: Int
        let down: Int
        let quantizationTable: Int
        /// The blocks that hold picture.
        var columns = 0
        var rows = 0
    }

    let isProgressive: Bool
    let width: Int
    private(set) var height: Int
    private(set) var components: [Component]

    var maximumAcross: Int { components.reduce(1) { max($0, $1.across) } }
    var maximumDown: Int { components.reduce(1) { max($0, $1.down) } }
    /// Minimum coded units of an interleaved scan.
    var unitColumns: Int { (width + 8 * maximumAcross - 1) / (8 * maximumAcross) }
    var unitRows: Int { (height + 8 * maximumDown - 1) / (8 * maximumDown) }

    /// All blocks of all components, those that only fill up the last units included.
    var blocks: Int { components.reduce(0) { $0 + $1.across * $1.down } * unitColumns * unitRows }

    /// Reads the payload of a start-of-frame segment with the second marker byte `marker`.
    init(marker: UInt8, _ payload: Span<UInt8>) throws(JPEGPreviewError) {
        switch marker {
        case 0xC0, 0xC1, 0xC2: break
        case 0xC3: throw .declined(.lossless)
        case 0xC5, 0xC6, 0xC7: throw .declined(.hierarchical)
        default: throw .declined(.arithmeticCoding)
        }
        guard payload.count >= 6 else { throw .corrupt("the frame header is cut short") }
        guard payload[0] == 8 else { throw .declined(.precision(Int(payload[0]))) }
        isProgressive = marker == 0xC2
        height = Int(payload[1]) << 8 | Int(payload[2])
        width = Int(payload[3]) << 8 | Int(payload[4])
        guard width > 0 else { throw .corrupt("the frame has no width") }
        let count = Int(payload[5])
        guard count == 1 || count == 3 || count == 4 else { throw .declined(.components(count)) }
        guard payload.count == 6 + 3 * count else { throw .corrupt("the frame header has a wrong length") }
        components = []
        for index in 0..<count {
            let (identifier, sampling) = (payload[6 + 3 * index], payload[7 + 3 * index])
            let (across, down) = (Int(sampling >> 4), Int(sampling & 15))
            guard (1...4).contains(across), (1...4).contains(down) else {
                throw .corrupt("a sampling factor lies outside 1 to 4")
            }
            guard !components.contains(where: { $0.identifier == identifier }) else {
                throw .corrupt("two components have one name")
            }
            components.append(
                Component(
                    identifier: identifier, across: across, down: down,
                    quantizationTable: Int(payload[8 + 3 * index])))
        }
        if height > 0 { countBlocks() }
    }

    /// Sets the height that a DNL segment tells (B.2.5).
    mutating func setHeight(_ height: Int) {
        self.height = height
        countBlocks()
    }

    private mutating func countBlocks() {
        let (horizontal, vertical) = (8 * maximumAcross, 8 * maximumDown)
        for index in components.indices {
            components[index].columns = (width * components[index].across + horizontal - 1) / horizontal
            components[index].rows = (height * components[index].down + vertical - 1) / vertical
        }
    }
}
