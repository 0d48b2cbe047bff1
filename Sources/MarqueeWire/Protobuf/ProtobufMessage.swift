internal import CMarqueeProto
internal import CProtobufC

/// A message as protobuf-c lays it out. Its pointers belong to the arena that it was made in.
protocol ProtobufMessage {
    /// The header that every message begins with.
    var base: ProtobufCMessage { get }

    /// Zeroes the memory and names the descriptor.
    static func initialize(_ message: UnsafeMutablePointer<Self>)
    init()
}

extension ProtobufMessage {
    /// Static memory of the generated code, never freed.
    static var descriptor: UnsafePointer<ProtobufCMessageDescriptor> {
        var message = Self()
        initialize(&message)
        return message.base.descriptor
    }
}

/// Short names of the generated types.
enum Proto {
    typealias Cut = Marquee__V1__Cut
    typealias Limits = Marquee__V1__Limits
    typealias Status = Marquee__V1__Status
    typealias Hello = Marquee__V1__Hello
    typealias Welcome = Marquee__V1__Welcome
    typealias Ping = Marquee__V1__Ping
    typealias Pong = Marquee__V1__Pong
    typealias Progress = Marquee__V1__Progress
    typealias Ack = Marquee__V1__Ack
    typealias GoAway = Marquee__V1__GoAway
    typealias Close = Marquee__V1__Close
    typealias SectionParameters = Marquee__V1__SectionParameters
    typealias HeldSection = Marquee__V1__HeldSection
    typealias Resume = Marquee__V1__Resume
    typealias Subscribe = Marquee__V1__Subscribe
    typealias Unsubscribe = Marquee__V1__Unsubscribe
    typealias SubscriptionError = Marquee__V1__SubscriptionError
    typealias Binding = Marquee__V1__Binding
    typealias Join = Marquee__V1__Join
    typealias Item = Marquee__V1__Item
    typealias FieldChange = Marquee__V1__FieldChange
    typealias Part = Marquee__V1__Part
    typealias HeldVersion = Marquee__V1__HeldVersion
    typealias Nack = Marquee__V1__Nack
    typealias Repair = Marquee__V1__Repair
    typealias RebaseSection = Marquee__V1__RebaseSection
    typealias Rebase = Marquee__V1__Rebase
    typealias Manifest = Marquee__V1__Manifest
    typealias Request = Marquee__V1__Request
    typealias Answer = Marquee__V1__Answer
    typealias Cancel = Marquee__V1__Cancel
    typealias GetScreenRequest = Marquee__V1__GetScreenRequest
    typealias Content = Marquee__V1__Content
    typealias GetScreenAnswer = Marquee__V1__GetScreenAnswer
    typealias SearchRequest = Marquee__V1__SearchRequest
    typealias SearchAnswer = Marquee__V1__SearchAnswer
    typealias FavoriteRequest = Marquee__V1__FavoriteRequest
    typealias PublishRequest = Marquee__V1__PublishRequest
    typealias MutationAnswer = Marquee__V1__MutationAnswer
    typealias HealthAnswer = Marquee__V1__HealthAnswer
    typealias SortDescription = Marquee__V1__SortDescription
    typealias SectionDescription = Marquee__V1__SectionDescription
    typealias ScreenDescription = Marquee__V1__ScreenDescription
    typealias DescribeRequest = Marquee__V1__DescribeRequest
    typealias DescribeAnswer = Marquee__V1__DescribeAnswer
    typealias Dimension = Marquee__V1__Dimension
    typealias Insets = Marquee__V1__Insets
    typealias Anchor = Marquee__V1__Anchor
    typealias Supplementary = Marquee__V1__Supplementary
    typealias LayoutNode = Marquee__V1__LayoutNode
    typealias Layout = Marquee__V1__Layout
    typealias Action = Marquee__V1__Action
    typealias Supplement = Marquee__V1__Supplement
    typealias SectionHead = Marquee__V1__SectionHead
    typealias ViewHead = Marquee__V1__ViewHead
    typealias SectionReference = Marquee__V1__SectionReference
    typealias Image = Marquee__V1__Image
    typealias Certification = Marquee__V1__Certification
    typealias MovieBody = Marquee__V1__MovieBody
    typealias GenreBody = Marquee__V1__GenreBody
    typealias CreditBody = Marquee__V1__CreditBody
    typealias DetailBody = Marquee__V1__DetailBody
    typealias ChartEntryBody = Marquee__V1__ChartEntryBody
    typealias BannerBody = Marquee__V1__BannerBody
    typealias TextBody = Marquee__V1__TextBody
    typealias CourseBody = Marquee__V1__CourseBody
    typealias CategoriesBody = Marquee__V1__CategoriesBody
    typealias PlaceBody = Marquee__V1__PlaceBody
    typealias OtherBody = Marquee__V1__OtherBody
    typealias FavoriteBody = Marquee__V1__FavoriteBody

