import Foundation
import Synchronization

/// A PostgreSQL of the tests' own, in a temporary folder. It ends with the process that started it, however that ends.
package final class PostgresServer: Sendable {
    /// Names the folder of the programs, where they aren't in a usual place. Tests that need PostgreSQL may be skipped
    /// only if this is not set.
    package static let variable = "MARQUEE_POSTGRES"

    /// The folder with PostgreSQL's programs; `nil` if there is none.
    private static let programs: String? = {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment[variable], !named.isEmpty { return named }
        let debian = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? [])
            .sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }
        let places =
            versions.map { "\(debian)/\($0)/bin" } + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return places.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    /// Whether tests that need PostgreSQL can run.
    package static let isFound = programs != nil

    /// Why they are skipped.
    package static let reason =
        "needs PostgreSQL: apt-get install postgresql, or name the folder of its programs in \(variable)"

    private static let instance = Mutex<PostgresServer?>(nil)

    /// The server that tests share, started when it is first needed.
    /// - Throws: `Failure` when it doesn't start.
    package static func shared() throws -> PostgresServer {
        try instance.withLock { server in
            if let server { return server }
            let started = try PostgresServer()
            server = started
            return started
        }
    }

    /// A server that doesn't start, or a statement that it refuses.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Where its socket is.
    package let folder: String
    /// The path of its socket.
    package var socketPath: String { "\(folder)/.s.PGSQL.\(port ?? Self.usualPort)" }
    private static let usualPort: UInt16 = 5_432
    private let supervisor: Process
    private let orders: FileHandle
    private let answers: FileHandle

    /// Where a server with TLS is reached, on the loopback address.
    package let port: UInt16?

    /// The certificate of a server with TLS, which is its own authority; its name is localhost.
    package var certificate: String { "\(folder)/server.crt" }

    /// Starts one of a test's own.
    /// - Parameters:
    ///   - settings: further ones of the server, such as `fsync=off`.
    ///   - primary: the server whose standby this is.
    ///   - hasTLS: whether it is reached with TLS on a port, too, and not by its socket alone.
    ///   - disk: an existing folder for its files; a temporary one by default.
    package init(
        settings: [String] = [], standbyOf primary: PostgresServer? = nil, hasTLS: Bool = false, disk: String? = nil
    ) throws {
        port = hasTLS ? try Self.freePort() : nil
        guard let programs = Self.programs else { throw Failure(description: Self.reason) }
        // A socket's path has room for about 100 bytes.
        let place =
            disk.map { "\($0)/" } ?? (NSTemporaryDirectory().utf8.count <= 60 ? NSTemporaryDirectory() : "/tmp/")
        folder = "\(place)mq-pg-\(UUID().uuidString.prefix(13))"
        let (input, output) = (Pipe(), Pipe())
        // Another process that held it would keep the server alive.
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        orders = input.fileHandleForWriting
        answers = output.fileHandleForReading
        supervisor = Process()
        supervisor.executableURL = URL(filePath: "/bin/sh")
        supervisor.arguments =
            ["-c", Self.script, "sh", programs, folder, primary?.folder ?? "", port.map(String.init) ?? ""]
            + settings.flatMap { ["-c", $0] }
        supervisor.standardInput = input
        supervisor.standardOutput = output
        try supervisor.run()
        try awaitReady()
    }

    /// Stops the server at once, as a crash would, and starts it again.
    package func restart() throws {
        try orders.write(contentsOf: Data("restart\n".utf8))
        try awaitReady()
    }

    /// Stops the server at once, as a crash would, until `resume`.
    package func pause() throws {
        try orders.write(contentsOf: Data("stop\n".utf8))
        try awaitReady()
    }

    /// Kills all of the server's processes, as a crash of its machine would, until `resume`.
    package func crash() throws {
        try orders.write(contentsOf: Data("crash\n".utf8))
        try awaitReady()
    }

    /// Starts it again after `pause` or `crash`.
    package func resume() throws {
        try orders.write(contentsOf: Data("start\n".utf8))
        try awaitReady()
    }

    /// Stops it for good, and removes its folder.
    package func stop() {
        try? orders.close()
        supervisor.waitUntilExit()
    }

    /// A port that nobody had a moment ago. The system gives it to nobody who names no port, so it is still free when a
    /// process on it is started again.
    package static func freePort() throws -> UInt16 {
        for _ in 0..<100 {
            let port = UInt16.random(in: 10_000..<32_768)
            let socket = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            let isBound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isBound { return port }
        }
        throw Failure(description: "no port is free")
    }

    private func awaitReady() throws {
        let answer = String(decoding: answers.availableData, as: UTF8.self)
        guard answer.hasPrefix("ready") else { throw Failure(description: "PostgreSQL doesn't start: \(answer)") }
    }

    /// Runs the server until its input ends, which it does with the process that started it.
    ///
    /// PostgreSQL refuses to run as root, so root becomes another user.
    private static let script = """
        programs=$1 folder=$2 primary=$3 port=$4
        shift 4
        trap '' INT TERM HUP
        umask 077
        mkdir "$folder" || exit 1
        as=
        if [ "$(id -u)" = 0 ]; then
            user=nobody
            if id postgres >/dev/null 2>&1; then user=postgres; fi
            chown "$user" "$folder"
            as="setpriv --reuid=$user --regid=$(id -g $user) --clear-groups"
        fi
        cd "$folder"
        log=$folder/log
        failed() { tail -n 3 "$log"; rm -rf "$folder"; exit 1; }
        start() {
            $as "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c max_connections=300 \
                -c shared_buffers=64MB -c autovacuum_naptime=5s "$@" >>"$log" 2>&1 </dev/null &
            server=$!
            for _ in $(seq 300); do
                if "$programs/pg_isready" -q -h "$folder"; then echo ready; return; fi
                kill -0 $server 2>/dev/null || failed
                sleep 0.05
            done
            failed
        }
        if [ -n "$primary" ]; then
            $as "$programs/pg_basebackup" -h "$primary" -U marquee -D "$folder/data" -R -c fast --no-sync \
                >"$log" 2>&1 </dev/null || failed
        else
            $as "$programs/initdb" --no-sync -D "$folder/data" -A trust -U marquee -E UTF8 --locale=C.UTF-8 \
                >"$log" 2>&1 </dev/null || failed
        fi
        if [ -n "$port" ]; then
            export PGPORT=$port
            $as openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
                -keyout "$folder/server.key" -out "$folder/server.crt" >"$log" 2>&1 </dev/null || failed
            set -- -c listen_addresses=127.0.0.1 -c ssl=on -c ssl_cert_file="$folder/server.crt" \
                -c ssl_key_file="$folder/server.key" "$@"
        fi
        start "$@"
        stop() {
            if [ -n "$server" ]; then kill -QUIT $server; wait $server; fi
            server=
        }
        crash() {
            children=$(cat /proc/$server/task/$server/children 2>/dev/null)
            kill -KILL $server $children 2>/dev/null
            wait $server 2>/dev/null
            # What still runs would hold the memory that a server shares, and keep the next one from starting.
            for child in $children; do
                for _ in $(seq 250); do grep -qs . "/proc/$child/cmdline" || break; sleep 0.02; done
            done
            server=
        }
        while read -r order; do
            case $order in
            restart) stop; start "$@" ;;
            stop) stop; echo ready ;;
            crash) crash; echo ready ;;
            start) start "$@" ;;
            esac
        done
        stop
        cd /
        rm -rf "$folder"
        """
}
