import CVips

/// A source that has been read and looked at: its format, its header and what decoding it will cost.
///
/// It holds the file, or what is needed of it, until it is released.
public struct OpenedImage: Sendable {
    /// What messages call the source.
    public let name: String
    /// What the header tells.
    public let header: ImageHeader
    /// Whether all of the source is known. Of a sparse one only what needs no more can be made; of a file, the rest is
    /// read when it is wanted.
    public var isComplete: Bool { bytes.hole.isEmpty }
    /// The file's stamp when it was opened; nil for bytes in memory.
    public var stamp: ContentStamp? { bytes.stamp }

    let bytes: SourceBytes
    /// The embedded profile, if it is whole and fits the pixels. A copy: in libvips 8.14.1 the one of a HEIF does not
    /// outlive its loader.
    let profile: [UInt8]?
    /// Whether there is a profile that is broken or does not fit.
    let hasUnfitProfile: Bool
    /// How the numbers are to be read where they are of high dynamic range.
    let transfer: HDRTransfer?
    /// What the loader's size is multiplied by to give the picture's: 1 but for an SVG in physical units.
    let loadScale: Double
    /// Which picture of a HEIF collection is the primary one; 0 elsewhere.
    let page: Int

    /// Reads and looks at `source`. No pixel is decoded.
    ///
    /// - Throws: `RenderError`; `incomplete` where not even the header of a sparse source can be read.
    public init(_ source: ImageSource, options: RenderOptions = RenderOptions()) throws(RenderError) {
        try self.init(source, for: [], options: options)
    }

    /// The same, of a file no more than `renditions` take, where they are known. It may be asked for others all the same.
    init(_ source: ImageSource, for renditions: [Rendition], options: RenderOptions) throws(RenderError) {
        let name = source.name
        let demand = Self.demand(renditions, options)
        try self.init(
            SourceBytes(source, limit: options.limits.bytes, demand: demand) { head throws(RenderError) in
                _ = try Self.format(of: head, options, name: name, mayBeCompressed: true)
            }, name: name, options: options)
    }

    /// The same of a file that is open.
    init(
        _ file: Int32, name: String, hole: Range<Int>? = nil, for renditions: [Rendition], options: RenderOptions
    ) throws(RenderError) {
        let demand = Self.demand(renditions, options)
        try self.init(
            SourceBytes(file, name: name, limit: options.limits.bytes, hole: hole, demand: demand) {
                head throws(RenderError) in
                _ = try Self.format(of: head, options, name: name, mayBeCompressed: true)
            }, name: name, options: options)
    }

    /// The same picture with all of its file read, where parts of it were; nil where there is no more to be had.
    func whole(_ options: RenderOptions) throws(RenderError) -> OpenedImage? {
        guard let bytes = try bytes.whole(name: name, limit: options.limits.bytes) else { return nil }
        return try OpenedImage(bytes, name: name, options: options)
    }

    private static func demand(_ renditions: [Rendition], _ options: RenderOptions) -> SourceBytes.Demand? {
        // Where faces lie, more pixels may be wanted of them than the picture seems to need.
        guard !renditions.isEmpty, !renditions.contains(where: \.searchesFaces) else { return nil }
        return { head, count in
            // Of other formats, nothing is copied to be told so.
            guard head.withSpan({ ImageFormat.sniff($0) }) == .known(.jpeg) else { return .whole }
            return SourceDemand.renditions(renditions, Array(head), count: count, options: options)
        }
    }

