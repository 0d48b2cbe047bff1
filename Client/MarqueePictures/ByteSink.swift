internal import CCairo
import Foundation

/// Takes the bytes that cairo writes to a stream. Whoever hands its `closure` to cairo keeps it alive for as long as
/// cairo may write.
final class ByteSink {
    private(set) var data = Data()

    /// What cairo hands back with the bytes.
    var closure: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let write: cairo_write_func_t = { closure, bytes, count in
        guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue().data.append(bytes, count: Int(count))
        return CAIRO_STATUS_SUCCESS
    }
}
