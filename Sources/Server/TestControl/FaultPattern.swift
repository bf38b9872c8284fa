import JSON

/// A request as rules for faults see it.
struct FaultSubject: Sendable {
    let method: String
    let path: String
    /// What `x-amz-target` says.
    var target: String?
    /// The operation of GraphQL: its name, and the fields that it selects first.
    var operation: ReceivedOperation?
}

/// Which requests a rule is for: those that have all that it names. `*` in a text stands for any letters.
struct FaultPattern: Sendable {
    private var texts: [(Member, [UInt8])] = []

    /// What of a request is compared.
    enum Member: String, CaseIterable {
        case method, path, operation, field, target
        /// The type of a WebSocket's frame; then it is for no request.
        case frame
    }

    /// - Parameter value: `{"path": "/graphql", "field": "createTodo"}`.
    init(_ value: JSONValue) throws(ErrorAnswer) {
        guard let members = value.object else {
            throw .test("match is an object such as {\"field\": \"createTodo\"}, not \(value.kind).")
        }
        for member in members {
            guard let name = Member(rawValue: member.key) else {
                let names = Member.allCases.map(\.rawValue).joined(separator: ", ")
                throw .test("match has no member \"\(member.key)\": there are \(names).")
            }
            guard let text = member.value.string, (1...TestControlLimits.patternBytesMax).contains(text.utf8.count)
            else {
                throw .test("match.\(name) is a text of 1 to \(TestControlLimits.patternBytesMax) bytes.")
            }
            texts.append((name, Array(text.utf8)))
        }
        guard isForFrames == false || texts.count == 1 else {
            throw .test("match.frame stands alone: a frame has no path and no operation.")
        }
    }

    /// True if it is for frames of WebSockets.
    var isForFrames: Bool { texts.contains { $0.0 == .frame } }

    func fits(_ subject: FaultSubject) -> Bool {
        texts.allSatisfy { member, pattern in
            switch member {
            case .method: Self.fits(pattern, subject.method)
            case .path: Self.fits(pattern, subject.path)
            case .target: subject.target.map { Self.fits(pattern, $0) } ?? false
            case .operation: subject.operation?.name.map { Self.fits(pattern, $0) } ?? false
            case .field: subject.operation?.fields.contains { Self.fits(pattern, $0) } ?? false
            case .frame: false
            }
        }
    }

    func fits(frame type: String) -> Bool {
        texts.contains { member, pattern in member == .frame && Self.fits(pattern, type) }
    }

    var json: JSONValue {
        .object(JSONObject(texts.map { ($0.0.rawValue, .string(String(decoding: $0.1, as: UTF8.self))) }))
    }

    /// Returns whether a text is as the pattern has it. The last star gives way first: it takes no longer than one text times the other.
    private static func fits(_ pattern: [UInt8], _ text: String) -> Bool {
        let text = Array(text.utf8)
        var (place, star, kept) = (0, -1, 0)
        var position = 0
        while position < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                (star, kept) = (place, position)
                place += 1
            } else if place < pattern.count, pattern[place] == text[position] {
                place += 1
                position += 1
            } else if star >= 0 {
                kept += 1
                (place, position) = (star + 1, kept)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
