import Glibc

/// How much memory this process can hope for.
package enum SystemMemory {
    /// Bytes of the machine's memory, or what the control group allows where that is less.
    package static let available: Int = {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        return available(
            installed: pages > 0 && pageSize > 0 ? pages * pageSize : nil, allowed: ControlGroup.own.memoryLimit)
    }()

    /// What can be hoped for of `installed` bytes, of which the control group allows `allowed`; nil where either is not
    /// known or there is no limit. A machine that will not say is taken for a small one.
    static func available(installed: Int?, allowed: Int?) -> Int {
        let installed = installed ?? 1 << 30
        return min(installed, allowed ?? installed)
    }
}
