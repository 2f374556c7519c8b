import FoundationEssentials

extension ByteWriter {
    /// What is rare, as JSON.
    ///
    /// - Parameter value: One that JSON can hold.
    mutating func write(json value: some Encodable) {
        write((try? JSONEncoder().encode(value)).map { Array($0) } ?? [])
    }
}

extension ByteReader {
    /// What `write(json:)` wrote.
    mutating func json<Value: Decodable>(_ type: Value.Type) throws(Malformed) -> Value {
        guard let value = try? JSONDecoder().decode(type, from: Data(try blob())) else { throw Malformed() }
        return value
    }

    /// A range.
    mutating func range() throws(Malformed) -> Range<Int> {
        let (lower, upper) = (try number(), try number())
        guard lower <= upper else { throw Malformed() }
        return lower..<upper
    }

    /// Faces that can be reckoned with; nil where none are told.
    mutating func faces() throws(Malformed) -> [DetectedFace]? {
        try optional { reader throws(Malformed) in try reader.knownFaces() }
    }

    /// Faces that can be reckoned with.
    mutating func knownFaces() throws(Malformed) -> [DetectedFace] {
        let faces = try json([DetectedFace].self)
        guard faces.count <= FaceSearch.limit, faces.allSatisfy(\.isPlausible) else { throw Malformed() }
        return faces
    }
}
