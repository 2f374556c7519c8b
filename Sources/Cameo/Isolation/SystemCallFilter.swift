import CGlibc

/// The program by which the kernel judges every system call of a worker.
///
/// What is not listed fails with EPERM, as it does for somebody without rights, and decoders carry on or give up. The
/// list: reading, writing and closing what is open; memory that is not executable; threads of the process itself;
/// signals to itself; time and random numbers. No path is opened, no socket made, no process or program started.
/// `newfstatat` stays, since the C library asks it about open files: whether a path exists can be told by it.
struct SystemCallFilter {
    private(set) var program: [sock_filter] = []

    // Offsets into the kernel's seccomp_data: number, architecture, and the low halves of the arguments.
    private static let (number, architecture) = (UInt32(0), UInt32(4))
    private static func argument(_ index: UInt32) -> UInt32 { 16 + 8 * index }

    private static let (load, jumpEqual, jumpAnySet, answer) = (
        UInt16(BPF_LD | BPF_W | BPF_ABS), UInt16(BPF_JMP | BPF_JEQ | BPF_K), UInt16(BPF_JMP | BPF_JSET | BPF_K),
        UInt16(BPF_RET | BPF_K)
    )
    // SECCOMP_RET_ALLOW, _KILL_PROCESS and _ERRNO; CLONE_THREAD, PROT_EXEC and PR_SET_NAME: the importer, or the C
    // library for programs that are not GNU's, leaves them out.
    private static let (allow, kill, refuse) = (UInt32(0x7FFF_0000), UInt32(0x8000_0000), UInt32(0x0005_0000))
    private static let (threads, executable, setName) = (UInt32(0x0001_0000), UInt32(4), UInt32(15))

    /// The filter for a process of this number; nil on an architecture that is not known.
    init?(process: UInt32) {
        let known = cglibc_architecture()
        if known == 0 { return nil }
        add(Self.load, Self.architecture)
        add(Self.jumpEqual, known, whenTrue: 1)
        add(Self.answer, Self.kill)
        add(Self.load, Self.number)
        withUnsafeBytes(of: cglibc_harmless_calls) { bytes in
            for call in bytes.bindMemory(to: Int32.self) { permit(UInt32(call)) }
        }
        permit(cglibc_call_newfstatat.rawValue)
        permit(cglibc_call_mmap.rawValue, where: 2, .noneSet(Self.executable))
        permit(cglibc_call_mprotect.rawValue, where: 2, .noneSet(Self.executable))
        permit(cglibc_call_clone.rawValue, where: 0, .anySet(Self.threads))
        permit(cglibc_call_prctl.rawValue, where: 0, .equal(Self.setName))
        permit(cglibc_call_tgkill.rawValue, where: 0, .equal(process))
        // Asking about a limit is harmless, setting one is not: nothing new is pointed to.
        permit(cglibc_call_prlimit.rawValue, where: 2, .equal(0))
        // The C library falls back to clone, whose flags can be looked at.
        add(Self.jumpEqual, cglibc_call_clone3.rawValue, whenFalse: 1)
        add(Self.answer, Self.refuse | UInt32(ENOSYS))
        add(Self.answer, Self.refuse | UInt32(EPERM))
    }

    private mutating func permit(_ call: UInt32) {
        add(Self.jumpEqual, call, whenFalse: 1)
        add(Self.answer, Self.allow)
    }

    /// What an argument's low half has to be.
    private enum Condition {
        case equal(UInt32)
        case anySet(UInt32)
        case noneSet(UInt32)
    }

    private mutating func permit(_ call: UInt32, where index: UInt32, _ condition: Condition) {
        add(Self.jumpEqual, call, whenFalse: 4)
        add(Self.load, Self.argument(index))
        switch condition {
        case .equal(let value): add(Self.jumpEqual, value, whenFalse: 1)
        case .anySet(let bits): add(Self.jumpAnySet, bits, whenFalse: 1)
        case .noneSet(let bits): add(Self.jumpAnySet, bits, whenTrue: 1)
        }
        add(Self.answer, Self.allow)
        add(Self.answer, Self.refuse | UInt32(EPERM))
    }

    private mutating func add(_ code: UInt16, _ value: UInt32, whenTrue: UInt8 = 0, whenFalse: UInt8 = 0) {
        program.append(sock_filter(code: code, jt: whenTrue, jf: whenFalse, k: value))
    }
}
