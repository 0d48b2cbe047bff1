import ArgumentParser
import Foundation
import MarqueeServer
import MarqueeTypes
import MarqueeWeb

/// Options for access over HTTP and WebSocket.
struct WebOptions: ParsableArguments {
    @Option(
        name: .customLong("web"),
        help: ArgumentHelp(
            """
            Also listen here for HTTP and WebSocket, protected and with clients admitted as on --listen; port 0 means \
            any free port. (default: nowhere)
            """, valueName: "host:port"),
        transform: { try ListenAddress(parsing: $0) })
    var listen: ListenAddress?

    @Option(
        name: .customLong("web-origin"),
        help: ArgumentHelp(
            """
            With --web: answer pages of this site, such as https://app.example; may be repeated. Pages of other sites \
            are refused.
            """, valueName: "origin"),
        transform: { try WebOptions.origin($0) })
    var origins: [WebOrigin] = []

    @Option(
        name: .customLong("web-host"),
        help: ArgumentHelp(
            """
            With --web: a name that requests may use for the server, such as films.example; may be repeated. Addresses, \
            localhost and the host of --web need none.
            """, valueName: "name"))
    var hosts: [String] = []

    @Option(
        name: .customLong("web-hooks"),
        help: ArgumentHelp(
            """
            With --web: a file that says how deliveries of other programs (webhooks) are signed, and which changes they \
            mean; see Docs/web.md.
            """, valueName: "file"))
    var hooks: String?

    /// - Throws: `ValidationError` for anything but an origin.
    private static func origin(_ text: String) throws -> WebOrigin {
        guard let origin = WebOrigin(text) else {
            throw ValidationError(
                "--web-origin is a scheme, a host and perhaps a port, such as https://app.example")
        }
        return origin
    }

    func validate() throws {
        if listen == nil, !origins.isEmpty || !hosts.isEmpty || hooks != nil {
            throw ValidationError("--web-origin, --web-host and --web-hooks need --web")
        }
        guard origins.count <= WebGate.maximumNames, hosts.count < WebGate.maximumNames else {
            throw ValidationError("--web-origin and --web-host may each be given \(WebGate.maximumNames - 1) times")
        }
        for host in hosts where host.isEmpty || host.contains(where: { "/:?#@".contains($0) }) {
            throw ValidationError("--web-host is a name without a port, such as films.example")
        }
    }

    /// The address for the web and its rules; `nil` for none.
    func place() throws(CommandFailure) -> DoorPlace? {
        guard let listen else { return nil }
        let gate = WebGate(hosts: hosts + [listen.host], origins: origins)
        return DoorPlace(host: listen.host, port: listen.port, door: WebDoor(gate, hooks: try hookFile()))
    }

    private func hookFile() throws(CommandFailure) -> HookFile {
        guard let hooks else { return HookFile() }
        let text = try ProgrammeSource.text(of: hooks, wrong: .configuration)
        do throws(FileMistakes) {
            return try HookFile(yaml: text, file: hooks) { name in
                let secret = try ProgrammeSource.bytes(
                    of: URL(fileURLWithPath: name, relativeTo: URL(fileURLWithPath: hooks)).path)
                // A file of one line ends with a line break.
                return Array(secret.prefix { $0 != 0x0A && $0 != 0x0D })
            }
        } catch {
            throw CommandFailure(error, in: hooks, .configuration)
        }
    }

    /// A line that gives the address for the web.
    static func line(_ summary: MarqueeServer.Summary, isEncrypted: Bool) -> String? {
        summary.door.map { door in
            "web on \(origin(ListenAddress(host: door.host, port: door.port), isEncrypted: isEncrypted))"
        }
    }

    /// A line that gives the address of the window for a browser on this machine.
    static func windowLine(_ summary: MarqueeServer.Summary, isEncrypted: Bool) -> String? {
        summary.door.map { door in
            let address = ListenAddress(host: door.host, port: door.port)
            let reachable = ListenAddress(host: address.reachableHost, port: door.port)
            return "window on \(origin(reachable, isEncrypted: isEncrypted))/"
        }
    }

    private static func origin(_ address: ListenAddress, isEncrypted: Bool) -> String {
        "\(isEncrypted ? "https" : "http")://\(address)"
    }
}
