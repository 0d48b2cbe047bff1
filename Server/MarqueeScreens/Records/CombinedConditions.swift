import MarqueeTypes

extension RecordCondition {
    /// A value of the field is one of these, or the day of one of the terms.
    static func isAny(_ path: FieldPath, _ values: Set<FieldValue>, orDays terms: Set<TimeTerm>) -> RecordCondition {
        guard !terms.isEmpty else { return .isAny(path, values) }
        let days = terms.map { term in
            let bound = Bound(limit: .moving(term), isIncluded: true)
            return [RecordCondition.isWithin(.day(path), lower: bound, upper: bound)]
        }
        if days.count == 1, values.isEmpty { return days[0][0] }
        return .isAnyOf((values.isEmpty ? [] : [[.isAny(path, values)]]) + days)
    }
}

extension [RecordCondition] {
    /// The field has none of these values, nor the day of one of the terms; it may be missing.
    static func isNone(
        _ path: FieldPath, _ values: Set<FieldValue>, norDays terms: Set<TimeTerm>
    ) -> [RecordCondition] {
        let days = terms.map { term in
            let bound = RecordCondition.Bound(limit: .moving(term), isIncluded: false)
            return RecordCondition.isAnyOf([
                [.isWithin(.day(path), lower: nil, upper: bound)], [.isWithin(.day(path), lower: bound, upper: nil)],
                [.has(.facet(path), false)],
            ])
        }
        return (values.isEmpty && !days.isEmpty ? [] : [.isNone(path, values)]) + days
    }

    /// Whether no value of a field meets all of them.
    var isContradictory: Bool {
        var (wanted, refused) = (Set<FieldValue>?.none, Set<FieldValue>())
        var (isMissing, needsValue) = (false, false)
        for condition in self {
            switch condition {
            case .isAny(let path, let values):
                needsValue = true
                if path.field.isSingle { wanted = values }
            case .isNone(_, let values): refused.formUnion(values)
            case .isWithin(_, let lower, let upper):
                needsValue = true
                if let lower, let upper, lower.isAfter(upper) { return true }
            case .has(_, let isWanted): isMissing = isMissing || !isWanted
            case .isAnyOf: break
            }
        }
        return isMissing && needsValue || wanted.map { $0.isSubset(of: refused) } ?? false
    }
}

extension RecordCondition.Bound {
    /// Whether nothing is between this lower bound and an upper one.
    fileprivate func isAfter(_ upper: RecordCondition.Bound) -> Bool {
        let isOpen = !isIncluded || !upper.isIncluded
        switch (limit, upper.limit) {
        case (.fixed(let low), .fixed(let high)): return high < low || (isOpen && low == high)
        case (.moving(let low), .moving(let high)):
            guard low.origin == high.origin else { return false }
            if low == high { return isOpen }
            // A day on which the clocks change is an hour or so longer or shorter.
            return low.days >= high.days && low.milliseconds >= high.milliseconds
        case (.fixed, .moving), (.moving, .fixed): return false
        }
    }
}
