extension SectionFrames {
    /// Seconds of its speed that a movement coasts: the sum of what is left of it, millisecond by millisecond, at 0.998
    /// each.
    private static let coastSeconds = 0.499

    /// The offsets at which the section comes to rest: one for a section that doesn't scroll sideways, none for one
    /// that may stop anywhere.
    ///
    /// An offset is how far the content is moved to the left: an item shows at its frame's `x` less the offset.
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

    /// The offsets that the section can rest at. They go beyond the content only where groups are centred.
    public var offsetRange: ClosedRange<Double> {
        guard scrolling == .groupPagingCentered else { return 0...maximumOffset }
        let stops = pageStops
        return stops[0]...max(stops[0], stops[stops.endIndex - 1])
    }

    /// The offset before anybody scrolled: where reading begins.
    public var initialOffset: Double {
        isRightToLeft ? offsetRange.upperBound : offsetRange.lowerBound
    }

    /// The offset at which a movement ends.
    ///
    /// - Parameters:
    ///   - offset: where it was let go.
    ///   - velocity: in points per second; positive where the offset grows. Paging behaviours take only its sign, and
    ///     go to the next stop; where it is 0, to the nearest.
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

/// Stops around an offset. They ask for a collection that is not empty.
extension PageStops {
    /// The first stop that is further, or the last one.
    fileprivate func index(behind offset: Double) -> Int {
        Swift.min(indices.partitioningIndex { self[$0] > offset + LayoutLimits.fitTolerance }, endIndex - 1)
    }

    /// The last stop that is less far, or the first one.
    fileprivate func index(before offset: Double) -> Int {
        Swift.max(indices.partitioningIndex { self[$0] >= offset - LayoutLimits.fitTolerance } - 1, 0)
    }

    /// Of two that are equally near, the lower.
    fileprivate func nearestIndex(to offset: Double) -> Int {
        let next = Swift.min(indices.partitioningIndex { self[$0] >= offset }, endIndex - 1)
        guard next > 0, offset - self[next - 1] <= self[next] - offset else { return next }
        return next - 1
    }
}
