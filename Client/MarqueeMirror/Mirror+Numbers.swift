extension Mirror {
    /// Takes the next mutation number for something that is not in the outbox, such as a publication. It is never
    /// reused.
    ///
    /// The mirror doesn't know when it is answered; until then, the caller must report a lower answered-through number
    /// to the server.
    package func takeNumber() throws(MirrorError) -> UInt64 {
        try write(.now) { db in
            var row = try MirrorRow.load(db)
            let number = try row.takeNumber()
            try row.store(db)
            return number
        }
    }
}
