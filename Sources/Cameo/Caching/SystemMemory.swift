import Glibc

/// How much memory this process can hope for.
package enum SystemMemory {
    /// Bytes of the machine's memory, or what the control group allows where that is less.
    package static let available: Int = {
        let pages = sysconf(Int32(_SC_PHYS_PAGES))
        let pageSize = sysconf(Int32(_SC_PAGESIZE))
        // A machine that will not say is taken for a small one.
        let installed = pages > 0 && pageSize > 0 ? pages * pageSize : 1 << 30
        return min(installed, ControlGroup.own.memoryLimit ?? installed)
    }()
}
