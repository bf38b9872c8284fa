import JSON
import Testing

@testable import Console
@testable import Network

/// What is known of requests that nobody looked at.
@Suite("Outlines of requests")
struct RequestOutlineTests {
    private func outline(_ number: UInt64, status: Int = 200) -> RequestOutline {
        RequestOutline(ended: MonotonicTime(nanoseconds: number * 1_000_000), nanoseconds: 1_000, status: status)
    }

    @Test("the newest are kept, no more than their limit, and are given away once")
    func ring() {
        let ring = RecentRequests()
        let surplus = 7
        for number in 1...ConsoleLimits.outlinesMax + surplus { ring.add(outline(UInt64(number))) }
        let kept = ring.take().map(\.ended.nanoseconds).sorted()
        #expect(kept.count == ConsoleLimits.outlinesMax)
        #expect(kept.first == UInt64(surplus + 1) * 1_000_000)
        #expect(ring.take().isEmpty)
    }

    /// The time at which a row is made.
    private let now = (wall: Int64(10_000), monotonic: MonotonicTime(nanoseconds: 5_000_000_000))

    @Test("a row says when it was, which service was called, and why it was refused")
    func service() {
        var one = outline(3_000, status: 400)
        one.call = ("sign-in", "InitiateAuth")
        one.reason = "Incorrect username or password."
        let head = one.head(nil, at: now)
        #expect(head.at == 8_000)
        #expect(head.service == "sign-in" && head.fields as [String] == ["InitiateAuth"])
        #expect(head.result == "refused")
        #expect(head.errors == [["message": "Incorrect username or password."]])
    }

    @Test("an operation whose answer had errors is no success, whatever its status")
    func errors() {
        var operation = RequestOutline.Operation()
        (operation.kind, operation.field, operation.caller) = ("query", "listPosts", "api-key")
        operation.errorTypes = ["ValidationError"]
        let head = outline(1).head(operation, at: now)
        #expect(head.result == "error" && head.callerLabel == "api-key")
        operation.errorTypes = ["Unauthorized"]
        #expect(outline(1).head(operation, at: now).result == "denied")
        #expect(outline(1, status: 401).head(nil, at: now).result == "denied")
        operation.errorTypes = []
        #expect(outline(1).head(operation, at: now).result == "ok")
    }

    @Test("a long reason is cut")
    func longReason() {
        var one = outline(1, status: 400)
        one.reason = String(repeating: "x", count: ConsoleLimits.outlineTextBytesMax + 1)
        let text = one.head(nil, at: now).errors.first?["message"]?.string ?? ""
        #expect(text.utf8.count == ConsoleLimits.outlineTextBytesMax + "…".utf8.count)
    }

    @Test("requests from before the first look are rows, and the newest stay when nobody looks any more")
    func feed() {
        let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
        let feed = LiveFeed(keepsHeads: true)
        feed.adopt([outline(1).head(nil, at: now), outline(2).head(nil, at: now)])
        let end = feed.glance(at: start)
        for _ in 0..<ConsoleLimits.outlinesMax {
            var head = StoryJSON.Head()
            head.id = feed.number()
            feed.add(head, nil)
        }
        let epoch = feed.recent(.max).epoch
        #expect(feed.recent(.max).stories.count == ConsoleLimits.outlinesMax + 2)
        #expect(feed.forget(at: end))
        let after = feed.recent(.max)
        #expect(after.stories.count == ConsoleLimits.outlinesMax && !feed.isWanted)
        #expect(ByteText(after.epoch) == ByteText(epoch))
    }
}
