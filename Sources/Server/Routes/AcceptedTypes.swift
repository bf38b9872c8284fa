import Network

/// The media types that a client wants an answer in, weighed as RFC 9110, section 12.5.1, says.
///
///     Accept: application/json;q=0.9, text/event-stream;q=0.1
///
/// A client that can read event streams often names them with everything else it can read. Only one that prefers them gets
/// the answer to a query or mutation as one; a subscription is a stream for whoever names them at all.
struct AcceptedTypes: Sendable {
    /// The weights of what was named, in thousandths.
    fileprivate struct Entry {
        let type: ArraySlice<UInt8>
        let subtype: ArraySlice<UInt8>
        let weight: Int
    }

    /// True if an event stream is wanted where it is the one way to answer.
    let areStreamsAccepted: Bool
    /// True if an event stream is wanted rather than any kind of JSON.
    let areStreamsPreferred: Bool
    /// True if the client wants the media type of GraphQL over HTTP, whose statuses are stricter than AppSync's.
    let isStrict: Bool

    /// The types of a client that names none of the two that matter.
    private static let anything = AcceptedTypes([])

    static let strictType = "application/graphql-response+json"

    /// Hot path: the two types that change an answer have a hyphen in their names, those that clients send with every
    /// request mostly have none.
    init(_ fields: HTTPFields) {
        guard fields.contains(UInt8(ascii: "-"), inValuesOf: "accept") else {
            self = .anything
            return
        }
        self.init(fields.values(of: "accept" as StaticString))
    }

    /// Reads the values of all `Accept` fields of a request.
    init(_ values: [String]) {
        let entries = values.flatMap { Self.entries(Array($0.utf8)[...]) }
        let stream = Self.weight(entries) { $0.isNamed("text", "event-stream") } ?? 0
        let json = Self.weight(entries) { $0.isJSON || $0.coversJSON } ?? 0
        areStreamsAccepted = stream > 0
        areStreamsPreferred = stream > json
        let strict = Self.weight(entries) { $0.isNamed("application", "graphql-response+json") } ?? 0
        // The most specific entry counts.
        let plain =
            Self.weight(entries) { $0.isNamed("application", "json") }
            ?? Self.weight(entries) { $0.isNamed("application", "*") } ?? Self.weight(entries) { $0.isNamed("*", "*") }
        isStrict = strict > 0 && strict >= plain ?? 0
    }

    /// The greatest weight of the entries that are meant; nil when none is.
    private static func weight(_ entries: [Entry], _ isMeant: (Entry) -> Bool) -> Int? {
        entries.lazy.filter(isMeant).map(\.weight).max()
    }

    // MARK: Reading

    private static func entries(_ text: ArraySlice<UInt8>) -> [Entry] {
        split(text, at: UInt8(ascii: ",")).compactMap { element -> Entry? in
            let parts = split(element, at: UInt8(ascii: ";")).map(trimmed)
            guard let name = parts.first, let slash = name.firstIndex(of: UInt8(ascii: "/")) else { return nil }
            let weight = parts.dropFirst().first { isWeight($0) }.map { thousandths($0.dropFirst(2)) } ?? 1000
            guard let weight else { return nil }
            return Entry(type: name[..<slash], subtype: name[(slash + 1)...], weight: weight)
        }
    }

    /// The parts between separators, of which those in quotes are none.
    private static func split(_ text: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var (isQuoted, isEscaped) = (false, false)
        for index in text.indices {
            let byte = text[index]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                parts.append(text[start..<index])
                start = index + 1
            }
        }
        return parts + [text[start...]]
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let text = text.drop(while: isBlank)
        return text.prefix(text.lastIndex { !isBlank($0) }.map { $0 + 1 - text.startIndex } ?? 0)
    }

    private static func isWeight(_ parameter: ArraySlice<UInt8>) -> Bool {
        parameter.count > 2 && parameter[parameter.startIndex] | 0x20 == UInt8(ascii: "q")
            && parameter[parameter.startIndex + 1] == UInt8(ascii: "=")
    }

    /// A number from 0 to 1 in thousandths; nil for what is none.
    private static func thousandths(_ text: ArraySlice<UInt8>) -> Int? {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let whole = parts.first, parts.allSatisfy({ $0.allSatisfy(isDigit) }), text.contains(where: isDigit)
        else { return nil }
        if whole.contains(where: { $0 != UInt8(ascii: "0") }) { return 1000 }
        let digits = parts.count == 2 ? parts[1].prefix(3).map { Int($0 - UInt8(ascii: "0")) } : []
        return zip(digits, [100, 10, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    }
}

extension AcceptedTypes.Entry {
    fileprivate func isNamed(_ type: StaticString, _ subtype: StaticString) -> Bool {
        HTTPFields.isEqual(self.type, type) && HTTPFields.isEqual(self.subtype, subtype)
    }

    /// Whether it is a kind of JSON, by its name or by the suffix that such names have.
    fileprivate var isJSON: Bool {
        HTTPFields.isEqual(subtype, "json") || HTTPFields.isEqual(subtype.suffix(5), "+json")
    }

    /// True if it stands for JSON among others.
    fileprivate var coversJSON: Bool { isNamed("*", "*") || isNamed("application", "*") }
}
