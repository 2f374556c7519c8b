extension ByteWriter {
    mutating func write(_ header: ImageHeader) {
        write(header.format.rawValue)
        write(header.storedSize)
        write(header.orientation.rawValue)
        write(header.hasAlpha)
        write(header.bitsPerChannel)
        write(header.colorSpace)
        write(header.profile) { $0.write($1) }
        write(header.frames)
        write(header.isProgressive)
        write(header.date) { writer, date in
            writer.write(Int(date.civilSeconds))
            writer.write(date.nanosecond)
            writer.write(date.offsetMinutes) { $0.write($1) }
        }
        write(header.place) { writer, place in
            writer.write(Int(Int64(bitPattern: place.latitude.bitPattern)))
            writer.write(Int(Int64(bitPattern: place.longitude.bitPattern)))
        }
        write(header.previewSize) { $0.write($1) }
    }

    mutating func write(_ size: PixelSize) {
        write(size.width)
        write(size.height)
    }
}

extension ByteReader {
    /// A header that a worker wrote: every value is one that a header can have.
    mutating func header() throws(Malformed) -> ImageHeader {
        let format = try choice(ImageFormat.self)
        let size = try size()
        guard let orientation = Orientation(rawValue: try number()) else { throw Malformed() }
        return ImageHeader(
            format: format, storedSize: size, orientation: orientation, hasAlpha: try isTrue(),
            bitsPerChannel: try count(upTo: 64), colorSpace: try text(),
            profile: try optional { reader throws(Malformed) in try reader.text() },
            frames: try count(upTo: Int(Int32.max)), isProgressive: try isTrue(),
            date: try optional { reader throws(Malformed) in try reader.date() },
            place: try optional { reader throws(Malformed) in try reader.place() },
            previewSize: try optional { reader throws(Malformed) in try reader.size() })
    }

    /// A size of something: neither side is empty.
    mutating func size() throws(Malformed) -> PixelSize {
        let size = PixelSize(width: try count(upTo: Int(Int32.max)), height: try count(upTo: Int(Int32.max)))
        guard size.width > 0, size.height > 0 else { throw Malformed() }
        return size
    }

    private mutating func date() throws(Malformed) -> CaptureDate {
        CaptureDate(
            civilSeconds: Int64(try number()), nanosecond: try count(upTo: 999_999_999),
            offsetMinutes: try optional { reader throws(Malformed) in try reader.offset() })
    }

    /// Minutes east of Greenwich; EXIF has two digits for each of hours and minutes, and up to 14 hours are read.
    private mutating func offset() throws(Malformed) -> Int {
        let minutes = try number()
        guard (-899...899).contains(minutes) else { throw Malformed() }
        return minutes
    }

    private mutating func place() throws(Malformed) -> Place {
        let (latitude, longitude) = (UInt64(bitPattern: Int64(try number())), UInt64(bitPattern: Int64(try number())))
        guard let place = Place(latitude: Double(bitPattern: latitude), longitude: Double(bitPattern: longitude)) else {
            throw Malformed()
        }
        return place
    }
}
