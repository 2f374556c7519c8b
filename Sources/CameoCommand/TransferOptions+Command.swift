import Transfer

extension TransferOptions {
    /// The options of every command that reads addresses.
    static let commandOptions: [CommandOption<TransferOptions>] = [
        CommandOption("retries", value: "N", "Try a transfer again N times after a failure that may pass. (3)") {
            options, value throws(UsageError) in
            options.retries = try value.integer(0...100)
        },
        CommandOption("stall", value: "SECONDS", "Give a transfer up when nothing has come for so long. (20)") {
            options, value throws(UsageError) in
            options.stallSeconds = try value.number(1...3600)
        },
        CommandOption("allow-private", "Follow redirects to this machine and to private networks too.") {
            options, _ in options.followsToPrivate = true
        },
    ]

    /// What is said of addresses below a command's options.
    static let credentialNotes = [
        "The keys of S3 stores come from the environment, as other tools have them: AWS_ACCESS_KEY_ID,",
        "AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION, AWS_ENDPOINT_URL_S3. Proxies do too: http_proxy,",
        "https_proxy, no_proxy. Where a redirect leads is asked without one, unless --allow-private is given: a proxy",
        "would hide a private address.",
    ]
}
