/// What a scan header declares (ITU-T T.81, B.2.3).
struct Scan {
    struct Member {
        /// The component's place in the frame.
        let component: Int
        let dcTable: Int
        let acTable: Int
    }

    let members: [Member]
    /// The first and the last coefficient of the scan, in zigzag order.
    let first: Int
    let last: Int
    /// The bit position that it begins at, when it refines what an earlier one told; 0 when it is the first.
    let refines: Int
    /// How many low bits it leaves out.
    let shift: Int

    /// Whether the scan tells nothing of DC that the first one did not.
    var isPassedOver: Bool { first > 0 || refines > 0 }

    init(_ payload: Span<UInt8>, of frame: Frame) throws(JPEGPreviewError) {
        guard payload.count >= 1, (1...4).contains(payload[0]), payload.count == 4 + 2 * Int(payload[0]) else {
            throw .corrupt("a scan header has a wrong length")
        }
        let count = Int(payload[0])
        var members: [Member] = []
        for index in 0..<count {
            let (identifier, tables) = (payload[1 + 2 * index], payload[2 + 2 * index])
            guard let component = frame.components.firstIndex(where: { $0.identifier == identifier }),
                !members.contains(where: { $0.component == component })
            else { throw .corrupt("a scan names a component that the frame lacks") }
            guard tables >> 4 < 4, tables & 15 < 4 else { throw .corrupt("a scan names a table beyond the fourth") }
            members.append(Member(component: component, dcTable: Int(tables >> 4), acTable: Int(tables & 15)))
        }
        if count > 1 {
            let blocks = members.reduce(0) {
                $0 + frame.components[$1.component].across * frame.components[$1.component].down
            }
            guard blocks <= 10 else { throw .corrupt("a unit of more than ten blocks") }
        }
        self.members = members
        let (low, high, approximation) = (payload[1 + 2 * count], payload[2 + 2 * count], payload[3 + 2 * count])
        (first, last) = (Int(low), Int(high))
        (refines, shift) = (Int(approximation >> 4), Int(approximation & 15))
        if frame.isProgressive {
            let isSound = first == 0 ? last == 0 : first <= last && last < 64 && count == 1
            guard isSound, shift <= 13, refines == 0 || refines == shift + 1 else {
                throw .corrupt("a scan of impossible coefficients")
            }
        }
    }

    /// Whether a sequential scan says what it has to.
    var isPlain: Bool { first == 0 && last == 63 && refines == 0 && shift == 0 }
}