    /// The descriptor of every message of the schema, in the schema's order.
    static var descriptors: [UnsafePointer<ProtobufCMessageDescriptor>] {
        [
            Cut.descriptor,
            Limits.descriptor,
            Status.descriptor,
            Hello.descriptor,
            Welcome.descriptor,
            Ping.descriptor,
            Pong.descriptor,
            Progress.descriptor,
            Ack.descriptor,
            GoAway.descriptor,
            Close.descriptor,
            SectionParameters.descriptor,
            HeldSection.descriptor,
            Resume.descriptor,
            Subscribe.descriptor,
            Unsubscribe.descriptor,
            SubscriptionError.descriptor,
            Binding.descriptor,
            Join.descriptor,
            Item.descriptor,
            FieldChange.descriptor,
            Part.descriptor,
            HeldVersion.descriptor,
            Nack.descriptor,
            Repair.descriptor,
            RebaseSection.descriptor,
            Rebase.descriptor,
            Manifest.descriptor,
            Request.descriptor,
            Answer.descriptor,
            Cancel.descriptor,
            GetScreenRequest.descriptor,
            Content.descriptor,
            GetScreenAnswer.descriptor,
            SearchRequest.descriptor,
            SearchAnswer.descriptor,
            FavoriteRequest.descriptor,
            PublishRequest.descriptor,
            MutationAnswer.descriptor,
            HealthAnswer.descriptor,
            SortDescription.descriptor,
            SectionDescription.descriptor,
            ScreenDescription.descriptor,
            DescribeRequest.descriptor,
            DescribeAnswer.descriptor,
            Dimension.descriptor,
            Insets.descriptor,
            Anchor.descriptor,
            Supplementary.descriptor,
            LayoutNode.descriptor,
            Layout.descriptor,
            Action.descriptor,
            Supplement.descriptor,
            SectionHead.descriptor,
            ViewHead.descriptor,
            SectionReference.descriptor,
            Image.descriptor,
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
            PlaceBody.descriptor, OtherBody.descriptor,
            FavoriteBody.descriptor,
        ]
    }
}

extension Proto.Cut: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__cut__init(message) }
}
extension Proto.Limits: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__limits__init(message) }
}
extension Proto.Status: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__status__init(message) }
}
extension Proto.Hello: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__hello__init(message) }
}
extension Proto.Welcome: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__welcome__init(message) }
}
extension Proto.Ping: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__ping__init(message) }
}
extension Proto.Pong: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__pong__init(message) }
}
extension Proto.Progress: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__progress__init(message) }
}
extension Proto.Ack: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__ack__init(message) }
}
extension Proto.GoAway: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__go_away__init(message) }
}
extension Proto.Close: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__close__init(message) }
}
extension Proto.SectionParameters: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__section_parameters__init(message) }
}
extension Proto.HeldSection: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__held_section__init(message) }
}
extension Proto.Resume: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__resume__init(message) }
}
extension Proto.Subscribe: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__subscribe__init(message) }
}
extension Proto.Unsubscribe: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__unsubscribe__init(message) }
}
extension Proto.SubscriptionError: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__subscription_error__init(message) }
}
extension Proto.Binding: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__binding__init(message) }
}
extension Proto.Join: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__join__init(message) }
}
extension Proto.Item: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__item__init(message) }
}
extension Proto.FieldChange: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__field_change__init(message) }
}
extension Proto.Part: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__part__init(message) }
}
extension Proto.HeldVersion: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__held_version__init(message) }
}
extension Proto.Nack: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__nack__init(message) }
}
extension Proto.Repair: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__repair__init(message) }
}
extension Proto.RebaseSection: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__rebase_section__init(message) }
}
extension Proto.Rebase: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__rebase__init(message) }
}
extension Proto.Manifest: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__manifest__init(message) }
}
extension Proto.Request: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__request__init(message) }
}
extension Proto.Answer: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__answer__init(message) }
}
extension Proto.Cancel: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__cancel__init(message) }
}
extension Proto.GetScreenRequest: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__get_screen_request__init(message) }
}
extension Proto.Content: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__content__init(message) }
}
extension Proto.GetScreenAnswer: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__get_screen_answer__init(message) }
}
extension Proto.SearchRequest: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__search_request__init(message) }
}
extension Proto.SearchAnswer: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__search_answer__init(message) }
}
extension Proto.FavoriteRequest: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__favorite_request__init(message) }
}
extension Proto.PublishRequest: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__publish_request__init(message) }
}
extension Proto.MutationAnswer: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__mutation_answer__init(message) }
}
extension Proto.HealthAnswer: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__health_answer__init(message) }
}
extension Proto.SortDescription: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__sort_description__init(message) }
}
extension Proto.SectionDescription: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__section_description__init(message) }
}
extension Proto.ScreenDescription: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__screen_description__init(message) }
}
extension Proto.DescribeRequest: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__describe_request__init(message) }
}
extension Proto.DescribeAnswer: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__describe_answer__init(message) }
}
extension Proto.Dimension: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__dimension__init(message) }
}
extension Proto.Insets: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__insets__init(message) }
}
extension Proto.Anchor: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__anchor__init(message) }
}
extension Proto.Supplementary: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__supplementary__init(message) }
}
extension Proto.LayoutNode: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__layout_node__init(message) }
}
extension Proto.Layout: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__layout__init(message) }
}
extension Proto.Action: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__action__init(message) }
}
extension Proto.Supplement: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__supplement__init(message) }
}
extension Proto.SectionHead: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__section_head__init(message) }
}
extension Proto.ViewHead: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__view_head__init(message) }
}
extension Proto.SectionReference: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__section_reference__init(message) }
}
extension Proto.Image: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__image__init(message) }
}
extension Proto.Certification: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__certification__init(message) }
}
extension Proto.MovieBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__movie_body__init(message) }
}
extension Proto.GenreBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__genre_body__init(message) }
}
extension Proto.CreditBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__credit_body__init(message) }
}
extension Proto.DetailBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__detail_body__init(message) }
}
extension Proto.ChartEntryBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__chart_entry_body__init(message) }
}
extension Proto.BannerBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__banner_body__init(message) }
}
extension Proto.TextBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__text_body__init(message) }
}
extension Proto.CourseBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__course_body__init(message) }
}
extension Proto.CategoriesBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__categories_body__init(message) }
}
extension Proto.PlaceBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__place_body__init(message) }
}
extension Proto.OtherBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__other_body__init(message) }
}
extension Proto.FavoriteBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__favorite_body__init(message) }
}
