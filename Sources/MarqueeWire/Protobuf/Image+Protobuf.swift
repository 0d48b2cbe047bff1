internal import CMarqueeProto
package import MarqueeModel

// The C forms of item contents. An absent or invalid field counts as missing; nothing here is an error.

/// The part of an item that an image shows. It follows from the field that holds the image, but is also encoded for
/// readers without this schema.
package enum ImageRole: String {
    case poster, backdrop, portrait, image
}

extension Packer {
    package func image(_ image: ImageReference?, _ role: ImageRole) -> UnsafeMutablePointer<Proto.Image>? {
        guard let image else { return nil }
        return message(Proto.Image.self) { wire in
            wire.name = text(image.name)
            wire.role = text(role.rawValue)
            (wire.has_aspect, wire.aspect) = real(image.aspect)
            wire.color = text(image.color)
        }
    }

    package func date(_ date: CalendarDate?) -> UnsafeMutablePointer<CChar>? { text(date?.description) }
}

extension Unpacker {
    /// An image without a name counts as missing.
    package func image(_ wire: UnsafeMutablePointer<Proto.Image>?) -> ImageReference? {
        guard let image = wire?.pointee, let name = text(image.name), !name.isEmpty else { return nil }
        return ImageReference(name: name, aspect: real(image.has_aspect, image.aspect), color: text(image.color))
    }

    /// Text that isn't a date counts as missing.
    package func date(_ wire: UnsafeMutablePointer<CChar>?) -> CalendarDate? { text(wire).flatMap { CalendarDate($0) } }
}

extension ScreenAction: ProtobufConvertible {
    func write(to wire: inout Proto.Action, with packer: Packer) {
        wire.id = packer.text(id)
        wire.title = packer.text(unlessEmpty: title)
        wire.target = packer.text(unlessEmpty: target)
    }

    static func read(_ wire: Proto.Action, with unpacker: Unpacker) throws(WireError) -> ScreenAction {
        ScreenAction(
            id: unpacker.text(wire.id) ?? "", title: unpacker.text(wire.title) ?? "",
            target: unpacker.text(wire.target) ?? "")
    }
}

extension Packer {
    package func action(_ action: ScreenAction?) -> UnsafeMutablePointer<Proto.Action>? { message(action) }

    /// A list of actions, as count and pointer.
    package func actions(
        _ actions: [ScreenAction]
    ) -> (Int, UnsafeMutablePointer<UnsafeMutablePointer<Proto.Action>?>?) { messages(actions) }
}

extension Unpacker {
    package func action(_ wire: UnsafeMutablePointer<Proto.Action>?) -> ScreenAction? { try? message(wire) }

    package func actions(
        _ count: Int, _ list: UnsafeMutablePointer<UnsafeMutablePointer<Proto.Action>?>?
    ) -> [ScreenAction] { (try? messages(count, list)) ?? [] }
}
