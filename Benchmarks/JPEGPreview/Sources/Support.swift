import Glibc
import JPEGPreview
import JPEGReference

/// Milliseconds that this thread has computed.
func milliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}

/// The file's bytes; none where it cannot be read.
func contents(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: max(0, size)) { buffer, count in
        count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? 0 : (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
}

func rounded(_ value: Double, _ digits: Int = 3) -> Double {
    let factor = pow(10, Double(digits))
    return (value * factor).rounded() / factor
}

/// Whether our coefficients are libjpeg's, but for the low bits that no scan told that was read.
func agrees(_ ours: DCDecoder, _ theirs: Reference.Coefficients) -> Bool {
    guard ours.width == theirs.width, ours.height == theirs.height, ours.planes.count == theirs.planes.count else {
        return false
    }
    return zip(ours.planes, theirs.planes).allSatisfy { plane, wanted in
        guard plane.columns == wanted.columns, plane.rows == wanted.rows else { return false }
        let mask = ~(Int16(truncatingIfNeeded: 1 << plane.missingBits) &- 1)
        return (0..<plane.rows).allSatisfy { row in
            (0..<plane.columns).allSatisfy { plane[$0, row] == wanted.values[row * plane.columns + $0] & mask }
        }
    }
}
