import JSON

/// One event of a publish: the text of a JSON value.
package struct ChannelEvent: Sendable {
    /// The name that the publisher gets for it.
    package let identifier: String
    /// Its place in the publish.
    package let index: Int
    package let text: String

    package init(identifier: String, index: Int, text: String) {
        self.identifier = identifier
        self.index = index
        self.text = text
    }
}

/// A publish of a client: a channel and one to five events.
package struct ChannelPublish: Sendable {
    package let channel: ChannelName
    package let events: [ChannelEvent]

    /// - Parameter identifier: makes the names of events.
    package init(
        _ channel: ChannelName, _ events: JSONValue?, identifier: () -> String
    ) throws(ChannelFault) {
        guard !channel.isWildcard else { throw .wildcardPublish }
        guard let list = events?.array, !list.isEmpty else { throw .noEvents }
        guard list.count <= ChannelLimits.eventsMax else { throw .tooManyEvents }
        var found: [ChannelEvent] = []
        for (index, element) in list.enumerated() {
            guard let text = element.string else { throw .notJSON }
            guard text.utf8.count <= ChannelLimits.eventBytesMax else { throw .largeEvent }
            guard (try? JSONReader.value(of: text, limits: ChannelLimits.eventLimits)) != nil else { throw .notJSON }
            found.append(ChannelEvent(identifier: identifier(), index: index, text: text))
        }
        self.channel = channel
        self.events = found
    }

    /// The events as handlers read them: `[{"id", "payload"}]`.
    package var payloads: JSONValue {
        .array(
            events.map { event in
                let payload = try? JSONReader.value(of: event.text, limits: ChannelLimits.eventLimits)
                return ["id": .string(event.identifier), "payload": payload ?? .null]
            })
    }
}

/// The result of a publish, event by event.
package struct PublishReport: Sendable {
    package struct Failure: Sendable {
        package let event: ChannelEvent
        package let message: String
    }

    /// The accepted events, delivered or left out by a handler.
    package var successful: [ChannelEvent]
    package var failed: [Failure]

    package init(successful: [ChannelEvent], failed: [Failure] = []) {
        self.successful = successful
        self.failed = failed
    }

    /// `{"failed": [...], "successful": [...]}`
    package var json: JSONObject {
        JSONObject([
            (
                "failed",
                .array(
                    failed.map { failure in
                        [
                            "identifier": .string(failure.event.identifier),
                            "index": .integer(Int64(failure.event.index)), "code": "CustomError",
                            "message": .string(failure.message),
                        ]
                    })
            ),
            (
                "successful",
                .array(
                    successful.map { event in
                        ["identifier": .string(event.identifier), "index": .integer(Int64(event.index))]
                    })
            ),
        ])
    }
}

/// Events on their way to the subscribers of a channel.
package struct ChannelDelivery: Sendable {
    package let channel: ChannelName
    /// The texts of the events, each as a string of JSON with its quotes.
    package let events: [[UInt8]]
    /// Its place among all deliveries, once it is handed out.
    package var number: UInt64 = 0

    package init(_ channel: ChannelName, _ texts: [String]) {
        self.channel = channel
        events = texts.map { text in
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.utf8.count + 16)
            JSONWriter.writeString(text, to: &bytes)
            return bytes
        }
    }
}
