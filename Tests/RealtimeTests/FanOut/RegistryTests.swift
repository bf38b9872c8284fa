import Engine
import JSON
import Network
import Synchronization
import Testing

@testable import Realtime

@Suite("Who gets which event")
struct RegistryTests {
    /// Keeps what it is brought.
    final class Carrier: EventCarrier {
        var received: [String] = []
        var whenCarried: (() -> Void)?
        var hasOneSubscription: Bool

        init(hasOneSubscription: Bool = false) {
            self.hasOneSubscription = hasOneSubscription
        }

        func carry(_ batch: EventBatch, _ head: [UInt8]) {
            #expect(batch.isWhole == hasOneSubscription)
            for payload in batch.payloads {
                received.append(Said.text(head) + Said.text(payload.response))
            }
            whenCarried?()
        }
    }

    let counters = RealtimeCounters()

    func registry(_ limits: RealtimeLimits = RealtimeLimits()) -> SubscriptionRegistry {
        SubscriptionRegistry(limits: limits, counters: counters)
    }

    static func room(_ room: String) throws -> PreparedSubscription {
        try TestAPI.prepared("subscription S($r: String) { onMessageInRoom(room: $r) { id } }", #"{"r":"\#(room)"}"#)
    }

    static func created(_ id: String, room: String = "red") -> MutationEvent {
        TestAPI.event("createMessage", #"{"id":"\#(id)","room":"\#(room)","level":1}"#)
    }

    @Test("identical work is done once, whatever the documents look like")
    func groups() throws {
        let registry = registry()
        let carrier = Carrier()
        let texts = [
            "subscription { onCreateMessage { id room } }",
            "subscription Named { onCreateMessage { ...F } } fragment F on Message { id room }",
            "subscription($b: Boolean = true) { onCreateMessage { id room @include(if: $b) } }",
        ]
        for (index, text) in texts.enumerated() {
            _ = registry.add(
                try TestAPI.prepared(text), SubscriptionGrant(), carrier, head: ServerFrame.head("\(index)"))
        }
        #expect(registry.groupCount == 1)
        registry.deliver([Self.created("1")])
        #expect(counters.value(.evaluations) == 1)
        #expect(counters.value(.payloads) == 1)
        let response = #"{"data":{"onCreateMessage":{"id":"1","room":"red"}}}"#
        #expect(carrier.received == (0..<3).map { #"{"id":"\#($0)","# + response })
    }

    @Test("other arguments, filters, classes and selections are other groups, and the same selection is written once")
    func tellsApart() throws {
        let registry = registry()
        let carrier = Carrier()
        let plain = try TestAPI.prepared("subscription { onCreateMessage { id } }")
        _ = registry.add(plain, SubscriptionGrant(), carrier, head: [])
        _ = registry.add(plain, SubscriptionGrant(accessClass: "b"), carrier, head: [])
        _ = registry.add(plain, SubscriptionGrant(filter: .equals("level", .integer(1))), carrier, head: [])
        _ = registry.add(
            try TestAPI.prepared("subscription { onCreateMessage { key: id } }"), SubscriptionGrant(), carrier, head: []
        )
        #expect(registry.groupCount == 4)
        #expect(registry.selectionCount == 2)
        registry.deliver([Self.created("1")])
        #expect(carrier.received.count == 4)
        #expect(counters.value(.payloads) == 2)
    }

    @Test("what the index finds is compared with the whole filter")
    func comparesWhole() throws {
        let registry = registry()
        let carrier = Carrier()
        let filter = EventFilter.equals("room", .text("red")).and(.condition("level", .gt, [.integer(1)]))
        _ = registry.add(
            try TestAPI.prepared("subscription { onCreateMessage { id } }"), SubscriptionGrant(filter: filter), carrier,
            head: [])
        for (id, level) in [("1", 1), ("2", 2), ("3", 0)] {
            registry.deliver([TestAPI.event("createMessage", #"{"id":"\#(id)","room":"red","level":\#(level)}"#)])
        }
        #expect(carrier.received == [#"{"data":{"onCreateMessage":{"id":"2"}}}"#])
    }

    @Test("who leaves takes nobody along who asks for the same value")
    func leavesAlone() throws {
        let registry = registry()
        let (one, other) = (Carrier(), Carrier())
        let plain = try Self.room("red")
        let renamed = try TestAPI.prepared(
            "subscription S($r: String) { onMessageInRoom(room: $r) { key: id } }", #"{"r":"red"}"#)
        let first = try #require(registry.add(plain, SubscriptionGrant(), one, head: []))
        _ = registry.add(renamed, SubscriptionGrant(), other, head: [])
        registry.remove(first)
        registry.deliver([Self.created("1")])
        #expect(one.received == [])
        #expect(other.received.count == 1)
    }

    @Test("one of five thousand is found without looking at the others")
    func looksUp() throws {
        let registry = registry()
        let carriers = try (0..<5_000).map { number in
            let carrier = Carrier()
            _ = registry.add(try Self.room("r\(number)"), SubscriptionGrant(), carrier, head: [])
            return carrier
        }
        registry.deliver([Self.created("1", room: "r77")])
        #expect(counters.value(.evaluations) == 1)
        #expect(counters.value(.deliveries) == 1)
        #expect(carriers.enumerated().allSatisfy { ($0.offset == 77) == ($0.element.received.count == 1) })
        registry.deliver([Self.created("2", room: "none")])
        #expect(counters.value(.evaluations) == 1)
    }

    @Test("what rules ask for is looked up too, owners and groups alike")
    func looksUpRules() throws {
        let registry = registry()
        let plain = try TestAPI.prepared("subscription { onCreateMessage { id } }")
        var carriers: [Carrier] = []
        for number in 0..<1_000 {
            let carrier = Carrier()
            carriers.append(carrier)
            let filter = EventFilter.any([
                .equals("room", .text("owner\(number)")),
                .condition("tags", .containsAny, [.text("g\(number)"), .text("all")]),
            ])
            _ = registry.add(plain, SubscriptionGrant(filter: filter), carrier, head: [])
        }
        registry.deliver([TestAPI.event("createMessage", #"{"id":"1","room":"owner5","tags":["g5","g6","g6"]}"#)])
        #expect(counters.value(.evaluations) == 2)
        #expect(carriers.enumerated().filter { !$0.element.received.isEmpty }.map(\.offset) == [5, 6])
        // Found twice, delivered once.
        #expect(carriers[5].received.count == 1)
        registry.deliver([TestAPI.event("createMessage", #"{"id":"2","tags":["all"]}"#)])
        #expect(counters.value(.deliveries) == 1_002)
    }

    @Test("events come in their order, and only those of the mutations that the schema names")
    func keepsOrder() throws {
        let registry = registry()
        let carrier = Carrier()
        _ = registry.add(try TestAPI.prepared("subscription { onAny { id } }"), SubscriptionGrant(), carrier, head: [])
        _ = registry.add(
            try TestAPI.prepared("subscription { onNothing { id } }"), SubscriptionGrant(), carrier, head: [])
        registry.deliver([
            Self.created("1"), TestAPI.event("updateMessage", #"{"id":"2"}"#),
            TestAPI.event("deleteMessage", #"{"id":"3"}"#),
            Self.created("4"),
        ])
        #expect(carrier.received == ["1", "2", "4"].map { #"{"data":{"onAny":{"id":"\#($0)"}}}"# })
    }

    @Test("groups that nobody is in any more go away")
    func cleansUp() throws {
        let registry = registry()
        let carrier = Carrier()
        let subscribers = try (0..<100).compactMap { number in
            registry.add(
                try Self.room("r\(number % 10)"),
                SubscriptionGrant(filter: number.isMultiple(of: 2) ? nil : .condition("level", .gt, [.integer(0)])),
                carrier, head: [])
        }
        #expect(subscribers.count == 100)
        for subscriber in subscribers.shuffled() {
            registry.remove(subscriber)
            registry.remove(subscriber)
        }
        #expect(registry.groupCount == 0)
        #expect(registry.selectionCount == 0)
        #expect(registry.subscriberCount == 0)
        registry.deliver([Self.created("1")])
        #expect(counters.value(.evaluations) == 0)
        #expect(counters.value(.subscriptionsStarted) == 100)
        #expect(counters.value(.subscriptionsEnded) == 100)
    }

    @Test("who has several subscriptions gets event by event, who has one gets all its events at once")
    func joinsEvents() throws {
        let registry = registry()
        let several = Carrier()
        let one = Carrier(hasOneSubscription: true)
        let created = try TestAPI.prepared("subscription { onCreateMessage { id } }")
        let any = try TestAPI.prepared("subscription { onAny { id } }")
        for (id, subscription) in [("c", created), ("a", any)] {
            _ = registry.add(subscription, SubscriptionGrant(), several, head: ServerFrame.head(id))
        }
        _ = registry.add(any, SubscriptionGrant(), one, head: [])
        var carried = 0
        one.whenCarried = { carried += 1 }
        registry.deliver([
            Self.created("1"), TestAPI.event("updateMessage", #"{"id":"2"}"#), Self.created("3"),
        ])
        #expect(
            several.received == [
                #"{"id":"c",{"data":{"onCreateMessage":{"id":"1"}}}"#, #"{"id":"a",{"data":{"onAny":{"id":"1"}}}"#,
                #"{"id":"a",{"data":{"onAny":{"id":"2"}}}"#, #"{"id":"c",{"data":{"onCreateMessage":{"id":"3"}}}"#,
                #"{"id":"a",{"data":{"onAny":{"id":"3"}}}"#,
            ])
        #expect(one.received == ["1", "2", "3"].map { #"{"data":{"onAny":{"id":"\#($0)"}}}"# })
        #expect(carried == 1)
        #expect(counters.value(.deliveries) == 8)
    }

    @Test("who gets a second subscription gets event by event, and all at once again when it is over")
    func countsSubscriptions() throws {
        let registry = registry()
        let carrier = Carrier(hasOneSubscription: true)
        var carried: [Int] = []
        carrier.whenCarried = { carried.append(carrier.received.count) }
        let subscriber = try #require(
            registry.add(
                try TestAPI.prepared("subscription { onCreateMessage { id } }"), SubscriptionGrant(), carrier, head: [])
        )
        for hasOne in [true, false, true] {
            carrier.hasOneSubscription = hasOne
            subscriber.carrierChanged()
            registry.deliver([Self.created("1"), Self.created("2")])
        }
        #expect(carried == [2, 3, 4, 6])
        #expect(counters.value(.deliveries) == 6)
    }

    @Test("more events than are delivered together come in order too")
    func deliversInParts() throws {
        var limits = RealtimeLimits()
        limits.eventsTogether = 2
        let registry = registry(limits)
        let carrier = Carrier(hasOneSubscription: true)
        var carried = 0
        carrier.whenCarried = { carried += 1 }
        _ = registry.add(
            try TestAPI.prepared("subscription { onCreateMessage { id } }"), SubscriptionGrant(), carrier, head: [])
        registry.deliver((1...5).map { Self.created("\($0)") })
        #expect(carrier.received == (1...5).map { #"{"data":{"onCreateMessage":{"id":"\#($0)"}}}"# })
        #expect(carried == 3)
    }

    @Test(
        "what has more bytes than are delivered together comes in parts: everybody gets the first before anybody the next"
    )
    func deliversByBytes() throws {
        var limits = RealtimeLimits()
        limits.bytesTogether = 80
        let registry = registry(limits)
        let plain = try TestAPI.prepared("subscription { onCreateMessage { id } }")
        let carriers = (0..<2).map { _ in Carrier(hasOneSubscription: true) }
        var order: [String] = []
        for (name, carrier) in zip(["a", "b"], carriers) {
            carrier.whenCarried = { [unowned carrier] in order.append("\(name)\(carrier.received.count)") }
            _ = registry.add(plain, SubscriptionGrant(), carrier, head: [])
        }
        // Each response has 39 bytes: two fit.
        registry.deliver((1...5).map { Self.created("\($0)") })
        #expect(order == ["a2", "b2", "a4", "b4", "a5", "b5"])
        for carrier in carriers {
            #expect(carrier.received == (1...5).map { #"{"data":{"onCreateMessage":{"id":"\#($0)"}}}"# })
        }
    }

    @Test(
        "who is ended while an event is delivered does not get it any more, and the others do",
        arguments: [(false, [1, 0, 2]), (true, [2, 0, 2])])
    func endsInTheMiddle(_ row: (hasOneSubscription: Bool, received: [Int])) throws {
        let registry = registry()
        let carriers = (0..<3).map { _ in Carrier(hasOneSubscription: row.hasOneSubscription) }
        let plain = try TestAPI.prepared("subscription { onCreateMessage { id } }")
        let subscribers = carriers.compactMap { registry.add(plain, SubscriptionGrant(), $0, head: []) }
        carriers[0].whenCarried = { for subscriber in subscribers[..<2] { registry.remove(subscriber) } }
        registry.deliver([Self.created("1"), Self.created("2")])
        #expect(carriers.map(\.received.count) == row.received)
    }

    @Test("an event that is too large is dropped, and the next one comes")
    func dropsLargeEvents() throws {
        let told = Mutex(0)
        let registry = SubscriptionRegistry(
            limits: RealtimeLimits(), counters: counters, whenTooLarge: { told.withLock { $0 += 1 } })
        let carrier = Carrier()
        _ = registry.add(
            try TestAPI.prepared("subscription { onCreateMessage { text } }"), SubscriptionGrant(), carrier, head: [])
        let frame = #"{"data":{"onCreateMessage":{"text":""}}}"#.utf8.count
        for length in [240 * 1024 - frame, 240 * 1024 - frame + 1, 1] {
            let text = String(repeating: "x", count: length)
            registry.deliver([TestAPI.event("createMessage", #"{"text":"\#(text)"}"#)])
        }
        #expect(carrier.received.map(\.utf8.count) == [240 * 1024, frame + 1])
        #expect(counters.value(.oversizeEvents) == 1)
        #expect(told.withLock { $0 } == 1)
    }

    @Test("a loop has no more subscriptions than its limit")
    func boundsSubscriptions() throws {
        var limits = RealtimeLimits()
        limits.subscriptionsPerLoop = 2
        let registry = registry(limits)
        let plain = try TestAPI.prepared("subscription { onCreateMessage { text } }")
        let first = registry.add(plain, SubscriptionGrant(), Carrier(), head: [])
        #expect(registry.add(plain, SubscriptionGrant(), Carrier(), head: []) != nil)
        #expect(registry.add(plain, SubscriptionGrant(), Carrier(), head: []) == nil)
        if let first { registry.remove(first) }
        #expect(registry.add(plain, SubscriptionGrant(), Carrier(), head: []) != nil)
    }

    @Test("signs of life come round once in each period")
    func keepsAlive() {
        final class Member: KeepAliveMember {
            func keepAlive(now: MonotonicTime) {}
        }
        var wheel = KeepAliveWheel(seconds: 60)
        var turns: [Int: Int] = [:]
        let members = (0..<5).map { _ in Member() }
        var places: [KeepAliveWheel.Place] = []
        for member in members {
            places.append(wheel.enter(member))
            _ = wheel.advance()
        }
        for second in 0..<180 {
            for member in wheel.advance() {
                if let index = members.firstIndex(where: { $0 === member }) { turns[index, default: 0] += 1 }
            }
            if second == 59 { #expect(turns == [0: 1, 1: 1, 2: 1, 3: 1, 4: 1]) }
        }
        #expect(turns == [0: 3, 1: 3, 2: 3, 3: 3, 4: 3])
        for place in places { wheel.leave(place) }
        #expect(wheel.count == 0)
    }
}
