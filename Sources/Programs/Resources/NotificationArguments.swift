import Blueprint
import Project
import Script

/// What says of which files a function hears: the events and filters of `bucket.addEventNotification(...)`, of its two relatives, and of
/// `new S3EventSource(bucket, {...})`. Nil where that is not known, or where there are no such events here.
struct NotificationArguments {
    let events: [String]
    private(set) var prefix: String?
    private(set) var suffix: String?

    /// As the CDK calls them, and as S3 does.
    private static let names = [
        "OBJECT_CREATED": "ObjectCreated:*", "OBJECT_CREATED_PUT": "ObjectCreated:Put",
        "OBJECT_CREATED_POST": "ObjectCreated:Post", "OBJECT_CREATED_COPY": "ObjectCreated:Copy",
        "OBJECT_CREATED_COMPLETE_MULTIPART_UPLOAD": "ObjectCreated:CompleteMultipartUpload",
        "OBJECT_REMOVED": "ObjectRemoved:*", "OBJECT_REMOVED_DELETE": "ObjectRemoved:Delete",
    ]
    private static let eventsMax = 20

    /// - Parameter filters: objects with `prefix` or `suffix`, which hold all together.
    init?(events: [String], filters: some Sequence<ProgramValue>) {
        self.events = events
        for filter in filters {
            guard case .object(let filter) = filter, !filter.isOpaque, take("prefix", of: filter, to: \.prefix),
                take("suffix", of: filter, to: \.suffix)
            else { return nil }
        }
    }

    /// `EventType.OBJECT_CREATED`, or what it stands for.
    init?(event: ProgramValue, filters: some Sequence<ProgramValue>) {
        guard let event = Self.event(event) else { return nil }
        self.init(events: [event], filters: filters)
    }

    /// `{ events: [...], filters: [...] }`
    init?(options: ProgramValue?) {
        guard case .object(let options)? = options, !options.isOpaque, let written = Self.list("events", of: options),
            !written.isEmpty, written.count <= Self.eventsMax
        else { return nil }
        var events: [String] = []
        for event in written {
            guard let event = Self.event(event) else { return nil }
            events.append(event)
        }
        self.init(events: events, filters: Self.list("filters", of: options) ?? [])
    }

    private static func event(_ value: ProgramValue) -> String? {
        switch value {
        case .text(let text):
            let name = String(text.string.dropFirst("s3:".count))
            return text.string.hasPrefix("s3:") && names.values.contains(name) ? name : nil
        case .object(let object):
            guard let origin = (object as? OpaqueObject)?.origin else { return nil }
            return origin.split(separator: ".").last.flatMap { names[String($0)] }
        default: return nil
        }
    }

    private static func list(_ name: String, of options: ScriptObject) -> [ProgramValue]? {
        guard case .object(let list)? = try? options.get(name), let list = list as? ScriptArray else { return nil }
        return try? list.values()
    }

    /// Takes a text of a filter. False: it is none that is known, or there was one already.
    private mutating func take(
        _ name: String, of filter: ScriptObject, to path: WritableKeyPath<Self, String?>
    ) -> Bool {
        switch try? filter.get(name) {
        case .undefined?: return true
        case .text(let text)?:
            guard self[keyPath: path] == nil else { return false }
            self[keyPath: path] = text.string
            return true
        default: return false
        }
    }
}
