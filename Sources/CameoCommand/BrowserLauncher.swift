import CGlibc
import Cameo
import Glibc

/// Opens an address in the desktop's browser.
///
/// Everybody on the machine can read the arguments of a process, so the address, which holds a secret, is not among
/// them: the browser is given a small page, which only its owner can read, that leads there. It lies in the home folder,
/// in plain sight: of a user's files, a browser that is a snap (Ubuntu's are) may read those alone.
struct BrowserLauncher {
    private let page: FilePath

    /// Nil where there is no screen, no folder of the user's own, or no `xdg-open`.
    init?(_ address: String) {
        guard Self.variable("DISPLAY") != nil || Self.variable("WAYLAND_DISPLAY") != nil else { return nil }
        // Not the process's number, which comes again: a page that was left behind would be in the way then.
        let name = FilePath("cameo-\(String(UInt64.random(in: .min ... .max), radix: 36)).html")
        let text = "<!doctype html><meta charset=utf-8><meta http-equiv=refresh content=\"0; url=\(address)\">\n"
        let places = ["HOME", "XDG_RUNTIME_DIR"].compactMap { Self.variable($0)?.appending(name) }
        guard let page = places.first(where: { Self.write(text, to: $0) }) else { return nil }
        self.page = page
        guard open() else {
            remove()
            return nil
        }
    }

    /// Removes the page once it is of no use.
    func remove() { _ = page.withCString { unlink($0) } }

    private static func write(_ text: String, to page: FilePath) -> Bool {
        let file = page.withCString { Glibc.open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
        guard file >= 0 else { return false }
        defer { close(file) }
        return writeAll(Array(text.utf8), to: file) == 0
    }

    private func open() -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Results of this command must not be mixed with what a browser says.
        for file in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0)
        }
        // A browser outlives this command: it takes over none of the signals that this ignores and Dispatch holds back, nor
        // is it of the terminal that sends them, which may be closed.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        sigemptyset(&usual)
        posix_spawnattr_setsigmask(&attributes, &usual)
        for number in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&usual, number) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | cglibc_spawn_session())
        return page.withCString { page in
            "xdg-open".withCString { name in
                var arguments = [
                    UnsafeMutablePointer(mutating: name), UnsafeMutablePointer(mutating: page), nil,
                ]
                var child = pid_t()
                return posix_spawnp(&child, name, &actions, &attributes, &arguments, environ) == 0
            }
        }
    }

    private static func variable(_ name: String) -> FilePath? {
        guard let value = getenv(name), strlen(value) > 0 else { return nil }
        return FilePath(bytes: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
}
