import Access
import Engine
import JSON
import Testing

@testable import Console
@testable import Network
@testable import Realtime

/// What Live keeps is bounded, and what goes beyond a bound is said.
@Suite("Limits of Live")
struct LiveLimitTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000_000)

    private func head(_ id: Int64) -> StoryJSON.Head {
        var head = StoryJSON.Head()
        head.id = id
        return head
    }

    private func watched() -> LiveFeed {
        let feed = LiveFeed()
        _ = feed.glance(at: Self.start)
        return feed
    }

    @Test("nothing is kept while nobody looks")
    func unwatched() {
        let feed = LiveFeed()
        feed.add(head(1), nil)
        #expect(!feed.isWanted && feed.recent(10).stories.isEmpty)
    }

    @Test("the ring has the newest stories, and no more than its limit")
    func stories() {
        let feed = watched()
        let surplus = 5
        for id in 1...ConsoleLimits.storiesMax + surplus { feed.add(head(Int64(id)), nil) }
        let kept = feed.recent(.max).stories
        #expect(kept.count == ConsoleLimits.storiesMax)
        #expect(kept.first?.head.id == Int64(ConsoleLimits.storiesMax + surplus))
        #expect(feed.kept(Int64(surplus)) == nil && feed.kept(Int64(surplus + 1)) != nil)
    }

    @Test("the ring has no more bytes than its limit, however few stories those are")
    func bytes() {
        let feed = watched()
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: ConsoleLimits.storyBytesMax)
        let count = ConsoleLimits.ringBytesMax / ConsoleLimits.storyBytesMax
        for id in 1...count + 10 { feed.add(head(Int64(id)), OperationStory(of: body)) }
        let kept = feed.recent(.max).stories
        #expect(kept.count < count && kept.count > count / 2)
        #expect(kept.reduce(0) { $0 + $1.bytes } <= ConsoleLimits.ringBytesMax)
    }

    @Test("a request that is longer than what is kept is counted, not kept")
    func longBody() {
        let story = OperationStory(of: [UInt8](repeating: 0, count: ConsoleLimits.storyBytesMax + 1))
        #expect(story.body.isEmpty && story.bodyBytes == ConsoleLimits.storyBytesMax + 1)
    }

    @Test("so many requests are noted at once; those beyond are served unnoted")
    func open() {
        let feed = watched()
        var numbers = SystemRandomNumberGenerator()
        func identifier() -> RequestIdentifier { RequestIdentifier(using: &numbers) }
        for _ in 0..<ConsoleLimits.storiesMax {
            #expect(feed.begin(identifier(), [], by: .apiKey, trace: nil) != nil)
        }
        #expect(feed.begin(identifier(), [], by: .apiKey, trace: nil) == nil)
    }

    @Test("so many listen at once, and a place that was left is free again")
    func listeners() throws {
        let feed = LiveFeed()
        let listeners = (0..<ConsoleLimits.listenersMax).compactMap { _ in feed.enter() }
        #expect(listeners.count == ConsoleLimits.listenersMax && feed.enter() == nil)
        _ = feed.leave(try #require(listeners.first), at: Self.start)
        #expect(feed.enter() != nil && feed.enter() == nil)
    }

    @Test("a listener who is too slow loses what does not fit, and learns how much")
    func slowListener() async throws {
        let feed = LiveFeed()
        let listener = try #require(feed.enter())
        let surplus = 7
        for id in 1...ConsoleLimits.waitingEventsMax + surplus { feed.add(head(Int64(id)), nil) }
        listener.tick()
        let told = try #require(await listener.next())
        #expect(told.frames.count == ConsoleLimits.waitingEventsMax && told.lost == surplus)
        listener.tick()
        #expect(await listener.next()?.lost == 0)
    }

    @Test("an event says of so many subscribers who got it, and of the others how many they are")
    func deliveries() throws {
        let feed = watched()
        let event = MutationEvent(mutationField: "createPost", typeName: "Post", value: [:], sequence: 1)
        // Two loops tell their part.
        for _ in 0..<2 {
            var sighting = EventSighting(event: event)
            for _ in 0..<ConsoleLimits.deliveriesMax { sighting.add(nil, "onCreatePost", isSent: true, "no filter") }
            feed.saw(sighting)
        }
        let kept = try #require(feed.recent(10).events.first)
        #expect(kept.deliveries.count == ConsoleLimits.deliveriesMax && kept.sent == 2 * ConsoleLimits.deliveriesMax)
        #expect(EventJSON.whole(kept)["more"]?.integer == Int64(ConsoleLimits.deliveriesMax))
    }

    @Test("so many events are kept")
    func events() {
        let feed = watched()
        for sequence in 1...ConsoleLimits.storiesMax + 3 {
            let event = MutationEvent(
                mutationField: "createPost", typeName: "Post", value: [:], sequence: UInt64(sequence))
            feed.saw(EventSighting(event: event))
        }
        #expect(feed.recent(.max).events.count == ConsoleLimits.storiesMax)
    }

    @Test(
        "what was seen is kept a while behind the last listener, longer behind who asks now and then, then given back")
    func forgetting() throws {
        let feed = LiveFeed()
        let listener = try #require(feed.enter())
        feed.add(head(1), nil)
        let end = try #require(feed.leave(listener, at: Self.start))
        #expect(end == Self.start.advanced(byMilliseconds: ConsoleLimits.forgetMilliseconds))
        #expect(!feed.forget(at: Self.start) && feed.isWanted)
        let later = feed.glance(at: end)
        #expect(!feed.forget(at: end) && feed.recent(1).stories.count == 1)
        let again = try #require(feed.enter())
        #expect(!feed.forget(at: later), "somebody listens")
        let last = try #require(feed.leave(again, at: later))
        #expect(feed.forget(at: last) && !feed.isWanted && feed.recent(1).stories.isEmpty)
    }

    @Test("so many subscriptions are followed at once, and a seat is given back once")
    func followed() {
        let followed = FollowedCount()
        for _ in 0..<ConsoleLimits.subscriptionsMax { #expect(followed.enter()) }
        #expect(!followed.enter())
        // An answer that was never written gives its seat back as well.
        var seat: StreamSeat? = StreamSeat { followed.leave() }
        seat?.end()
        seat = nil
        #expect(followed.enter() && !followed.enter())
    }
}
