import JPEGPreview
import JPEGReference

/// Every size from 1 × 1 to 70 × 70, in the usual samplings, baseline and progressive, against libjpeg.
enum Sizes {
    static func run() -> Bool {
        let samplings: [(String, MadeJPEG.Color, [(across: Int, down: Int)])] = [
            ("4:4:4", .yCbCr, []), ("4:2:2", .yCbCr, [(2, 1)]), ("4:2:0", .yCbCr, [(2, 2)]),
            ("4:1:1", .yCbCr, [(4, 1)]), ("grey", .grey, []),
        ]
        var (files, wrong) = (0, 0)
        for (name, color, factors) in samplings {
            for width in 1...70 {
                for height in 1...70 {
                    for isProgressive in [false, true] {
                        var made = MadeJPEG(width: width, height: height)
                        (made.color, made.sampling, made.isProgressive) = (color, factors, isProgressive)
                        made.quality = 30 + (width * 7 + height) % 70
                        made.restartInterval = (width + height) % 4
                        guard let bytes = made.encoded(), let theirs = Reference.coefficients(bytes) else { continue }
                        files += 1
                        let ours = bytes.withUnsafeBytes { try? DCDecoder($0, splitSize: files & 1 == 0 ? 0 : 1 << 17) }
                        if ours.map({ agrees($0, theirs) && $0.findings.isEmpty }) != true {
                            wrong += 1
                            print("\(name), \(width) × \(height), progressive \(isProgressive): different")
                        }
                    }
                }
            }
        }
        print("\(files) files, \(wrong) different")
        return wrong == 0 && files == 5 * 70 * 70 * 2
    }
}
