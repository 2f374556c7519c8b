/// What libFuzzer calls with each input: any bytes end in a picture or in an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    _ = DCExtent(bytes)
    if let decoder = try? DCDecoder(bytes, splitSize: 0) {
        // In one place at a time, the same.
        let single = try? DCDecoder(bytes, splitSize: .max)
        precondition(single?.findings == decoder.findings && single?.position == decoder.position)
        _ = decoder.isWhole(bytes)
        let picture = EighthPicture(decoder)
        precondition(picture.bytes.count == picture.width * picture.height * picture.samples.rawValue)
        let (width, height) = (decoder.width, decoder.height)
        if let part = QuarterPart(decoder, of: bytes, columns: width / 3..<width, rows: height / 4..<height) {
            precondition(part.bytes.count == part.width * part.height * part.samples.rawValue)
        }
    }
    return 0
}
