import JSON

/// What a function takes: `<s-nn?:s>`. Letters are kinds of values; `-` takes the context where the argument is missing.
struct Signature: Sendable {
    struct Parameter: Sendable {
        var kinds: Set<UInt8>
        var isList = false
        var element: String?
        var count = Count.one
        var takesContext = false
        /// Kinds that the context may have.
        var contextKinds: Set<UInt8> = []

        enum Count { case one, optional, many }
    }

    private(set) var parameters: [Parameter] = []

    init(_ text: String, at position: Int = 0) throws(JSONataError) {
        let bytes = Array(text.utf8)
        var place = 1
        while place < bytes.count, bytes[place] != UInt8(ascii: ":") {
            let symbol = bytes[place]
            guard parameters.count < Self.parametersMax else {
                throw JSONataError("S0500", at: position, value: "\(Self.parametersMax)")
            }
            switch symbol {
            case UInt8(ascii: "s"), UInt8(ascii: "n"), UInt8(ascii: "b"), UInt8(ascii: "l"), UInt8(ascii: "o"):
                parameters.append(Parameter(kinds: [symbol, Self.missing]))
            case UInt8(ascii: "a"): parameters.append(Parameter(kinds: Set("asnblfom".utf8), isList: true))
            case UInt8(ascii: "f"): parameters.append(Parameter(kinds: [symbol]))
            case UInt8(ascii: "j"): parameters.append(Parameter(kinds: Set("asnblom".utf8)))
            case UInt8(ascii: "x"): parameters.append(Parameter(kinds: Set("asnblfom".utf8)))
            case UInt8(ascii: "-"):
                guard let last = parameters.indices.last else { break }
                parameters[last].takesContext = true
                parameters[last].contextKinds = parameters[last].kinds
                parameters[last].count = .optional
            case UInt8(ascii: "?"): if let last = parameters.indices.last { parameters[last].count = .optional }
            case UInt8(ascii: "+"): if let last = parameters.indices.last { parameters[last].count = .many }
            case UInt8(ascii: "("):
                let end = Self.end(of: bytes, from: place, UInt8(ascii: "("), UInt8(ascii: ")"))
                let choice = bytes[(place + 1)..<max(place + 1, end)]
                guard !choice.contains(UInt8(ascii: "<")) else { throw JSONataError("S0402", at: position + place) }
                parameters.append(Parameter(kinds: Set(choice).union([Self.missing])))
                place = end
            case UInt8(ascii: "<"):
                guard let last = parameters.indices.last,
                    parameters[last].isList || parameters[last].kinds == [UInt8(ascii: "f")]
                else { throw JSONataError("S0401", at: position + place) }
                let end = Self.end(of: bytes, from: place, UInt8(ascii: "<"), UInt8(ascii: ">"))
                parameters[last].element = String(decoding: bytes[(place + 1)..<max(place + 1, end)], as: UTF8.self)
                place = end
            default: break
            }
            place += 1
        }
    }

    /// A function of the library.
    static func known(_ text: String) -> Signature? { try? Signature(text) }

    private static let parametersMax = 64
    static let missing = UInt8(ascii: "m")

    private static func end(of bytes: [UInt8], from start: Int, _ open: UInt8, _ close: UInt8) -> Int {
        var depth = 1
        var place = start + 1
        while place < bytes.count {
            if bytes[place] == close {
                depth -= 1
                if depth == 0 { return place }
            } else if bytes[place] == open {
                depth += 1
            }
            place += 1
        }
        return bytes.count
    }

    // MARK: Arguments

    static func kind(of value: Value) -> UInt8 {
        switch value {
        case .missing, .tuples: missing
        case .null: UInt8(ascii: "l")
        case .bool: UInt8(ascii: "b")
        case .number: UInt8(ascii: "n")
        case .string: UInt8(ascii: "s")
        case .list: UInt8(ascii: "a")
        case .record: UInt8(ascii: "o")
        case .function: UInt8(ascii: "f")
        }
    }

    /// The arguments as the function sees them.
    func checked(_ arguments: [Value], context: Value, _ spend: (Int) throws(JSONataError) -> Void) throws(JSONataError)
        -> [Value]
    {
        let kinds = arguments.map { Self.kind(of: $0) }
        var counts: [Int] = []
        guard try match(kinds, 0, 0, &counts, spend) else { throw mismatch(kinds) }
        var checked: [Value] = []
        var place = 0
        func argument(_ index: Int) -> Value { arguments.indices.contains(index) ? arguments[index] : .missing }
        for (parameter, count) in zip(parameters, counts) {
            if count == 0 {
                if parameter.takesContext {
                    guard parameter.contextKinds.contains(Self.kind(of: context)) else {
                        throw JSONataError("T0411", value: "\(place + 1)")
                    }
                    checked.append(context)
                } else {
                    checked.append(argument(place))
                    place += 1
                }
                continue
            }
            for _ in 0..<count {
                var value = argument(place)
                if parameter.isList, kinds[place] != Self.missing {
                    let isList = kinds[place] == UInt8(ascii: "a")
                    if let element = parameter.element, !parameter.holds(value, element, count == 1) {
                        throw JSONataError("T0412", value: "\(place + 1)")
                    }
                    if !isList { value = .list(List([value])) }
                }
                checked.append(value)
                place += 1
            }
        }
        return checked
    }

    /// Greedy, as a regular expression of the kinds' letters is.
    private func match(
        _ kinds: [UInt8], _ parameter: Int, _ place: Int, _ counts: inout [Int],
        _ spend: (Int) throws(JSONataError) -> Void
    ) throws(JSONataError) -> Bool {
        try spend(1)
        guard parameters.indices.contains(parameter) else { return place == kinds.count }
        let wanted = parameters[parameter]
        var most = 0
        let bound = wanted.count == .many ? kinds.count - place : min(1, kinds.count - place)
        while most < bound, wanted.kinds.contains(kinds[place + most]) { most += 1 }
        let least = wanted.count == .optional ? 0 : 1
        var count = most
        while count >= least {
            counts.append(count)
            if try match(kinds, parameter + 1, place + count, &counts, spend) { return true }
            counts.removeLast()
            count -= 1
        }
        return false
    }

    private func mismatch(_ kinds: [UInt8]) -> JSONataError {
        var good = 0
        for parameter in parameters {
            var count = 0
            while good + count < kinds.count, parameter.kinds.contains(kinds[good + count]),
                parameter.count == .many || count == 0
            {
                count += 1
            }
            guard count > 0 || parameter.count == .optional else { break }
            good += count
        }
        return JSONataError("T0410", value: "\(good + 1)")
    }
}

extension Signature.Parameter {
    fileprivate func holds(_ value: Value, _ element: String, _ isSingle: Bool) -> Bool {
        guard case .list(let list) = value else {
            return isSingle && String(decoding: [Signature.kind(of: value)], as: UTF8.self) == element
        }
        guard let first = list.items.first else { return true }
        let kind = Signature.kind(of: first)
        return kind == element.utf8.first && list.items.allSatisfy { Signature.kind(of: $0) == kind }
    }
}
