package import MarqueeModel
import MarqueeStore

extension Status {
    /// The status that reports a store's error to a client. It doesn't say where the store is: that is the operator's
    /// business.
    package init(storeError error: any Error) {
        if let error = error as? StoreError, error.code == .diskFull {
            self.init(
                .resourceExhausted, reason: "DISK_FULL", remedy: .retrySame,
                message: "the server's disk is full; nothing was changed", retryAfterMilliseconds: 5_000)
        } else if let error = error as? StoreError, error.code == .corrupt {
            // Retried rarely: an operator has to repair the store.
            self.init(
                .dataLoss, reason: "STORE_DAMAGED", remedy: .retrySame,
                message: "the server's store is damaged here; nothing was changed", retryAfterMilliseconds: 60_000)
        } else {
            self.init(
                .unavailable, reason: "STORE_UNAVAILABLE", remedy: .retrySame,
                message: "the server's store does not answer\((error as? StoreError).map { " (\($0.code))" } ?? "")",
                retryAfterMilliseconds: 1_000)
        }
    }
}
