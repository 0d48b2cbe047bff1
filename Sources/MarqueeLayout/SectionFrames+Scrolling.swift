extension SectionFrames {
    /// How far a scroll coasts, in seconds of its speed: the sum of 0.998 per millisecond, compounding.
    private static let coastSeconds = 0.499

    /// The offsets at which the section comes to rest: one for a section that doesn't scroll sideways, none for one
    /// that can stop anywhere.
    ///
    /// An offset is how far the content is moved to the left: an item appears at its frame's `x` minus the offset.
    public var pageStops: PageStops {
        let rule: PageStops.Rule =
            switch scrolling {
            case .none: .one
            case .continuous: .none
            case .paging: .pages(container.width)
            case .continuousGroupLeadingBoundary, .groupPaging: .leadingEdges
            case .groupPagingCentered: .centres(container.width)
            }
        return PageStops(
            rule, strip: strip, stripStart: stripStart, maximum: maximumOffset, isMirrored: isRightToLeft)
    }

    /// The offsets at which the section can rest. They extend beyond the content only if groups are centred.
    public var offsetRange: ClosedRange<Double> {
        guard scrolling == .groupPagingCentered else { return 0...maximumOffset }
        let stops = pageStops
        return stops[0]...max(stops[0], stops[stops.endIndex - 1])
    }

    /// The offset before any scrolling: the leading end.
    public var initialOffset: Double {
        isRightToLeft ? offsetRange.upperBound : offsetRange.lowerBound
    }

    /// The offset at which a scroll ends.
    ///
    /// - Parameters:
    ///   - offset: where it was released.
    ///   - velocity: in points per second; positive if the offset grows. Paging behaviours use only its sign and go to
    ///     the next stop, or to the nearest if it is 0.
    public func stop(after offset: Double, velocity: Double) -> Double {
        let range = offsetRange
        let offset = offset.isNaN ? initialOffset : min(max(offset, range.lowerBound), range.upperBound)
        let velocity = velocity.isNaN ? 0 : velocity
        let coasted = min(
            max(offset + velocity * SectionFrames.coastSeconds, range.lowerBound), range.upperBound)
        let stops = pageStops
        switch scrolling {
        case .none:
            return 0
        case .continuous:
            return coasted
        case .continuousGroupLeadingBoundary:
            // As far as it coasts, but never back.
            let nearest = stops.nearestIndex(to: coasted)
            if velocity > 0 { return stops[max(nearest, stops.index(behind: offset))] }
            if velocity < 0 { return stops[min(nearest, stops.index(before: offset))] }
            return stops[nearest]
        case .paging, .groupPaging, .groupPagingCentered:
            if velocity > 0 { return stops[stops.index(behind: offset)] }
            if velocity < 0 { return stops[stops.index(before: offset)] }
            return stops[stops.nearestIndex(to: offset)]
        }
    }

    private var maximumOffset: Double { max(0, contentSize.width - container.width) }
}

/// Stops around an offset. The collection must not be empty.
extension PageStops {
    /// The first stop beyond the offset, or the last one.
    fileprivate func index(behind offset: Double) -> Int {
        Swift.min(indices.partitioningIndex { self[$0] > offset + LayoutLimits.fitTolerance }, endIndex - 1)
    }

    /// The last stop before the offset, or the first one.
    fileprivate func index(before offset: Double) -> Int {
        Swift.max(indices.partitioningIndex { self[$0] >= offset - LayoutLimits.fitTolerance } - 1, 0)
    }

    /// Of two equally near stops, the lower.
    fileprivate func nearestIndex(to offset: Double) -> Int {
        let next = Swift.min(indices.partitioningIndex { self[$0] >= offset }, endIndex - 1)
        guard next > 0, offset - self[next - 1] <= self[next] - offset else { return next }
        return next - 1
    }
}
