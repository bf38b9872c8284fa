import JSON

/// `util.time`.
enum TimeFunctions {
    static let all = [
        LibraryFunction("util.time.nowISO8601") { call in .string(text(of: call.surroundings.now())) },
        LibraryFunction("util.time.nowEpochSeconds") { call in .integer(seconds(call.surroundings.now())) },
        LibraryFunction("util.time.nowEpochMilliSeconds") { call in .integer(call.surroundings.now()) },
        LibraryFunction("util.time.epochMilliSecondsToSeconds") { call throws(ResolverError) in
            .integer(seconds(try call.integer(0)))
        },
        LibraryFunction("util.time.epochMilliSecondsToISO8601") { call throws(ResolverError) in
            .string(text(of: try call.integer(0)))
        },
        LibraryFunction("util.time.nowFormatted") { call throws(ResolverError) in
            let pattern = try pattern(&call, 0)
            return .string(pattern.text(of: call.surroundings.now(), in: try zone(call, 1)))
        },
        LibraryFunction("util.time.epochMilliSecondsToFormatted") { call throws(ResolverError) in
            let pattern = try pattern(&call, 1)
            return .string(pattern.text(of: try call.integer(0), in: try zone(call, 2)))
        },
        LibraryFunction("util.time.parseFormattedToEpochMilliSeconds") { call throws(ResolverError) in
            let text = try call.text(0)
            let pattern = try pattern(&call, 1)
            guard let moment = pattern.moment(of: text, in: try zone(call, 2)) else {
                throw .fault("\(call.function): '\(text.prefix(100))' is not written as the pattern wants it.")
            }
            return .integer(moment)
        },
        LibraryFunction("util.time.parseISO8601ToEpochMilliSeconds") { call throws(ResolverError) in
            let text = try call.text(0)
            guard let time = Timestamp(text) ?? minute(text) else {
                throw .fault(
                    "\(call.function): '\(text.prefix(100))' is no time such as 2018-02-01T17:21:05.180+08:00.")
            }
            return .integer(time.millisecondsSince1970)
        },
    ]

    /// A time without seconds, which Java reads: `2018-02-01T17:21Z`.
    private static func minute(_ text: String) -> Timestamp? {
        guard let clock = text.utf8.firstIndex(of: UInt8(ascii: "T")),
            let end = text.utf8.index(clock, offsetBy: 6, limitedBy: text.utf8.endIndex), end < text.utf8.endIndex,
            text.utf8[end] != UInt8(ascii: ":")
        else { return nil }
        return Timestamp("\(text[..<end]):00\(text[end...])")
    }

    private static func pattern(_ call: inout LibraryCall, _ index: Int) throws(ResolverError) -> DatePattern {
        let text = try call.text(index)
        try call.count(text.utf8.count)
        return try DatePattern(text, for: call.function)
    }

    private static func zone(_ call: LibraryCall, _ index: Int) throws(ResolverError) -> TimeZoneName {
        guard let name = try call.optionalText(index) else { return .utc }
        guard let zone = TimeZoneName(name) else {
            throw .fault("\(call.function): there is no time zone '\(name.prefix(100))'.")
        }
        return zone
    }

    private static func seconds(_ milliseconds: Int64) -> Int64 {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        return rest < 0 ? seconds - 1 : seconds
    }

    private static func text(of milliseconds: Int64) -> String {
        let seconds = seconds(milliseconds)
        return Timestamp(seconds: seconds, milliseconds: Int(milliseconds - seconds * 1_000)).text
    }
}
