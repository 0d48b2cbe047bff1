extension SessionCore {
    /// Counts the sections that a newly opened view resumes at once. Sections to be staged are counted when their
    /// staging begins.
    func countResumed(_ subscription: Subscription) {
        for variant in subscription.variants where subscription.offered[variant.section] != nil {
            guard let held = variant.held else { continue }
            library.events.count(held.sum == variant.current.version.sum ? .unchanged : .patch)
        }
    }

    /// Counts a section when its staging begins, if the client offered a version of it.
    func countStaged(_ section: String, of id: UInt32, _ resume: SessionEvents.Resume) {
        if subscriptions[id]?.offered[section] != nil { library.events.count(resume) }
    }
}