    private init(_ read: SourceBytes, name: String, options: RenderOptions) throws(RenderError) {
        guard Vips.isStarted else { throw .environment(reason: "libvips did not start: \(Vips.takeErrorText())") }
        Vips.release(options.formats)
        var bytes = read
        try Self.requireHeader(of: bytes, name: name)
        if bytes.buffer.withSpan({ $0.matches([0x1F, 0x8B]) }) { bytes = try Self.inflated(bytes, name: name) }
        let format = try Self.format(of: bytes.buffer, options, name: name, mayBeCompressed: false)
        if format == .heif || format == .avif {
            let corrections = bytes.buffer.withSpan { HEIFProperties.corrections($0) }
            if !corrections.isEmpty { bytes = try SourceBytes(bytes, corrected: corrections) }
        }
        let structure = format == .jpeg ? bytes.buffer.withSpan { JPEGStructure($0) } : nil
        if let structure, structure.scans > JPEGStructure.scanLimit {
            throw .tooLarge(source: name, reason: "more than \(JPEGStructure.scanLimit) scans")
        }
        // libjpeg takes no notice of it.
        if let correction = structure?.correction { bytes = try SourceBytes(bytes, corrected: [correction]) }
        self.name = name
        self.bytes = bytes
        if let size = structure?.size ?? bytes.buffer.withSpan({ format.declaredSize($0) }) {
            try Self.require(size, within: options.limits, name: name)
        }
        if let name = bytes.buffer.withSpan({ UnsupportedCoding.misreadName($0, format) }) {
            throw .unsupported(source: self.name, format: name)
        }
        loadScale = format == .svg ? bytes.buffer.withSpan { SVGUnits.scale($0) } : 1
        var raster = try Self.load(bytes, LoadRequest(format: format, tolerance: .all), name)
        page = raster.integer("heif-primary")
        if page > 0 { raster = try Self.load(bytes, LoadRequest(format: format, page: page, tolerance: .all), name) }
        let size = raster.size.scaled(by: loadScale)
        try Self.require(size, within: options.limits, name: name)

        let space = raster.colorSpace.profileSpace
        profile = raster.withBlob(VIPS_META_ICC_NAME) { data in
            ICCProfile(data)?.colorSpace == space ? data.indices.map { data[$0] } : nil
        }
        hasUnfitProfile = profile == nil && vips_image_get_typeof(raster.image, VIPS_META_ICC_NAME) != 0
        let isHEIF = format == .heif || format == .avif
        transfer = isHEIF && profile == nil ? bytes.buffer.withSpan { HEIFProperties.transfer($0) } : nil
        header = Self.header(raster, size, format, structure, bytes)
    }

    private static func load(_ bytes: SourceBytes, _ request: LoadRequest, _ name: String) throws(RenderError) -> Raster
    {
        do throws(VipsFailure) {
            return try Raster.load(bytes, request)
        } catch {
            // More of it may tell otherwise.
            guard bytes.hole.isEmpty else { throw .incomplete(source: name) }
            throw Self.failure(bytes, request.format, name: name, detail: error.text)
        }
    }

    /// Throws where the header of a sparse source reaches into what is not known of it.
    private static func requireHeader(of bytes: SourceBytes, name: String) throws(RenderError) {
        guard !bytes.hole.isEmpty else { return }
        let head = UnsafeRawBufferPointer(rebasing: bytes.buffer[..<bytes.hole.lowerBound])
        guard case .enough = SourceDemand.header(head, count: bytes.buffer.count) else {
            throw .incomplete(source: name)
        }
    }

    /// What to say of a file that would not decode.
    static func failure(_ bytes: SourceBytes, _ format: ImageFormat, name: String, detail: String) -> RenderError {
        if let coding = bytes.buffer.withSpan({ UnsupportedCoding.name($0, format) }) {
            return .unsupported(source: name, format: coding)
        }
        return .corrupt(source: name, detail: detail)
    }

    /// Throws what can be told of a source by its first bytes.
    static func check(head: UnsafeRawBufferPointer, _ options: RenderOptions, name: String) throws(RenderError) {
        let format = try format(of: head, options, name: name, mayBeCompressed: true)
        let size = head.withSpan { format == .jpeg ? JPEGStructure($0).size : format.declaredSize($0) }
        if let size { try require(size, within: options.limits, name: name) }
    }

