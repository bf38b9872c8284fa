import Access
import JSON
import Realtime

/// An event that was handed out, as the API writes it.
enum EventJSON {
    static func head(_ kept: LiveFeed.KeptEvent) -> JSONValue {
        [
            "id": .integer(kept.id), "at": .moment(kept.at), "sequence": .integer(Int64(clamping: kept.event.sequence)),
            "mutation": .string(kept.event.source), "model": .string(kept.event.typeName),
            "key": key(kept), "sent": .count(kept.sent), "notSent": .count(kept.unsent),
        ]
    }

    static func whole(_ kept: LiveFeed.KeptEvent) -> JSONValue {
        [
            "id": .integer(kept.id), "at": .moment(kept.at), "mutation": .string(kept.event.source),
            "model": .string(kept.event.typeName), "key": key(kept), "sent": .count(kept.sent),
            "notSent": .count(kept.unsent),
            "deliveries": .array(
                kept.deliveries.map { delivery in
                    [
                        "subscription": .string(delivery.field), "caller": .text(delivery.caller?.name),
                        "mode": .text(delivery.caller?.mode.word), "sent": .bool(delivery.isSent),
                        "why": kept.event.isPublish
                            ? .null : .string(delivery.isSent ? meets(delivery.why) : fails(delivery.why)),
                    ]
                }),
            "more": .count(max(0, kept.sent + kept.unsent - kept.deliveries.count)),
        ]
    }

    /// An event that came of no request that is known: as a story of its own.
    static func story(_ kept: LiveFeed.KeptEvent) -> JSONValue {
        var head = StoryJSON.Head()
        (head.id, head.at, head.operation) = (kept.id, kept.at, "event")
        (head.fields, head.models) = ([kept.event.source], [kept.event.typeName])
        var json = StoryJSON.head(head, nil)
        json["kind"] = "event"
        json["events"] = [whole(kept)]
        return .object(json)
    }

    /// The same as one subscription saw it.
    static func whole(_ event: LiveFeed.HeardEvent, of story: StoryJSON.Head) -> JSONValue {
        let (kept, heard) = (event.kept, event.heard)
        return [
            "id": .integer(kept.id), "at": .moment(kept.at), "mutation": .string(kept.event.source),
            "model": .string(kept.event.typeName), "key": key(kept), "sent": .count(kept.sent),
            "notSent": .count(kept.unsent),
            "deliveries": [
                [
                    "subscription": .text(story.fields.first), "caller": .string(story.callerLabel),
                    "mode": .string(story.callerMode), "sent": .bool(heard.isSent),
                    "why": .string(heard.isSent ? meets(heard.why) : fails(heard.why)),
                ]
            ],
            "more": 0,
        ]
    }

    private static func meets(_ filter: String) -> String {
        filter == "it has no filter" ? filter : "it meets the filter \(filter)"
    }

    private static func fails(_ filter: String) -> String { "the filter \(filter) does not match" }

    private static func key(_ kept: LiveFeed.KeptEvent) -> JSONValue {
        kept.event.identifier.map { ["id": $0] } ?? .null
    }
}
