import Engine
import JSON
import Network
import Realtime

extension ConsoleEndpoint {
    /// What happens, as it happens.
    static let liveView: [ConsoleEndpoint] = [
        ConsoleEndpoint(.get, "/live") { console, request throws(ConsoleError) in
            try await console.stream(request)
        },
        ConsoleEndpoint(.delete, "/live") { console, _ throws(ConsoleError) in
            _ = console.takeOutlines()
            console.live.clear()
            return .nothing
        },
        ConsoleEndpoint(.get, "/live/recent") { console, request throws(ConsoleError) in
            try await console.recent(request)
        },
        ConsoleEndpoint(.get, "/live/*") { console, request throws(ConsoleError) in try await console.story(request) },
        ConsoleEndpoint(.get, "/subscribers") { console, _ throws(ConsoleError) in
            let host = try console.host
            let found = await host.realtime.subscribers(upTo: ConsoleLimits.judgedUsersMax)
            let all = await host.sample().subscribers
            return .json([
                "more": .count(max(0, all - found.count)),
                "subscribers": .array(
                    found.map { subscriber in
                        [
                            "caller": .text(subscriber.caller?.name), "mode": .text(subscriber.caller?.mode.word),
                            "operation": .string(subscriber.field), "filter": .string(subscriber.filter),
                        ]
                    }),
            ])
        },
    ]
}

extension Console {
    private static let tickMilliseconds = 1_000

    fileprivate func stream(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let host = try host
        adoptOutlines(host)
        guard let listener = live.enter() else {
            throw ConsoleError(
                503, "busy", "\(ConsoleLimits.listenersMax) pages look at this already: close one of them.",
                retrySeconds: 10)
        }
        lookOn(host)
        let after =
            request.parameter("after").flatMap { Int64($0) }
            ?? request.head.fields["last-event-id"].flatMap { Int64($0) }
        let greeting = live.greeting(after: after)
        var response = HTTPResponse(fields: PageFields.ofAPI)
        response.fields.append("content-type", "text/event-stream; charset=utf-8")
        let loop = request.loop
        let seat = StreamSeat { [self] in leave(listener, on: loop, host) }
        response.body = .stream(length: nil) { [self] writer in
            defer { seat.end() }
            try await write(greeting, listener, on: loop, host, to: writer)
        }
        return .raw(response)
    }

    private func write(
        _ greeting: [UInt8], _ listener: LiveListener, on loop: EventLoop, _ host: any ConsoleHost,
        to writer: HTTPBodyWriter
    ) async throws {
        try await writer.write(greeting)
        var last = await host.sample()
        var at = MonotonicTime.now
        tick(listener, on: loop)
        while let next = await listener.next() {
            var bytes = next.frames.flatMap { $0 }
            if next.isTick {
                let sample = await host.sample()
                let now = MonotonicTime.now
                bytes += LiveFeed.frame(
                    "stats", id: nil,
                    Self.stats(sample, since: last, nanoseconds: now.nanoseconds(since: at), lost: next.lost))
                (last, at) = (sample, now)
                tick(listener, on: loop)
            }
            try await writer.write(bytes)
        }
    }

    private func tick(_ listener: LiveListener, on loop: EventLoop) {
        _ = loop.schedule(at: loop.now.advanced(byMilliseconds: Self.tickMilliseconds)) { [weak listener] in
            listener?.tick()
        }
    }

    private func leave(_ listener: LiveListener, on loop: EventLoop, _ host: any ConsoleHost) {
        guard let end = live.leave(listener, at: .now) else { return }
        loop.execute { [self] in forget(at: end, on: loop, host) }
    }

    private func forget(at end: MonotonicTime, on loop: EventLoop, _ host: any ConsoleHost) {
        _ = loop.schedule(at: end) { [self] in
            guard live.forget(at: .now) else { return }
            host.realtime.onlookers.tell(nil)
            // Somebody may have come in between.
            if live.isWanted { lookOn(host) }
        }
    }

    private func lookOn(_ host: any ConsoleHost) { host.realtime.onlookers.tell { [live] in live.saw($0) } }

    /// The newest of what was seen. A page that has no stream asks so again and again; with `watch` it is noted meanwhile.
    fileprivate func recent(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let limit = try request.number("limit", default: 100, 1...ConsoleLimits.storiesMax)
        let after = try request.number("after", default: 0, 0...Int.max)
        let host = try host
        adoptOutlines(host)
        var stats: JSONValue?
        if request.parameter("watch") == "true" {
            let (loop, end) = (request.loop, live.glance(at: .now))
            lookOn(host)
            loop.execute { [self] in forget(at: end, on: loop, host) }
            stats = await history.rates(of: host)
        }
        let found = live.recent(limit, after: Int64(after))
        return .json(
            .members([
                "stories": .array(found.stories.map { .object(StoryJSON.head($0.head, $0.story)) }),
                "events": .array(found.events.map(EventJSON.head)), "epoch": .string(found.epoch), "stats": stats,
            ]))
    }

    static func stats(
        _ sample: ServerSample, since last: ServerSample, nanoseconds: UInt64, lost: Int
    ) -> JSONValue {
        let seconds = max(0.001, Double(nanoseconds) / 1e9)
        func rate(_ now: UInt64, _ before: UInt64) -> JSONValue {
            .double((Double(now &- before) / seconds * 10).rounded() / 10)
        }
        return [
            "at": .moment(Timestamp.now.millisecondsSince1970),
            "requestsPerSecond": rate(sample.requests, last.requests),
            "errorsPerSecond": rate(sample.errors, last.errors), "subscribers": .count(sample.subscribers),
            "connections": .count(sample.connections), "lost": .count(lost),
        ]
    }

