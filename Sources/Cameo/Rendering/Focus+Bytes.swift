extension ByteWriter {
    mutating func write(_ focus: Focus) {
        switch focus {
        case .centre: write(0)
        case .upper: write(1)
        case .top: write(2)
        case .attention: write(3)
        case .entropy: write(4)
        case .point(let x, let y): [5, x, y].forEach { write($0) }
        case .rectangle(let area): ([6] + area.components).forEach { write($0) }
        case .faces(let fallback, let framing):
            write(7)
            write(fallback.rawValue)
            write(framing.rawValue)
        }
    }
}

extension ByteReader {
    mutating func focus() throws(Malformed) -> Focus {
        switch try number() {
        case 0: .centre
        case 1: .upper
        case 2: .top
        case 3: .attention
        case 4: .entropy
        case 5: .point(x: try number(), y: try number())
        case 6: .rectangle(try area())
        case 7: .faces(fallback: try choice(Focus.Fallback.self), framing: try choice(Focus.Framing.self))
        default: throw Malformed()
        }
    }

    mutating func area() throws(Malformed) -> PixelRect {
        PixelRect(x: try number(), y: try number(), width: try number(), height: try number())
    }
}
