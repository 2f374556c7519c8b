#if CAMEO_SANITIZES
    import Glibc

    /// Where a worker in a build for a sanitizer says what was found. Like its standard error, a file that the
    /// sanitizer would open by itself is out of reach in the sandbox.
    enum SanitizedReports {
        /// The folder that holds them.
        static let variable = "CAMEO_SANITIZER_REPORTS"

        /// Opens the file of this process; to be called before the sandbox is entered.
        static func open() {
            guard let folder = getenv(variable) else { return }
            let name = String(cString: folder) + "/worker.\(getpid())"
            let file = Glibc.open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            if file >= 0 { setReportFile(UnsafeMutableRawPointer(bitPattern: Int(file))) }
        }

        @_silgen_name("__sanitizer_set_report_fd")
        private static func setReportFile(_ file: UnsafeMutableRawPointer?)
    }
#endif