    fileprivate func story(_ request: ConsoleRequest) async throws(ConsoleError) -> ConsoleAnswer {
        let name = request.path.last ?? ""
        var id = Int64(name)
        // An event is told with the request that it came of, where there was one.
        if id == nil, name.hasPrefix("e"), let event = Int64(name.dropFirst()).flatMap({ live.event($0) }) {
            guard event.request != nil else { return .json(EventJSON.story(event.event)) }
            id = event.request
        }
        guard let id, let found = live.kept(id) else {
            throw .notFound(
                settings.hasNodes
                    ? "This node does not have that: another one has answered it, or the ring has it no more."
                    : "The ring does not have that any more.")
        }
        let host = try host
        guard let story = found.kept.story else {
            var json = StoryJSON.head(found.kept.head, nil)
            json["events"] = []
            return .json(.object(json))
        }
        var json = await whole(found.kept.head, story, host)
        if let trace = story.trace, let identity = story.caller {
            let view = try await view(host)
            let caller = ResolvedCaller(
                identity: identity, label: found.kept.head.callerLabel, detail: found.kept.head.callerDetail,
                wish: .administrator)
            let report = DenialReport(view: view, caller: caller).json(trace, errors: found.kept.head.errors)
            json["denials"] = await AdmittedUsers(host: host, loop: request.loop).named(in: report)
        }
        json["events"] = .array(
            found.events.map(EventJSON.whole) + found.heard.map { EventJSON.whole($0, of: found.kept.head) })
        return .json(.object(json))
    }

    // MARK: What the server tells

    /// A request has ended while somebody looks.
    ///
    /// - Parameter outline: what is known of it without its story; nil: without one it is no row.
    package func ended(_ exchange: HTTPExchange, _ outline: RequestOutline?) {
        guard let open = live.ended(exchange.identifier) else {
            if let outline { ended(outline) }
            return
        }
        var head = StoryJSON.Head()
        head.nanoseconds = exchange.ended.nanoseconds(since: exchange.began)
        head.status = exchange.status?.code ?? 0
        head.bytesIn = exchange.bodyBytesReceived
        head.bytesOut = exchange.bytesSent
        if !open.refusal.isEmpty, let answer = try? JSONReader.value(of: open.refusal) {
            head.errors = answer["errors"]?.array ?? []
            // What a client is told is less than what the log knows.
            if let reason = exchange.reason, let first = head.errors.first?.object,
                ByteText(first["message"]?.string ?? "") != ByteText(reason)
            {
                var error = first
                error.set("reason", to: .string(reason))
                head.errors[0] = .object(error)
            }
        }
        add(&head, open.story, transport: "http")
    }

    /// Something has ended that has no story: a request, or a publish to a channel that a connection has carried.
    package func ended(_ outline: RequestOutline) {
        guard let host = try? host else { return }
        var head = self.head(outline, host, at: Self.now)
        head.id = live.number()
        live.add(head, nil)
    }

    private static var now: (wall: Int64, monotonic: MonotonicTime) {
        (Timestamp.now.millisecondsSince1970, .now)
    }

    private func head(
        _ outline: RequestOutline, _ host: any ConsoleHost, at now: (wall: Int64, monotonic: MonotonicTime)
    ) -> StoryJSON.Head {
        var head = outline.head(outline.note == 0 ? nil : host.operation(outline), at: now)
        if outline.call == nil { head.models = head.fields.compactMap { names(of: host).model(ofField: $0) } }
        return head
    }

    /// Makes rows of the requests from the time before somebody looked.
    private func adoptOutlines(_ host: any ConsoleHost) {
        let now = Self.now
        let outlines = takeOutlines().sorted { $0.ended < $1.ended }.suffix(ConsoleLimits.outlinesMax)
        live.adopt(outlines.map { head($0, host, at: now) })
    }

    /// An operation that a connection has carried.
    package func carried(_ operation: CarriedOperation) {
        let story = operation.note.story ?? OperationStory(of: operation.request.body, by: operation.note.identity)
        var head = StoryJSON.Head()
        head.nanoseconds = operation.nanoseconds
        head.status = operation.status
        head.bytesOut = operation.bytes
        if story.errors.isEmpty {
            head.errors = operation.note.errorTypes.map { ["errorType": .string($0), "message": ""] }
        }
        add(&head, story, transport: operation.carrier)
    }

    private func add(_ head: inout StoryJSON.Head, _ story: OperationStory, transport: String) {
        head.id = live.number()
        head.at = Timestamp.now.millisecondsSince1970
        head.transport = transport
        if let caller = story.caller {
            head.callerLabel = caller.mode == .apiKey ? caller.mode.label : caller.name
            head.callerMode = caller.mode.word
            head.callerDetail = caller.mode.label
        } else if head.status == 401 {
            head.callerLabel = "nobody"
        }
        head.errors += story.errors.compactMap { error in
            var bytes: [UInt8] = []
            error.write(to: &bytes)
            return try? JSONReader.value(of: bytes)
        }
        if let host = try? host { StoryJSON.describe(story.body, &head, names(of: host)) }
        head.bytesIn = max(head.bytesIn, story.bodyBytes)
        live.add(head, story)
    }
}
