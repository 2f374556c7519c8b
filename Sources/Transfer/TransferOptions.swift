/// How patient a client is, and where it lets itself be led.
public struct TransferOptions: Sendable {
    /// Most seconds until a connection is there.
    public var connectSeconds = 10.0
    /// Most seconds without a byte.
    public var stallSeconds = 20.0
    /// How often a request is made again after a failure that may pass.
    public var retries = 3
    /// Seconds before the first of these; each further one waits twice as long, 5 at most.
    public var backOff = 0.2
    /// Whether redirects may lead to this machine and to private networks.
    public var followsToPrivate = false
    /// Whether the proxies that the environment names are asked. What a redirect leads to is asked for without one, unless
    /// it may be private.
    public var usesProxies = true

    /// Ten seconds to connect, twenty without a byte, three retries.
    public init() {}
}
