internal import CCairo
import Foundation

/// Collects the bytes cairo writes to a stream. Whoever passes `closure` to cairo must keep the sink alive for as long
/// as cairo may write.
final class ByteSink {
    private(set) var data = Data()

    /// The pointer cairo passes back with the bytes.
    var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let write: cairo_write_func_t = { closure, bytes, count in
        guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue().data.append(bytes, count: Int(count))
        return CAIRO_STATUS_SUCCESS
    }
}
