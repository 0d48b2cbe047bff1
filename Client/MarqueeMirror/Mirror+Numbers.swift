extension Mirror {
    /// Takes the next mutation number for something that the outbox does not hold, such as a publication. It is never
    /// given again.
    ///
    /// The mirror does not know when it was answered: until then the caller tells the server an answered-through that
    /// is below it.
    package func takeNumber() throws(MirrorError) -> UInt64 {
        try write(.now) { db in
            var row = try MirrorRow.load(db)
            let number = try row.takeNumber()
            try row.store(db)
            return number
        }
    }
}
