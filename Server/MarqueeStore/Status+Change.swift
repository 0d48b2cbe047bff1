package import MarqueeModel

extension Status {
    /// A publication is refused for one of its changes.
    /// - Parameter index: the index of the change.
    package static func changeInvalid(_ index: Int, _ reason: String) -> Status {
        Status(
            .invalidArgument, reason: "CHANGE_INVALID", remedy: .fatal, message: "\(RefusedChange(index, reason))")
    }
}
