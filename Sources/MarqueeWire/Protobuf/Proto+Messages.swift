package import CMarqueeProto

// Connects each generated message with its generated initializer.

extension Proto.Cut: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__cut__init(message) }
}
extension Proto.Limits: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__limits__init(message) }
}
extension Proto.Status: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__status__init(message) }
}
extension Proto.Hello: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__hello__init(message) }
}
extension Proto.Welcome: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__welcome__init(message) }
}
extension Proto.Ping: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__ping__init(message) }
}
extension Proto.Pong: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__pong__init(message) }
}
extension Proto.Progress: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__progress__init(message) }
}
extension Proto.Ack: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__ack__init(message) }
}
extension Proto.GoAway: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__go_away__init(message) }
}
extension Proto.Close: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__close__init(message) }
}
extension Proto.SectionParameters: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__section_parameters__init(message)
    }
}
extension Proto.HeldSection: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__held_section__init(message) }
}
extension Proto.Resume: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__resume__init(message) }
}
extension Proto.Subscribe: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__subscribe__init(message) }
}
extension Proto.Unsubscribe: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__unsubscribe__init(message) }
}
extension Proto.SubscriptionError: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__subscription_error__init(message)
    }
}
extension Proto.Binding: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__binding__init(message) }
}
extension Proto.Join: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__join__init(message) }
}
extension Proto.Item: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__item__init(message) }
}
extension Proto.FieldChange: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__field_change__init(message) }
}
extension Proto.Part: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__part__init(message) }
}
extension Proto.HeldVersion: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__held_version__init(message) }
}
extension Proto.Nack: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__nack__init(message) }
}
extension Proto.Repair: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__repair__init(message) }
}
extension Proto.RebaseSection: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__rebase_section__init(message) }
}
extension Proto.Rebase: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__rebase__init(message) }
}
extension Proto.Manifest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__manifest__init(message) }
}
extension Proto.Request: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__request__init(message) }
}
extension Proto.Answer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__answer__init(message) }
}
extension Proto.Cancel: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__cancel__init(message) }
}
extension Proto.GetScreenRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__get_screen_request__init(message)
    }
}
extension Proto.Content: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__content__init(message) }
}
extension Proto.GetScreenAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__get_screen_answer__init(message)
    }
}
extension Proto.SearchRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__search_request__init(message) }
}
extension Proto.SearchFilter: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__search_filter__init(message) }
}
extension Proto.SearchFacet: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__search_facet__init(message) }
}
extension Proto.SearchFacetValue: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__search_facet_value__init(message)
    }
}
extension Proto.SearchAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__search_answer__init(message) }
}
extension Proto.CollectionRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__collection_request__init(message)
    }
}
extension Proto.PublishRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__publish_request__init(message)
    }
}
extension Proto.SourceMove: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__source_move__init(message) }
}
extension Proto.SourceRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__source_request__init(message) }
}
extension Proto.SourceReport: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__source_report__init(message) }
}
extension Proto.SourceState: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__source_state__init(message) }
}
extension Proto.SourceTrouble: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__source_trouble__init(message) }
}
extension Proto.SourceAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__source_answer__init(message) }
}
extension Proto.RecordSumsRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__record_sums_request__init(message)
    }
}
extension Proto.RecordSumsAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__record_sums_answer__init(message)
    }
}
extension Proto.DraftsRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__drafts_request__init(message) }
}
extension Proto.DraftsAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__drafts_answer__init(message) }
}
extension Proto.RenewRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__renew_request__init(message)
    }
}
extension Proto.RenewAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__renew_answer__init(message)
    }
}
extension Proto.IntroduceRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__introduce_request__init(message)
    }
}
extension Proto.IntroduceAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__introduce_answer__init(message)
    }
}
extension Proto.Dismiss: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__dismiss__init(message) }
}
extension Proto.GuestEnded: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__guest_ended__init(message) }
}
extension Proto.UserProgress: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__user_progress__init(message) }
}
extension Proto.PlanAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__plan_answer__init(message) }
}
extension Proto.PlannedSection: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__planned_section__init(message)
    }
}
extension Proto.Replan: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__replan__init(message) }
}
extension Proto.Observation: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__observation__init(message) }
}
extension Proto.ReportRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__report_request__init(message) }
}
extension Proto.MutationAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__mutation_answer__init(message)
    }
}
extension Proto.HealthAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__health_answer__init(message) }
}
extension Proto.RecordCount: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__record_count__init(message) }
}
extension Proto.SortDescription: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__sort_description__init(message)
    }
}
extension Proto.SectionDescription: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__section_description__init(message)
    }
}
extension Proto.ScreenDescription: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__screen_description__init(message)
    }
}
extension Proto.DescribeRequest: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__describe_request__init(message)
    }
}
extension Proto.DescribeAnswer: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__describe_answer__init(message)
    }
}
extension Proto.Dimension: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__dimension__init(message) }
}
extension Proto.Insets: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__insets__init(message) }
}
extension Proto.Spacing: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__spacing__init(message) }
}
extension Proto.EdgeSpacing: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__edge_spacing__init(message) }
}
extension Proto.Anchor: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__anchor__init(message) }
}
extension Proto.Supplementary: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__supplementary__init(message) }
}
extension Proto.LayoutNode: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__layout_node__init(message) }
}
extension Proto.Layout: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__layout__init(message) }
}
extension Proto.Action: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__action__init(message) }
}
extension Proto.Supplement: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__supplement__init(message) }
}
extension Proto.NamedSupplement: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__named_supplement__init(message)
    }
}
extension Proto.Counting: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__counting__init(message) }
}
extension Proto.SectionHead: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__section_head__init(message) }
}
extension Proto.ViewHead: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__view_head__init(message) }
}
extension Proto.SectionReference: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) {
        marquee__v1__section_reference__init(message)
    }
}
extension Proto.Image: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__image__init(message) }
}
extension Proto.CardBadge: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_badge__init(message) }
}
extension Proto.CardRating: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_rating__init(message) }
}
extension Proto.CardPrice: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_price__init(message) }
}
extension Proto.CardRank: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_rank__init(message) }
}
extension Proto.CardProgress: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_progress__init(message) }
}
extension Proto.CardFact: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_fact__init(message) }
}
extension Proto.CardRecord: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_record__init(message) }
}
extension Proto.CardBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__card_body__init(message) }
}
extension Proto.OtherBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__other_body__init(message) }
}
extension Proto.MemberBody: ProtobufMessage {
    package static func initialize(_ message: UnsafeMutablePointer<Self>) { marquee__v1__member_body__init(message) }
}
