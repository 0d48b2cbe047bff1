import MarqueeModel
import MarqueeServer
import MarqueeStore

extension Node {
    /// The hub reads what is new in the catalogue's log.
    func followCatalogue() {
        onHub { [unowned self] hub in
            // What is new since then is read when these have been applied.
            guard advance == nil else { return }
            // Every second time the hub gives the commits away, as it does with large ones.
            let revision = hub.catalogueRevision
            if revision.isMultiple(of: 2),
                let commits = try? store.commits(after: revision, limit: Hub.commitsPerPublication),
                let advance = hub.begin(commits, changesAtOnce: 0)
            {
                self.advance = advance
                finish(advance, after: 2)
            } else {
                trying { () throws(StoreError) in try hub.catchUp() }
            }
        }
    }

    /// - Parameter rounds: how often the hub does first what waits for it.
    private func finish(_ advance: Advance, after rounds: Int) {
        onHub { [unowned self] hub in
            guard rounds == 0 else { return finish(advance, after: rounds - 1) }
            do throws(Status) {
                try advance.run()
                hub.finish(advance)
            } catch {
                judge.fail(.convergent, "node \(number) can't apply commits that follow its own: \(error)")
            }
            self.advance = nil
            judge.count(.commitsGivenAway)
            followCatalogue()
        }
    }
}
