import MarqueeModel
import MarqueeStore
import MarqueeWire

// Parts of users' logs that the hub lacks are read on the lane for collections and handed to the hub.

extension HubSource {
    /// Asks the hub when it is the connection's turn, and again each time a missing part of the user's log has been
    /// read.
    /// - Parameters:
    ///   - question: called on the hub's thread, with the log read for it.
    ///   - completion: called on the hub's thread with an answer, and on any thread with a failure.
    func ask<Answer>(
        for connection: ConnectionID, with log: UserSnapshot? = nil, tries: Int = 0,
        _ question: @escaping @Sendable (Hub, UserSnapshot?) -> Result<Answer, OpenFailure>,
        completion: @escaping @Sendable (Result<Answer, Status>) -> Void
    ) {
        ask(for: connection) { [self] hub in
            switch question(hub, log) {
            case .success(let answer): completion(.success(answer))
            case .failure(.refused(let status)): completion(.failure(status))
            case .failure(.unread(let reading)):
                guard tries < UserReading.maximumTries else {
                    return completion(.failure(Status(storeError: StoreError(.busy, "the user's log moves too fast"))))
                }
                lanes.collections.submit(for: connection) { [self] in
                    do throws(StoreError) {
                        let log = try reading.read(from: store)
                        ask(for: connection, with: log, tries: tries + 1, question, completion: completion)
                    } catch {
                        completion(.failure(Status(storeError: error)))
                    }
                }
            }
        }
    }

    /// Reads the part of a user's log that the hub lacks, and hands it over; if it lacks nothing, the job has ended.
    func read(_ reading: UserReading?, of user: String, tries: Int = 0) {
        guard let reading else { return ended(.user(user)) }
        guard tries < UserReading.maximumTries else {
            return failed(.user(user), "a user's log moves too fast to be read, trying again")
        }
        lanes.collections.submit(for: Self.itself) { [self] in
            do throws(StoreError) {
                let log = try reading.read(from: store)
                onHub { [self] hub in
                    do throws(StoreError) {
                        read(try hub.userRead(log), of: user, tries: tries + 1)
                    } catch {
                        failed(user, error)
                    }
                }
            } catch {
                failed(user, error)
            }
        }
    }

    private func failed(_ user: String, _ error: StoreError) {
        failed(.user(user), "a user's log can't be read, trying again: \(error)")
    }

    /// Adds the position of the user's log to a screen. The hub doesn't know it if the screen shows nothing of that
    /// log, and nobody does while the store is away. Blocks.
    func withUserPosition(_ answer: GetScreenAnswer, of user: String?) -> GetScreenAnswer {
        guard let user, answer.cut.userEpoch == 0, let now = try? positions.cut(for: user, in: store) else {
            return answer
        }
        var answer = answer
        (answer.cut.userEpoch, answer.cut.userRevision) = (now.userEpoch, now.userRevision)
        return answer
    }
}
