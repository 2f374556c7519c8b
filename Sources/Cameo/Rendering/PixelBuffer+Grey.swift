extension PixelBuffer {
    /// Brightness by the weights of ITU-R BT.601. The pixels must be opaque.
    var grey: GreyPixels {
        var grey: [UInt8] = []
        grey.reserveCapacity(size.area)
        for start in Swift.stride(from: 0, to: bytes.count, by: channels) {
            let sum = 299 * Int(bytes[start]) + 587 * Int(bytes[start + 1]) + 114 * Int(bytes[start + 2])
            grey.append(UInt8((sum + 500) / 1000))
        }
        return GreyPixels(size: size, bytes: grey)
    }
}
