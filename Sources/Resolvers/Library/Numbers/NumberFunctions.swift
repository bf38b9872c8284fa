import JSON

/// `util.math`.
enum NumberFunctions {
    static let all = [
        LibraryFunction("util.math.roundNum") { call throws(ResolverError) in
            if case .integer = call[0] { return call[0] }
            let rounded = (try call.number(0) + 0.5).rounded(.down)
            return Int64(exactly: rounded).map { .integer($0) } ?? .double(rounded)
        },
        LibraryFunction("util.math.minVal") { call throws(ResolverError) in
            try call.number(0) <= call.number(1) ? call[0] : call[1]
        },
        LibraryFunction("util.math.maxVal") { call throws(ResolverError) in
            try call.number(0) >= call.number(1) ? call[0] : call[1]
        },
        LibraryFunction("util.math.randomDouble") { call in .double(call.surroundings.random()) },
        LibraryFunction("util.math.randomWithinRange") { call throws(ResolverError) in
            let (low, high) = (try call.integer(0), try call.integer(1))
            let (size, overflows) = high.subtractingReportingOverflow(low)
            guard size >= 0, !overflows else {
                throw .fault("\(call.function) expects a second number that is not below the first.")
            }
            let offset = Int64((Double(size) * call.surroundings.random()).rounded(.down))
            return .integer(low + min(offset, max(size - 1, 0)))
        },
    ]
}
