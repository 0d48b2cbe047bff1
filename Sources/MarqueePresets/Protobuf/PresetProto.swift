package import CMarqueePresets
internal import MarqueeWire

/// Short names of the generated types.
package enum PresetProto {
    package typealias Certification = Marquee__V1__Certification
    package typealias MovieBody = Marquee__V1__MovieBody
    package typealias GenreBody = Marquee__V1__GenreBody
    package typealias CreditBody = Marquee__V1__CreditBody
    package typealias DetailBody = Marquee__V1__DetailBody
    package typealias ChartEntryBody = Marquee__V1__ChartEntryBody
    package typealias BannerBody = Marquee__V1__BannerBody
    package typealias TextBody = Marquee__V1__TextBody
    package typealias CourseBody = Marquee__V1__CourseBody
    package typealias CategoriesBody = Marquee__V1__CategoriesBody
    package typealias PlaceBody = Marquee__V1__PlaceBody

    /// The descriptors of all messages, in schema order.
    static var descriptors: [UnsafePointer<ProtobufCMessageDescriptor>] {
        [
            Certification.descriptor,
            MovieBody.descriptor,
            GenreBody.descriptor,
            CreditBody.descriptor,
            DetailBody.descriptor,
            ChartEntryBody.descriptor,
            BannerBody.descriptor,
            TextBody.descriptor,
            CourseBody.descriptor,
            CategoriesBody.descriptor,
            PlaceBody.descriptor,
        ]
    }
}

extension PresetProto.Certification: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__certification__init(message) }
}
extension PresetProto.MovieBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__movie_body__init(message) }
}
extension PresetProto.GenreBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__genre_body__init(message) }
}
extension PresetProto.CreditBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__credit_body__init(message) }
}
extension PresetProto.DetailBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__detail_body__init(message) }
}
extension PresetProto.ChartEntryBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__chart_entry_body__init(message)
    }
}
extension PresetProto.BannerBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__banner_body__init(message) }
}
extension PresetProto.TextBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__text_body__init(message) }
}
extension PresetProto.CourseBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__course_body__init(message) }
}
extension PresetProto.CategoriesBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__categories_body__init(message)
    }
}
extension PresetProto.PlaceBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__place_body__init(message) }
}
