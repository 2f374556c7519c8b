/// How much memory decoding may take on this machine.
package enum MemoryBudget {
    /// 512 MiB, or a quarter of what the control group allows where that is less.
    package static let standard: Int = {
        let usual = 512 << 20
        guard let limit = ControlGroup.own.memoryLimit else { return usual }
        return min(usual, limit / 4)
    }()
}
