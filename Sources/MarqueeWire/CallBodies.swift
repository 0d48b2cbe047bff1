package import MarqueeModel

// The bodies of requests and answers, as values; `CallBodyCodec` encodes them.

package struct GetScreenRequest: Hashable, Sendable {
    package var screen: String
    package var locale: String?
    package var sections: [SectionParameters]
    /// The claims and audiences of an imagined reader, such as `plan=free`; empty for the client itself.
    package var reader: [String] = []
    /// The moment to show; `nil` for the present.
    package var at: Moment?

    /// A draft to apply; `nil` for the catalogue alone.
    package var draft: String?

    /// The most bytes of a draft's name.
    package static let maximumDraftBytes = 64
    /// The most texts of `reader`, and the bytes of one.
    package static let maximumReaderTexts: UInt32 = 64
    package static let maximumReaderBytes = 1_024

    package init(screen: String, locale: String? = nil, sections: [SectionParameters] = []) {
        self.screen = screen
        self.locale = locale
        self.sections = sections
    }

    /// Whether it asks for a screen as another reader would see it, or at another moment.
    package var isImagined: Bool { !reader.isEmpty || at != nil }
    /// Whether it asks for another screen than the client's own, such as one with a draft.
    package var isPreview: Bool { isImagined || draft != nil }
}

/// A whole version as carried by an answer.
package struct ScreenContent: Hashable, Sendable {
    /// The section's id; empty for the view's own list.
    package var id: String
    package var head: [UInt8]
    package var items: [Item]
    package var sum: UInt64
    /// In a preview, the audiences whose value is shown, of each of the section's lists of values by audience; an empty
    /// text stands for the value for everybody else.
    package var audiences: [String] = []

    package init(id: String, head: [UInt8], items: [Item], sum: UInt64) {
        self.id = id
        self.head = head
        self.items = items
        self.sum = sum
    }
}

package struct GetScreenAnswer: Hashable, Sendable {
    package var screen: String
    package var locale: String
    package var cut: Cut
    package var view: ScreenContent
    package var sections: [ScreenContent]
    /// Whether it is the preview that the request asked for. Servers that know no previews leave it out.
    package var isPreview = false
    /// The draft that it shows. A server that knows no drafts says nothing.
    package var draft: String?

    package init(screen: String, locale: String, cut: Cut, view: ScreenContent, sections: [ScreenContent]) {
        self.screen = screen
        self.locale = locale
        self.cut = cut
        self.view = view
        self.sections = sections
    }
}

package struct SearchRequest: Hashable, Sendable {
    package var query: String
    package var queryID: UInt64
    package var page: UInt32
    package var locale: String?
    /// Matches have all these values.
    package var filters: [Filter] = []
    /// The fields whose values among the matches are counted.
    package var facets: [String] = []

    /// A value that matches have in a field.
    package struct Filter: Hashable, Sendable {
        package var field: String
        package var value: String

        package init(field: String, value: String) {
            self.field = field
            self.value = value
        }
    }

    /// Stands among `facets` for all that the types declare.
    package static let everyFacet = "*"
    /// Limits on a request, and on the bytes of a field or value.
    package static let maximumFilters: UInt32 = 8
    package static let maximumFilterBytes = 256

    package init(query: String, queryID: UInt64, page: UInt32 = 1, locale: String? = nil) {
        self.query = query
        self.queryID = queryID
        self.page = page
        self.locale = locale
    }
}

package struct SearchAnswer: Hashable, Sendable {
    package var queryID: UInt64
    package var items: [Item]
    package var total: UInt32
    /// Whether there are more matches than `total`.
    package var isTotalCapped: Bool
    package var page: UInt32
    package var pages: UInt32
    /// The position searched; only its catalogue components.
    package var cut: Cut
    package var facets: [Facet] = []
    /// How many filters were applied. Servers that know none leave it out.
    package var filters: UInt32 = 0

    /// How many of the counted matches have the most frequent values of a field.
    package struct Facet: Hashable, Sendable {
        package struct Value: Hashable, Sendable {
            package var value: String
            package var count: UInt32

            package init(value: String, count: UInt32) {
                self.value = value
                self.count = count
            }
        }

        package var field: String
        package var values: [Value]

        package init(field: String, values: [Value]) {
            self.field = field
            self.values = values
        }
    }

    package init(
        queryID: UInt64, items: [Item], total: UInt32, isTotalCapped: Bool = false, page: UInt32, pages: UInt32,
        cut: Cut = Cut()
    ) {
        self.queryID = queryID
        self.items = items
        self.total = total
        self.isTotalCapped = isTotalCapped
        self.page = page
        self.pages = pages
        self.cut = cut
    }
}