    private static func format(
        of head: UnsafeRawBufferPointer, _ options: RenderOptions, name: String, mayBeCompressed: Bool
    ) throws(RenderError) -> ImageFormat {
        switch head.withSpan({ ImageFormat.sniff($0) }) {
        case .known(let format):
            guard options.formats.contains(format) else { throw .unsupported(source: name, format: format.title) }
            return format
        case .foreign(let what):
            if mayBeCompressed, options.formats.contains(.svg), head.withSpan({ $0.matches([0x1F, 0x8B]) }) {
                return .svg
            }
            throw .unsupported(source: name, format: what)
        case .unknown:
            throw .notAnImage(source: name)
        }
    }

    /// A compressed SVG, inflated here and not by the SVG loader, which never returns from a stream that ends early.
    private static func inflated(_ bytes: SourceBytes, name: String) throws(RenderError) -> SourceBytes {
        let limit = 64 << 20
        var (out, count): (UnsafeMutableRawPointer?, Int) = (nil, 0)
        let status = cvips_gunzip(bytes.buffer.baseAddress, bytes.buffer.count, limit, &out, &count)
        defer { g_free(out) }
        switch status {
        case 0: break
        case -2: throw .tooLarge(source: name, reason: "more than \(limit) bytes when decompressed")
        default: throw .corrupt(source: name, detail: "the gzip stream is broken or ends early")
        }
        let text = UnsafeRawBufferPointer(start: out, count: count)
        guard text.withSpan({ ImageFormat.sniff($0) }) == .known(.svg) else {
            throw .unsupported(source: name, format: "gzip data")
        }
        return try SourceBytes(.bytes(Array(text), name: name), limit: limit) { _ in }
    }

    private static func require(_ size: PixelSize, within limits: Limits, name: String) throws(RenderError) {
        if max(size.width, size.height) > limits.edge {
            throw .tooLarge(source: name, reason: "\(size) pixels, the limit is \(limits.edge) an edge")
        }
        if size.area > limits.pixels {
            throw .tooLarge(source: name, reason: "\(size) pixels, the limit is \(limits.pixels) in all")
        }
    }

    private static func header(
        _ raster: Raster, _ size: PixelSize, _ format: ImageFormat, _ structure: JPEGStructure?, _ bytes: SourceBytes
    ) -> ImageHeader {
        func read(_ data: Span<UInt8>) -> (ExifReader, PixelSize?) {
            let exif = ExifReader(data)
            return (exif, exif.preview.flatMap { JPEGStructure(data.extracting($0)).size })
        }
        let (exif, previewSize) =
            format == .tiff ? bytes.buffer.withSpan(read) : raster.withBlob(VIPS_META_EXIF_NAME, read)
        let profile = raster.withBlob(VIPS_META_ICC_NAME) { ICCProfile($0) }
        let orientation: Orientation =
            switch format {
            // Their decoders turn them already.
            case .heif, .avif, .jxl: .up
            // libtiff finds the tag in a BigTIFF too.
            case .tiff: Orientation(tag: raster.integer(VIPS_META_ORIENTATION, absent: 1))
            default: exif.orientation
            }
        return ImageHeader(
            format: format, storedSize: size,
            orientation: orientation,
            hasAlpha: raster.hasAlpha, bitsPerChannel: raster.bitsPerChannel, colorSpace: raster.colorSpace.rawValue,
            profile: profile.map { $0.name ?? "" }, frames: max(1, raster.integer("n-pages", absent: 1)),
            isProgressive: structure?.isProgressive
                ?? (format != .png && format != .tiff || raster.integer("interlaced") != 0),
            date: exif.date, place: exif.place, previewSize: previewSize)
    }
}

extension OpenedImage {
    /// An estimate of the memory, in bytes, that making `renditions` takes: the decode, the reduced picture that is
    /// held, and all results. `Int.max` where it is more than that.
    public func cost(of renditions: [Rendition]) -> Int { header.cost(of: renditions, bytes: bytes.buffer.count) }

    /// An estimate of the memory that decoding takes, in bytes, above the pixels of the results.
    public var decodeCost: Int { header.decodeCost(bytes: bytes.buffer.count) }
}
