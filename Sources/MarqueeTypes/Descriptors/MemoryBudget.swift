internal import CMarqueeDescriptors
internal import CProtobufRuntime
internal import Foundation

/// Caps the memory that one unpacking may allocate with malloc. The allocator doesn't retain it.
final class MemoryBudget {
    private var remaining: Int
    private(set) var isExhausted = false

    init(_ bytes: Int) { remaining = bytes }

    private func allocate(_ size: Int) -> UnsafeMutableRawPointer? {
        guard size <= remaining else {
            isExhausted = true
            return nil
        }
        remaining -= size
        return malloc(size)
    }

    /// An allocator that is valid as long as the budget is alive.
    var allocator: ProtobufCAllocator {
        ProtobufCAllocator(
            alloc: { budget, size in
                guard let budget else { return nil }
                return Unmanaged<MemoryBudget>.fromOpaque(budget).takeUnretainedValue().allocate(size)
            },
            free: { _, pointer in free(pointer) },
            allocator_data: Unmanaged.passUnretained(self).toOpaque())
    }
}

/// A message of `Proto/descriptors.proto` as protobuf-c lays it out.
protocol DescriptorMessage {
    /// The header that every message begins with.
    var base: ProtobufCMessage { get }

    /// Zeroes the memory and sets the descriptor.
    static func initialize(_ message: UnsafeMutablePointer<Self>)
    init()
}

extension DescriptorMessage {
    /// Static memory of the generated code, never freed.
    static var descriptor: UnsafePointer<ProtobufCMessageDescriptor> {
        var message = Self()
        initialize(&message)
        return message.base.descriptor
    }
}

extension Marquee__Descriptors__FileSet: DescriptorMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__descriptors__file_set__init(message) }
}
extension Marquee__Descriptors__File: DescriptorMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__descriptors__file__init(message) }
}
extension Marquee__Descriptors__Message: DescriptorMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__descriptors__message__init(message) }
}
extension Marquee__Descriptors__MessageOptions: DescriptorMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__descriptors__message_options__init(message)
    }
}
extension Marquee__Descriptors__FieldOptions: DescriptorMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__descriptors__field_options__init(message) }
}
