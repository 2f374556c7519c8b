import Glibc

/// Which network addresses a stranger's redirect may not lead to: this machine, its neighbours, and what is no host.
enum AddressRange {
    /// Whether the numeric address `text` is private, or none. IANA's registries of special-purpose addresses.
    static func isPrivate(_ text: String) -> Bool {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return isPrivate(v4: UInt32(bigEndian: v4.s_addr)) }
        var v6 = in6_addr()
        // A zone, as in fe80::1%eth0, makes it a neighbour's in any case.
        guard !text.contains("%"), inet_pton(AF_INET6, text, &v6) == 1 else { return true }
        return isPrivate(v6: withUnsafeBytes(of: &v6) { Array($0) })
    }

    /// Whether the address of a socket is private, or of another family than the internet's.
    static func isPrivate(_ address: UnsafePointer<sockaddr>) -> Bool {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                isPrivate(v4: UInt32(bigEndian: $0.pointee.sin_addr.s_addr))
            }
        case AF_INET6:
            address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                isPrivate(v6: withUnsafeBytes(of: address.pointee.sin6_addr) { Array($0) })
            }
        default: true
        }
    }

    private static func isPrivate(v4 address: UInt32) -> Bool {
        let ranges: [(UInt32, Int)] = [
            (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
            (0xAC10_0000, 12), (0xC000_0000, 24), (0xC0A8_0000, 16), (0xC612_0000, 15), (0xE000_0000, 3),
        ]
        return ranges.contains { address >> (32 - $0.1) == $0.0 >> (32 - $0.1) }
    }

    private static func isPrivate(v6 bytes: [UInt8]) -> Bool {
        func v4(_ start: Int) -> UInt32 { bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        // An IPv4 address in IPv6's clothes: mapped, translated by NAT64, or 6to4.
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF { return isPrivate(v4: v4(12)) }
        if bytes[..<12].elementsEqual([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) { return isPrivate(v4: v4(12)) }
        if bytes[0] == 0x20, bytes[1] == 0x02 { return isPrivate(v4: v4(2)) }
        // Of all others, only what is given out for the whole internet is public: 2000::/3.
        return bytes[0] & 0xE0 != 0x20
    }
}
