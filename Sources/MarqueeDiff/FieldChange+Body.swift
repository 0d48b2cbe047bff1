extension FieldChange {
    /// The change from one canonical body to another: all records of each field that differs, and the numbers of the
    /// fields to remove.
    ///
    /// - Throws: when one of the bodies is not canonical.
    package static func between(old: [UInt8], new: [UInt8]) throws(BodyError) -> FieldChange {
        var change = FieldChange()
        var oldFields = try FieldReader(old)
        var newFields = try FieldReader(new)
        var mine = try oldFields.next()
        var theirs = try newFields.next()
        while mine != nil || theirs != nil {
            switch (mine, theirs) {
            case (let was?, let now?) where was.number == now.number:
                if !old[was.range].elementsEqual(new[now.range]) { change.records += new[now.range] }
                mine = try oldFields.next()
                theirs = try newFields.next()
            case (let was?, let now) where now.map({ was.number < $0.number }) ?? true:
                change.cleared.append(was.number)
                mine = try oldFields.next()
            case (_, let now?):
                change.records += new[now.range]
                theirs = try newFields.next()
            default:
                // Unreachable: the loop's condition excludes that both have ended.
                return change
            }
        }
        return change
    }

    /// The body after this change. Clearing an absent number changes nothing.
    ///
    /// - Throws: when `body` or `records` is not canonical, `cleared` does not ascend, a number is both set and
    ///   cleared, the result is too long, or `cleared` is combined with `replace`. With `replace`, `body` need not be
    ///   valid.
    package func apply(to body: [UInt8]) throws(BodyError) -> [UInt8] {
        if replace { return try replacement() }
        try checkCleared()
        var result: [UInt8] = []
        result.reserveCapacity(body.count + records.count)
        var oldFields = try FieldReader(body)
        var newFields = try FieldReader(records)
        var clearedNumbers = cleared[...]
        var now = try newFields.next()
        while let was = try oldFields.next() {
            while let set = now, set.number < was.number {
                result += records[set.range]
                now = try newFields.next()
            }
            while let number = clearedNumbers.first, number < was.number { clearedNumbers.removeFirst() }
            if let set = now, set.number == was.number {
                result += records[set.range]
                now = try newFields.next()
            } else if clearedNumbers.first != was.number {
                result += body[was.range]
            }
        }
        while let set = now {
            result += records[set.range]
            now = try newFields.next()
        }
        guard result.count <= CanonicalBody.maximumLength else {
            throw BodyError("a body of \(result.count) bytes, at most \(CanonicalBody.maximumLength) are allowed")
        }
        return result
    }

    private func replacement() throws(BodyError) -> [UInt8] {
        guard cleared.isEmpty else { throw BodyError("a change that replaces the body also clears fields") }
        var fields = try FieldReader(records)
        while try fields.next() != nil {}
        return records
    }

    private func checkCleared() throws(BodyError) {
        guard !cleared.isEmpty else { return }
        var previous: UInt32 = 0
        for number in cleared {
            guard number > previous, number <= RecordReader.maximumNumber else {
                throw BodyError("cleared field \(number) after \(previous)")
            }
            previous = number
        }
        var clearedNumbers = cleared[...]
        var fields = try FieldReader(records)
        while let field = try fields.next() {
            while let number = clearedNumbers.first, number < field.number { clearedNumbers.removeFirst() }
            guard clearedNumbers.first != field.number else {
                throw BodyError("field \(field.number) is both set and cleared")
            }
        }
    }
}
