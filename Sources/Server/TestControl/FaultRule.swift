import JSON
import Network

/// A fault: the request that it is for, and the time.
///
///     {"match": {"field": "createTodo"}, "on": 2, "delayMilliseconds": 500, "status": 503, "body": {"message": "later"}}
struct FaultRule: Sendable {
    /// The outcome of the request.
    enum Outcome: Sendable {
        /// It is answered as ever, if later.
        case goOn
        case answer(status: Int, body: [UInt8], type: String)
        /// It is refused as AppSync, or the service that was called, refuses too many.
        case throttle
        /// The connection ends without an answer.
        case close
        /// The frame is not sent.
        case lose
    }

    let pattern: FaultPattern
    /// Which of the requests that fit, counted from 1.
    let turns: ClosedRange<Int>
    let delayMilliseconds: Int64
    let outcome: Outcome
    /// As it was sent.
    let json: JSONObject

    private static let members: Set<ByteText> = [
        "match", "on", "delayMilliseconds", "status", "body", "contentType", "throttle", "close", "lose",
    ]

    init(_ value: JSONValue) throws(ErrorAnswer) {
        guard let members = value.object else {
            throw .test(
                "A rule is an object such as {\"match\": {\"field\": \"createTodo\"}, \"on\": 1, \"status\": 503}.")
        }
        for member in members where !Self.members.contains(member.key) {
            let names = Self.members.sorted().map(\.string).joined(separator: ", ")
            throw .test("A rule has no member \"\(member.key)\": there are \(names).")
        }
        json = members
        pattern = try FaultPattern(members["match"] ?? .object(JSONObject()))
        turns = try Self.turns(members["on"])
        delayMilliseconds = try Self.delay(members["delayMilliseconds"])
        outcome = try Self.outcome(members)
        switch outcome {
        case .lose:
            guard pattern.isForFrames, delayMilliseconds == 0 else {
                throw .test(
                    "What is lost is a frame: {\"match\": {\"frame\": \"data\"}, \"lose\": true}, without a delay.")
            }
        case .goOn: break
        default:
            guard !pattern.isForFrames else {
                throw .test("A rule for frames says \"lose\": true or delayMilliseconds, and no more than which ones.")
            }
        }
        if case .goOn = outcome, delayMilliseconds == 0 {
            throw .test("A rule says what happens: delayMilliseconds, status, throttle, close or lose.")
        }
    }

    private static func turns(_ value: JSONValue?) throws(ErrorAnswer) -> ClosedRange<Int> {
        switch value {
        case nil, .null?: return 1...Int.max
        case .string("every")?: return 1...Int.max
        case .integer(let number)? where number > 0: return Int(clamping: number)...Int(clamping: number)
        case .object(let object)?:
            let from = object["from"].map { $0.integer ?? 0 } ?? 1
            let to = object["to"].map { $0.integer ?? 0 } ?? .max
            guard from > 0, to >= from, object.members.allSatisfy({ Self.turnMembers.contains(ByteText($0.key)) })
            else { break }
            return Int(clamping: from)...Int(clamping: to)
        default: break
        }
        throw .test("on is a number from 1 on, {\"from\": 2, \"to\": 4}, or \"every\".")
    }

    private static let turnMembers: Set<ByteText> = ["from", "to"]

    private static func delay(_ value: JSONValue?) throws(ErrorAnswer) -> Int64 {
        guard let value else { return 0 }
        guard let delay = value.integer, (0...TestControlLimits.delayMillisecondsMax).contains(delay) else {
            throw .test("delayMilliseconds is a number from 0 to \(TestControlLimits.delayMillisecondsMax).")
        }
        return delay
    }

    private static func outcome(_ members: JSONObject) throws(ErrorAnswer) -> Outcome {
        var outcomes: [Outcome] = []
        if let status = members["status"] {
            guard let number = status.integer, (200...599).contains(number) else {
                throw .test("status is a number from 200 to 599.")
            }
            let type = members["contentType"]
            guard type == nil || type?.string != nil else {
                throw .test("contentType is a text such as \"text/html\".")
            }
            outcomes.append(answer(Int(number), members["body"], type?.string))
        } else if let name = ["body", "contentType"].first(where: { members[$0] != nil }) {
            throw .test("A \(name) needs a status beside it.")
        }
        for (name, outcome) in [("throttle", Outcome.throttle), ("close", .close), ("lose", .lose)] {
            switch members[name] {
            case nil, .bool(false)?: break
            case .bool(true)?: outcomes.append(outcome)
            default: throw .test("\(name) is true or false.")
            }
        }
        guard outcomes.count < 2 else { throw .test("A rule has one of status, throttle, close and lose.") }
        return outcomes.first ?? .goOn
    }

    /// A text is sent as it is, everything else as JSON.
    private static func answer(_ status: Int, _ body: JSONValue?, _ type: String?) -> Outcome {
        switch body {
        case nil: .answer(status: status, body: [], type: type ?? "text/plain; charset=utf-8")
        case .string(let text)?:
            .answer(status: status, body: Array(text.utf8), type: type ?? "text/plain; charset=utf-8")
        case let value?: .answer(status: status, body: JSONWriter.bytes(of: value), type: type ?? "application/json")
        }
    }
}
