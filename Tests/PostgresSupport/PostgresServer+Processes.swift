import Foundation

extension PostgresServer {
    /// Sends a signal to all of the server's processes, such as SIGSTOP and later SIGCONT.
    package func signal(_ number: CInt) throws {
        let lines = try String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8).split(separator: "\n")
        guard let id = lines.first.flatMap({ pid_t($0) }) else {
            throw Failure(description: "PostgreSQL isn't running")
        }
        // Stopped first and continued last, so that it starts no others meanwhile, and ends none.
        let children = (try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)) ?? ""
        let all = [id] + children.split(separator: " ").compactMap { pid_t($0) }
        for process in number == SIGCONT ? all.reversed() : all { kill(process, number) }
    }
}
