import JSON

/// The events of a publish after the namespace's handler.
package struct HandlerAnswer: Sendable {
    /// The texts to deliver, in the handler's order.
    package private(set) var delivered: [String] = []
    package private(set) var report: PublishReport

    /// There is no handler: every event is delivered as it is.
    package init(forwarding publish: ChannelPublish) {
        delivered = publish.events.map(\.text)
        report = PublishReport(successful: publish.events)
    }

    /// A handler in code returned a list, or nothing.
    package init(returned value: JSONValue, for publish: ChannelPublish) throws(ChannelFault) {
        do throws(Fault) {
            guard !value.isNull else {
                self.init(Reading(), of: publish)
                return
            }
            guard let list = value.array else { throw Fault("it returned \(value.kind), and no list") }
            self.init(try Reading(list.filter { !$0.isNull }, of: publish, isStrict: false), of: publish)
        } catch {
            throw .failed(.publish, because: "onPublish: \(error.reason)")
        }
    }

    /// A function answered.
    package init(answered value: JSONValue, for publish: ChannelPublish) throws(ChannelFault) {
        if let message = value["error"]?.string { throw .custom(message) }
        do throws(Fault) {
            guard let object = value.object, let list = object["events"]?.array, object.count == 1 else {
                throw Fault("it answered with something else than {\"events\": [...]}")
            }
            self.init(try Reading(list, of: publish, isStrict: true), of: publish)
        } catch {
            throw .dependency(because: "the function of onPublish: \(error.reason)")
        }
    }

    private init(_ reading: Reading, of publish: ChannelPublish) {
        delivered = reading.delivered
        let failed = reading.failed
        let without = Set(failed.map(\.event.index)).union(reading.dropped)
        report = PublishReport(successful: publish.events.filter { !without.contains($0.index) }, failed: failed)
    }

    /// Why an answer is none.
    private struct Fault: Error {
        let reason: String

        init(_ reason: String) {
            self.reason = reason
        }
    }

    private struct Reading {
        var delivered: [String] = []
        var failed: [PublishReport.Failure] = []
        /// The places of events that are too large after the handler: they are in neither list, as on AWS.
        var dropped: Set<Int> = []

        init() {}

        /// - Parameter isStrict: whether an entry has nothing beside `id`, `payload` and `error`.
        init(_ list: [JSONValue], of publish: ChannelPublish, isStrict: Bool) throws(Fault) {
            let events = Dictionary(
                texts: publish.events.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
            var seen: Set<Int> = []
            for entry in list {
                guard let id = entry["id"]?.string, let event = events[id] else {
                    throw Fault("an entry has no id of a published event")
                }
                guard seen.insert(event.index).inserted else { throw Fault("an id is there more than once") }
                if isStrict, entry.object?.keys.contains(where: { !Self.members.contains($0) }) ?? true {
                    throw Fault("an entry has other members than id, payload and error")
                }
                if let error = entry["error"], !error.isNull {
                    failed.append(.init(event: event, message: error.string ?? JSONWriter.text(of: error)))
                } else if let payload = entry["payload"] {
                    add(payload, for: event)
                } else if isStrict {
                    throw Fault("an entry has neither payload nor error")
                } else {
                    add(.null, for: event)
                }
            }
        }

        private static let members = ["id", "payload", "error"]

        private mutating func add(_ payload: JSONValue, for event: ChannelEvent) {
            let text = JSONWriter.text(of: payload)
            if text.utf8.count > ChannelLimits.eventBytesMax {
                dropped.insert(event.index)
            } else {
                delivered.append(text)
            }
        }
    }
}
