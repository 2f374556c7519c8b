import CGlibc

/// The program by which the kernel judges every system call of a worker.
///
/// What is not listed fails with EPERM, as it does for somebody without rights, and decoders carry on or give up. The
/// list: reading, writing and closing what is open; memory that is not executable; threads of the process itself;
/// signals to itself; time and random numbers. No path is opened, no socket made, no process or program started.
/// `newfstatat` stays, since the C library asks it about open files: whether a path exists can be told by it.
struct SystemCallFilter {
    private(set) var program: [sock_filter] = []

    // Offsets into the kernel's seccomp_data: number, architecture, and the halves of the arguments, the low one first.
    private static let (number, architecture) = (UInt32(0), UInt32(4))
    private static func low(_ index: UInt32) -> UInt32 { 16 + 8 * index }
    private static func high(_ index: UInt32) -> UInt32 { 20 + 8 * index }

    private static let (load, jumpEqual, jumpAnySet, answer) = (
        UInt16(BPF_LD | BPF_W | BPF_ABS), UInt16(BPF_JMP | BPF_JEQ | BPF_K), UInt16(BPF_JMP | BPF_JSET | BPF_K),
        UInt16(BPF_RET | BPF_K)
    )
    // SECCOMP_RET_ALLOW, _KILL_PROCESS and _ERRNO; CLONE_THREAD, PROT_EXEC and PR_SET_NAME: the importer, or the C
    // library for programs that are not GNU's, leaves them out.
    private static let (allow, kill, refuse) = (UInt32(0x7FFF_0000), UInt32(0x8000_0000), UInt32(0x0005_0000))
    private static let (threads, executable, setName) = (UInt32(0x0001_0000), UInt32(4), UInt32(15))

    private static let descriptorQuestions = [F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC].map { UInt32($0) }

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
        permit(cglibc_call_mmap.rawValue, where: .noneSet(Self.low(2), Self.executable))
        permit(cglibc_call_mprotect.rawValue, where: .noneSet(Self.low(2), Self.executable))
        permit(cglibc_call_clone.rawValue, where: .anySet(Self.low(0), Self.threads))
        permit(cglibc_call_prctl.rawValue, where: .oneOf(Self.low(0), [Self.setName]))
        permit(cglibc_call_tgkill.rawValue, where: .oneOf(Self.low(0), [process]))
        // A descriptor may be asked about and doubled. Not who is sent a signal about it.
        permit(cglibc_call_fcntl.rawValue, where: .oneOf(Self.low(1), Self.descriptorQuestions))
        // Asking about one's own limit is harmless, setting one is not: nothing new is pointed to.
        permit(
            cglibc_call_prlimit.rawValue, where: .oneOf(Self.low(0), [0, process]), .oneOf(Self.low(2), [0]),
            .oneOf(Self.high(2), [0]))
        // The C library falls back to clone, whose flags can be looked at.
        add(Self.jumpEqual, cglibc_call_clone3.rawValue, whenFalse: 1)
        add(Self.answer, Self.refuse | UInt32(ENOSYS))
        add(Self.answer, Self.refuse | UInt32(EPERM))
    }

    private mutating func permit(_ call: UInt32) {
        add(Self.jumpEqual, call, whenFalse: 1)
        add(Self.answer, Self.allow)
    }

    /// What the half of an argument at an offset has to be.
    private enum Condition {
        case oneOf(UInt32, [UInt32])
        case anySet(UInt32, UInt32)
        case noneSet(UInt32, UInt32)

        /// Instructions that it takes.
        var length: Int {
            switch self {
            case .oneOf(_, let values): 1 + values.count
            case .anySet, .noneSet: 2
            }
        }
    }

    /// Permits a call of which every condition holds.
    private mutating func permit(_ call: UInt32, where conditions: Condition...) {
        var rest = conditions.reduce(0) { $0 + $1.length }
        // The answer "no" stands behind the answer "yes".
        add(Self.jumpEqual, call, whenFalse: UInt8(rest + 2))
        for condition in conditions {
            rest -= condition.length
            let refusal = UInt8(rest + 1)
            switch condition {
            case .oneOf(let offset, let values):
                add(Self.load, offset)
                for (index, value) in values.enumerated() {
                    let others = UInt8(values.count - 1 - index)
                    add(Self.jumpEqual, value, whenTrue: others, whenFalse: others == 0 ? refusal : 0)
                }
            case .anySet(let offset, let bits):
                add(Self.load, offset)
                add(Self.jumpAnySet, bits, whenFalse: refusal)
            case .noneSet(let offset, let bits):
                add(Self.load, offset)
                add(Self.jumpAnySet, bits, whenTrue: refusal)
            }
        }
        add(Self.answer, Self.allow)
        add(Self.answer, Self.refuse | UInt32(EPERM))
    }

    private mutating func add(_ code: UInt16, _ value: UInt32, whenTrue: UInt8 = 0, whenFalse: UInt8 = 0) {
        program.append(sock_filter(code: code, jt: whenTrue, jf: whenFalse, k: value))
    }
}
