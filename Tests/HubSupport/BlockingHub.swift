package import MarqueeModel
import MarqueeScreens
package import MarqueeServer
package import MarqueeStore
package import MarqueeWire

// A hub for callers that wait for its store, where a server's other threads read.

extension Hub {
    package func open(_ request: OpenRequest, reading store: any StoreEngine) -> Result<OpenedView, Status> {
        ask(store) { open(request, with: $0) }
    }

    package func get(_ request: OpenRequest, reading store: any StoreEngine) -> Result<GetScreenAnswer, Status> {
        ask(store) { get(request, with: $0) }
    }

    package func plan(_ request: OpenRequest, reading store: any StoreEngine) -> Result<PlanAnswer, Status> {
        ask(store) { plan(request, with: $0) }
    }

    private func ask<Answer>(
        _ store: any StoreEngine, _ question: (UserSnapshot?) -> Result<Answer, OpenFailure>
    ) -> Result<Answer, Status> {
        var log: UserSnapshot?
        while true {
            switch question(log) {
            case .success(let answer): return .success(answer)
            case .failure(.refused(let status)): return .failure(status)
            case .failure(.unread(let reading)):
                do { log = try reading.read(from: store) } catch { return .failure(Status(storeError: error)) }
            }
        }
    }

    /// Applies and publishes new moves of a user's log.
    package func userChanged(
        _ user: String, moves: [MemberMove] = [], reading store: any StoreEngine
    ) throws(StoreError) {
        var missing = userChanged(user, moves: moves)
        while let reading = missing { missing = try userRead(try reading.read(from: store)) }
    }

    /// Reads and publishes new commits of the catalogue's log, or the whole catalogue if the log doesn't reach back.
    package func catchUp(from store: any StoreEngine) throws(StoreError) {
        while true {
            let commits: [CatalogueCommit]
            do throws(StoreError) {
                commits = try store.commits(after: catalogueRevision, limit: Self.commitsPerPublication)
            } catch {
                guard error.code == .historyCut else { throw error }
                return try reload(from: store)
            }
            if commits.isEmpty { return }
            do throws(Status) { try follow(commits) } catch { return try reload(from: store) }
        }
    }

    /// Reads and publishes the whole catalogue.
    package func reload(from store: any StoreEngine) throws(StoreError) {
        _ = try replace(by: try Screens(store: store, programmeFallback: writtenProgramme))
    }
}
