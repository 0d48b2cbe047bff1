package import MarqueeWire
import Synchronization

/// The connections of one check to the server.
package final class ServerStage: CheckStage {
    package let subject: ServerSubject
    /// The stage's number within the run, unlike any other's.
    let turn: Int
    private let lines = Mutex<[Line]>([])

    init(_ subject: ServerSubject, turn: Int) {
        self.subject = subject
        self.turn = turn
    }

    package var screen: String { subject.screen }
    package var deadlines: Deadlines { subject.deadlines }

    /// Connects. Hello is still to be sent.
    package func connect() async throws -> ServerTalk {
        let line: Line
        do {
            line = try await subject.connect(limits: .client, within: deadlines.start)
        } catch {
            throw Deviation(expected: "a server at \(subject.host):\(subject.port)", actual: "\(error)")
        }
        lines.withLock { $0.append(line) }
        return ServerTalk(line, subject)
    }

    /// Connects, sends hello and waits for welcome.
    package func greeted(_ hello: Hello? = nil) async throws -> ServerTalk {
        let talk = try await connect()
        try await talk.greet(hello)
        return talk
    }

    /// Connects, and greets the server as the user whose collections the checks may change.
    package func greetedAsUser(clientID: [UInt8]? = nil) async throws -> ServerTalk {
        guard let user = subject.user else {
            throw NotApplicable("needs a user whose collections may be changed: --user")
        }
        let talk = try await connect()
        var hello = talk.hello
        hello.user = user
        if let clientID { hello.clientID = clientID }
        try await talk.greet(hello)
        return talk
    }

    package func clear() async {
        let lines = lines.withLock { lines in
            defer { lines.removeAll() }
            return lines
        }
        for line in lines { await line.close() }
    }
}
