import JSON

/// The functions that are told of what happens in buckets.
package struct FileFunctions: Sendable {
    private var byBucket: [ByteText: [FileListener]] = [:]

    package init() {}

    package var isEmpty: Bool { byBucket.isEmpty }

    package mutating func add(_ listener: FileListener, to bucket: String) {
        byBucket[bucket, default: []].append(listener)
    }

    /// Whoever is told of such an event, each once.
    func names(of name: String, _ bucket: String, _ key: String) -> [String] {
        (byBucket[bucket] ?? []).filter { $0.hears(of: name, key) }.map(\.name).eachOnce()
    }

    /// Where the function is that is to be told of an event; nil: there is none any more. One that an earlier version has noted
    /// names nobody: it is for the first that hears of such.
    func url(of event: FileEvent) -> String? {
        byBucket[event.bucket]?.first { listener in
            event.function.isEmpty
                ? listener.hears(of: event.name, event.key) : ByteText(listener.name) == ByteText(event.function)
        }?.url
    }
}
