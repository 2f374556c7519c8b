import CGlibc
import Glibc

/// What a worker gives up before it sees a byte of anybody's picture.
enum Sandbox {
    /// RLIMIT_CORE, which the importer leaves out.
    private static let coreSize = __rlimit_resource_t(4)

    /// Gives up everything, for good; says in words what this machine would not let it.
    ///
    /// Must be called when everything that decoding needs of the file system has been loaded. The filter holds for threads
    /// that are there already, Landlock's rules only for this one and those that it starts.
    static func enter() -> [String] {
        var missing: [String] = []
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        if setrlimit(coreSize, &none) != 0 { missing.append("core dumps cannot be switched off") }
        if cglibc_not_dumpable() != 0 { missing.append("other processes can read its memory") }
        if cglibc_no_new_privileges() != 0 { missing.append("no_new_privs is not to be had") }
        // Older kernels have no Landlock, and others have it switched off; the filter below keeps files out by itself.
        let problem = cglibc_forbid_files()
        if ![0, ENOSYS, EOPNOTSUPP].contains(problem) {
            missing.append("Landlock cannot be used: \(errorText(problem))")
        }
        let isFiltered = SystemCallFilter(process: UInt32(getpid()))?.program.withUnsafeBufferPointer {
            cglibc_install_filter($0.baseAddress, UInt16($0.count)) == 0
        }
        if isFiltered != true { missing.append("seccomp is not to be had") }
        return missing
    }
}
