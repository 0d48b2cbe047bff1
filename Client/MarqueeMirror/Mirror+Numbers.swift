extension Mirror {
    /// Takes the next mutation number for something that is not in the outbox, such as a publication. It is never used
    /// again.
    ///
    /// The mirror doesn't know when it is answered: until then, the caller must report to the server an
    /// answered-through below it.
    package func takeNumber() throws(MirrorError) -> UInt64 {
        try write(.now) { db in
            var row = try MirrorRow.load(db)
            let number = try row.takeNumber()
            try row.store(db)
            return number
        }
    }
}
