internal import CMarqueeProto
internal import CProtobufC

// Each generated message with its generated initializer.

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
extension Proto.CollectionRequest: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__collection_request__init(message) }
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
extension Proto.RecordCount: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__record_count__init(message) }
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
extension Proto.CardBadge: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_badge__init(message) }
}
extension Proto.CardRating: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_rating__init(message) }
}
extension Proto.CardPrice: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_price__init(message) }
}
extension Proto.CardRank: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_rank__init(message) }
}
extension Proto.CardProgress: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_progress__init(message) }
}
extension Proto.CardFact: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_fact__init(message) }
}
extension Proto.CardRecord: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_record__init(message) }
}
extension Proto.CardBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_body__init(message) }
}
extension Proto.OtherBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__other_body__init(message) }
}
extension Proto.MemberBody: ProtobufMessage {
    static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__member_body__init(message) }
}
