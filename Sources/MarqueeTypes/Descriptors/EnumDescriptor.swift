/// An enum: its names and numbers.
package struct EnumDescriptor: Hashable, Sendable {
    package struct Value: Hashable, Sendable {
        package var name: String
        package var number: Int32
    }

    /// The name with its package, without a leading dot.
    package var fullName: String
    /// The file that declares it.
    package var file: String
    /// In file order; if a number has several names, the first is used for output.
    package var values: [Value]
    /// Whether numbers without a name are valid values, as in proto3.
    package var isOpen: Bool
    /// Why no record can hold a value of this enum; `nil` if one can.
    package var refusal: String?
    private let names: [Int32: String]
    private let numbers: [String: Int32]

    init(fullName: String, file: String, values: [Value], isOpen: Bool, refusal: String? = nil) {
        self.fullName = fullName
        self.file = file
        self.values = values
        self.isOpen = isOpen
        self.refusal = refusal
        names = Dictionary(values.map { ($0.number, $0.name) }) { first, _ in first }
        numbers = Dictionary(values.map { ($0.name, $0.number) }) { first, _ in first }
    }

    /// The first name of a number.
    package func name(of number: Int32) -> String? { names[number] }

    package func number(named name: String) -> Int32? { numbers[name] }

    /// - Throws: if the enum is closed and has no such number.
    func check(_ number: Int32) throws(RecordError) {
        guard isOpen || names[number] != nil else {
            throw RecordError("\(fullName) has no value with the number \(number)")
        }
    }

    /// The number that an absent field of this type reads as: 0 for an open enum, the first value for a closed one.
    package var defaultNumber: Int32 { isOpen ? 0 : values.first?.number ?? 0 }
}
