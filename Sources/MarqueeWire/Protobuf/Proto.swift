package import CMarqueeProto

/// Short names of the generated types.
package enum Proto {
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
    typealias SearchFilter = Marquee__V1__SearchFilter
    typealias SearchFacet = Marquee__V1__SearchFacet
    typealias SearchFacetValue = Marquee__V1__SearchFacetValue
    typealias CollectionRequest = Marquee__V1__CollectionRequest
    typealias PublishRequest = Marquee__V1__PublishRequest
    typealias SourceMove = Marquee__V1__SourceMove
    typealias SourceRequest = Marquee__V1__SourceRequest
    typealias SourceReport = Marquee__V1__SourceReport
    typealias SourceState = Marquee__V1__SourceState
    typealias SourceTrouble = Marquee__V1__SourceTrouble
    typealias SourceAnswer = Marquee__V1__SourceAnswer
    typealias RecordSumsRequest = Marquee__V1__RecordSumsRequest
    typealias RecordSumsAnswer = Marquee__V1__RecordSumsAnswer
    typealias DraftsRequest = Marquee__V1__DraftsRequest
    typealias DraftsAnswer = Marquee__V1__DraftsAnswer
    typealias RenewRequest = Marquee__V1__RenewRequest
    typealias RenewAnswer = Marquee__V1__RenewAnswer
    typealias Observation = Marquee__V1__Observation
    typealias ReportRequest = Marquee__V1__ReportRequest
    typealias MutationAnswer = Marquee__V1__MutationAnswer
    typealias HealthAnswer = Marquee__V1__HealthAnswer
    typealias RecordCount = Marquee__V1__RecordCount
    typealias SortDescription = Marquee__V1__SortDescription
    typealias SectionDescription = Marquee__V1__SectionDescription
    typealias ScreenDescription = Marquee__V1__ScreenDescription
    typealias DescribeRequest = Marquee__V1__DescribeRequest
    typealias DescribeAnswer = Marquee__V1__DescribeAnswer
    typealias IntroduceRequest = Marquee__V1__IntroduceRequest
    typealias IntroduceAnswer = Marquee__V1__IntroduceAnswer
    typealias Dismiss = Marquee__V1__Dismiss
    typealias GuestEnded = Marquee__V1__GuestEnded
    typealias UserProgress = Marquee__V1__UserProgress
    typealias PlanAnswer = Marquee__V1__PlanAnswer
    typealias PlannedSection = Marquee__V1__PlannedSection
    typealias Replan = Marquee__V1__Replan
    typealias Dimension = Marquee__V1__Dimension
    typealias Insets = Marquee__V1__Insets
    typealias Spacing = Marquee__V1__Spacing
    typealias EdgeSpacing = Marquee__V1__EdgeSpacing
    typealias Anchor = Marquee__V1__Anchor
    typealias Supplementary = Marquee__V1__Supplementary
    typealias LayoutNode = Marquee__V1__LayoutNode
    typealias Layout = Marquee__V1__Layout
    package typealias Action = Marquee__V1__Action
    typealias Supplement = Marquee__V1__Supplement
    typealias NamedSupplement = Marquee__V1__NamedSupplement
    typealias Counting = Marquee__V1__Counting
    typealias SectionHead = Marquee__V1__SectionHead
    typealias ViewHead = Marquee__V1__ViewHead
    typealias SectionReference = Marquee__V1__SectionReference
    package typealias Image = Marquee__V1__Image
    typealias CardBadge = Marquee__V1__CardBadge
    typealias CardRating = Marquee__V1__CardRating
    typealias CardPrice = Marquee__V1__CardPrice
    typealias CardRank = Marquee__V1__CardRank
    typealias CardProgress = Marquee__V1__CardProgress
    typealias CardFact = Marquee__V1__CardFact
    typealias CardRecord = Marquee__V1__CardRecord
    typealias CardBody = Marquee__V1__CardBody
    typealias OtherBody = Marquee__V1__OtherBody
    typealias MemberBody = Marquee__V1__MemberBody

    /// The descriptors of all messages, in schema order.
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
            SearchFilter.descriptor,
            SearchFacet.descriptor,
            SearchFacetValue.descriptor,
            SearchAnswer.descriptor,
            CollectionRequest.descriptor,
            PublishRequest.descriptor,
            SourceMove.descriptor,
            SourceRequest.descriptor,
            SourceReport.descriptor,
            SourceState.descriptor,
            SourceTrouble.descriptor,
            SourceAnswer.descriptor,
            RecordSumsRequest.descriptor,
            RecordSumsAnswer.descriptor,
            DraftsRequest.descriptor,
            DraftsAnswer.descriptor,
            RenewRequest.descriptor,
            RenewAnswer.descriptor,
            Observation.descriptor,
            ReportRequest.descriptor,
            MutationAnswer.descriptor,
            HealthAnswer.descriptor,
            RecordCount.descriptor,
            SortDescription.descriptor,
            SectionDescription.descriptor,
            ScreenDescription.descriptor,
            DescribeRequest.descriptor,
            DescribeAnswer.descriptor,
            IntroduceRequest.descriptor,
            IntroduceAnswer.descriptor,
            Dismiss.descriptor,
            GuestEnded.descriptor,
            UserProgress.descriptor,
            PlanAnswer.descriptor,
            PlannedSection.descriptor,
            Replan.descriptor,
            Dimension.descriptor,
            Insets.descriptor,
            Spacing.descriptor,
            EdgeSpacing.descriptor,
            Anchor.descriptor,
            Supplementary.descriptor,
            LayoutNode.descriptor,
            Layout.descriptor,
            Action.descriptor,
            Supplement.descriptor,
            NamedSupplement.descriptor,
            Counting.descriptor,
            SectionHead.descriptor,
            ViewHead.descriptor,
            SectionReference.descriptor,
            Image.descriptor,
            CardBadge.descriptor,
            CardRating.descriptor,
            CardPrice.descriptor,
            CardRank.descriptor,
            CardProgress.descriptor,
            CardFact.descriptor,
            CardRecord.descriptor,
            CardBody.descriptor,
            OtherBody.descriptor,
            MemberBody.descriptor,
        ]
    }
}
