/// A part of the product that reads what comes from outside, as a function of any bytes.
///
/// `make fuzz` runs it under libFuzzer, and FuzzingTests over its seeds and over changed copies of them.
package struct FuzzTarget: Sendable {
    /// The name by which `make fuzz TARGET=` calls it.
    package let name: String
    /// The most bytes of an input; further ones are ignored.
    package let maximumBytes: Int
    /// Inputs to begin with.
    package let seeds: @Sendable () throws -> [[UInt8]]
    /// Stops the process if a property doesn't hold.
    package let judge: @Sendable ([UInt8]) -> Void

    package func run(_ bytes: UnsafeRawBufferPointer) { judge([UInt8](bytes.prefix(maximumBytes))) }

    package func run(_ bytes: [UInt8]) { judge(Array(bytes.prefix(maximumBytes))) }

    package static let all: [FuzzTarget] = [
        frames, session, sync, patch, programme, types, publish, importers, web,
    ]

    package static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