/// Adds a subject to one of the user's collections, or removes it.
package struct CollectionRequest: Hashable, Sendable {
    package var number: UInt64
    package var answeredThrough: UInt64
    package var collection: CollectionName
    package var subject: String
    /// `true` to add the subject, `false` to remove it.
    package var isMember: Bool
    /// Stored with the member; `nil` if the collection stores no values.
    package var value: CollectionValue?

    package init(
        number: UInt64, answeredThrough: UInt64, collection: CollectionName = .favorites, subject: String,
        isMember: Bool, value: CollectionValue? = nil
    ) {
        self.number = number
        self.answeredThrough = answeredThrough
        self.collection = collection
        self.subject = subject
        self.isMember = isMember
        self.value = value
    }
}

package struct PublishRequest: Hashable, Sendable {
    package var number: UInt64
    package var answeredThrough: UInt64
    package var key: String?
    package var index: UInt32
    package var last: Bool
    /// JSON documents, each in the form of `Change`.
    package var changes: [[UInt8]]
    /// In the last part: the source's move that is committed with the changes.
    package var source: SourceMove?

    package init(
        number: UInt64, answeredThrough: UInt64, key: String? = nil, index: UInt32 = 0, last: Bool = true,
        changes: [[UInt8]], source: SourceMove? = nil
    ) {
        self.source = source
        self.number = number
        self.answeredThrough = answeredThrough
        self.key = key
        self.index = index
        self.last = last
        self.changes = changes
    }
}

/// Asks which drafts there are, or for the changes of one.
package struct DraftsRequest: Hashable, Sendable {
    /// `nil` for all that the client may know.
    package var draft: String?

    package init(draft: String? = nil) { self.draft = draft }
}

package struct DraftsAnswer: Hashable, Sendable {
    /// JSON: drafts, or the draft that was asked for and then what it changes.
    package var documents: [[UInt8]]

    package init(documents: [[UInt8]]) { self.documents = documents }
}

/// Reports which items of one section of a screen were seen and tapped.
package struct ReportRequest: Hashable, Sendable {
    package var number: UInt64
    package var answeredThrough: UInt64
    package var screen: String
    package var section: String
    /// At least one, at most `ItemEvent.perReport`.
    package var observations: [ItemEvent]

    package init(
        number: UInt64, answeredThrough: UInt64, screen: String, section: String, observations: [ItemEvent]
    ) {
        self.number = number
        self.answeredThrough = answeredThrough
        self.screen = screen
        self.section = section
        self.observations = observations
    }
}

package struct MutationAnswer: Hashable, Sendable {
    package var number: UInt64
    package var cut: CutChange
    package var changed: Bool

    package init(number: UInt64, cut: CutChange, changed: Bool) {
        self.number = number
        self.cut = cut
        self.changed = changed
    }
}

package struct HealthAnswer: Hashable, Sendable {
    package var state: String = "serving"
    package var cut = Cut()
    /// Whether the client may know the counts: of sessions, subscriptions, encodes, deliveries and records. Without
    /// that they are 0, and left out of the message.
    package var hasCounts = true
    package var sessions: UInt32 = 0
    package var subscriptions: UInt32 = 0
    package var uptimeMilliseconds: UInt64 = 0
    package var encodes: UInt64 = 0
    package var deliveries: UInt64 = 0
    package var version: String = ""
    package var records: [RecordCount] = []
    /// How long a relay has been without its upstream server, or a server without its database; `nil` if neither is.
    package var staleMilliseconds: UInt64?
    /// For how long no change could be stored; `nil` if changes are stored, as far as is known.
    package var unwritableMilliseconds: UInt64?

    package init() {}
}

package struct SectionDescription: Hashable, Sendable {
    package var id: String
    package var kind: SectionKind
    package var sorts: [SortOption]
    package var windows: [UInt32]
    /// How many items to expect before data arrives.
    package var placeholders: UInt32
    /// The most rows of a window anywhere in the list; 0 for a section without such windows.
    package var anywhere: UInt32

    package init(
        id: String, kind: SectionKind, sorts: [SortOption], windows: [UInt32], placeholders: UInt32 = 0,
        anywhere: UInt32 = 0
    ) {
        self.id = id
        self.kind = kind
        self.sorts = sorts
        self.windows = windows
        self.placeholders = placeholders
        self.anywhere = anywhere
    }
}

package struct ScreenDescription: Hashable, Sendable {
    /// Such as `episode/<id>`.
    package var pattern: String
    package var title: String
    /// An existing screen that matches the pattern, if any.
    package var example: String?
    package var sections: [SectionDescription]

    package init(pattern: String, title: String, example: String?, sections: [SectionDescription]) {
        self.pattern = pattern
        self.title = title
        self.example = example
        self.sections = sections
    }
}

package struct DescribeAnswer: Hashable, Sendable {
    package var screens: [ScreenDescription]
    package var locales: [String]

    package init(screens: [ScreenDescription], locales: [String]) {
        self.screens = screens
        self.locales = locales
    }
}
