import MarqueeImport
import MarqueePublisher
import Testing

@testable import marquee_server

/// The rows of an outbox that are published together, and the way past those that a server refuses.
@Suite final class OutboxCourseTests {
    private var course = OutboxCourse()

    private static func places(_ pairs: [(Int64, Int64)]) -> [OutboxPlace] {
        pairs.map { OutboxPlace(id: $0.0, last: $0.1) }
    }

    private static func document(_ id: Int64) -> [UInt8] { Array("\(id)".utf8) }

    /// The next step that isn't to read, with rows of one change each.
    private func next(
        _ documents: (Int64) -> [[UInt8]] = { [OutboxCourseTests.document($0)] }
    ) -> OutboxCourse.Step {
        while true {
            let step = course.next()
            guard case .read(let ids) = step else { return step }
            course.read(ids.map { .row(OutboxRow(id: $0, documents: documents($0))) })
        }
    }

    private static func publish(_ ids: [Int64]) -> OutboxCourse.Step {
        .publish(.init(ids: ids, documents: ids.map(document)))
    }

    @Test func `Transactions that are there are published together`() {
        #expect(course.next() == .lookForRows)
        course.found(Self.places([(2, 3), (3, 3), (1, 4), (4, 4)]), isAll: true)
        #expect(next() == Self.publish([2, 3, 1, 4]))
        course.published()
        #expect(next() == .lookForRows)
    }

    /// Of transactions of 40 rows, more bytes are read than are waited for before the first is whole.
    @Test(arguments: [(10, [30, 30]), (40, [40, 20])])
    func `A publication ends with a whole transaction`(rows: Int, expected: [Int]) {
        let (size, rows) = (50_000, Int64(rows))
        course.found(Self.places((1...60).map { ($0, ($0 + rows - 1) / rows * rows) }), isAll: true)
        var published: [Int] = []
        while case .publish(let publication) = next({ _ in [[UInt8](repeating: 0x20, count: size)] }) {
            #expect(!publication.isPiece)
            published.append(publication.ids.count)
            course.published()
        }
        #expect(published == expected)
    }

    @Test func `A transaction that doesn't fit is published in pieces`() {
        let size = 50_000
        course.found(Self.places([(0, 0)] + (1...400).map { ($0, 400) } + [(401, 401)]), isAll: true)
        var published: [OutboxCourse.Publication] = []
        while case .publish(let publication) = next({ _ in [[UInt8](repeating: 0x20, count: size)] }) {
            published.append(publication)
            course.published()
        }
        #expect(published.map(\.ids.first) == [0, 1, 168, 335, 401])
        #expect(published.map(\.isPiece) == [false, true, true, false, false])
        #expect(published.flatMap(\.ids) == Array(0...401))
    }

    @Test func `The last transaction of some is left for later, as it may have more rows`() {
        course.found(Self.places([(1, 1), (2, 9), (3, 9)]), isAll: false)
        #expect(next() == Self.publish([1]))
        course.published()
        #expect(next() == .lookForRows)
        course.found(Self.places([(2, 9), (3, 9)]), isAll: false)
        #expect(next() == Self.publish([2, 3]), "alone it would never be read otherwise")
    }

    @Test func `A refused row is set aside, and then each transaction is tried alone for a while`() {
        course.found(Self.places([(1, 1), (2, 3), (3, 3), (4, 4), (5, 5), (6, 6)]), isAll: true)
        func two(_ id: Int64) -> [[UInt8]] { [Self.document(id), Self.document(id)] }
        guard case .publish(let first) = next(two) else {
            Issue.record("nothing to publish")
            return
        }
        #expect(first.ids == [1, 2, 3, 4, 5, 6] && first.documents.count == 12)
        // The second change of the second row.
        course.refused(3, "no")
        #expect(next(two) == .setAside(2, reason: "no"))
        var ids: [[Int64]] = []
        while case .publish(let publication) = next(two) {
            ids.append(publication.ids)
            course.published()
        }
        #expect(ids == [[1], [3, 4], [5, 6]])
    }

    @Test func `A refusal that names no change ends at a single row`() {
        course.found(Self.places([(1, 1), (2, 4), (3, 4), (4, 4)]), isAll: true)
        #expect(next() == Self.publish([1, 2, 3, 4]))
        course.refused(nil, "no")
        #expect(next() == Self.publish([1]))
        course.published()
        #expect(next() == Self.publish([2, 3, 4]))
        course.refused(nil, "no")
        #expect(next() == Self.publish([2]))
        course.published()
        #expect(next() == Self.publish([3]))
        course.refused(nil, "no")
        #expect(next() == .setAside(3, reason: "no"))
        #expect(next() == Self.publish([4]))
        course.published()
        #expect(next() == .lookForRows)
    }

    @Test func `Rows that can't be published are set aside, and those that are gone are forgotten`() {
        course.found(Self.places([(1, 4), (2, 4), (3, 4), (4, 4)]), isAll: true)
        #expect(course.next() == .read([1, 2, 3, 4]))
        let large = [UInt8](repeating: 0x20, count: 100_000)
        course.read([
            .bad(id: 1, reason: "no JSON"), .row(OutboxRow(id: 3, documents: [large])),
            .row(OutboxRow(id: 4, documents: [])),
        ])
        #expect(course.next() == .setAside(1, reason: "no JSON"))
        guard case .setAside(3, let reason) = course.next() else {
            Issue.record("row 3 is too large")
            return
        }
        #expect(reason.contains("100000 bytes"))
        #expect(course.next() == .publish(.init(ids: [4], documents: [])), "a row without a change is done with")
    }
}
