import JSON
import Script

/// `$map`, `$filter`, `$reduce`, `$append` and the like.
enum JSONataLists {
    static let all: [(ByteText, JSONataFunction)] = [
        (
            "boolean",
            JSONataFunction("<x-:b>", 1) { evaluation, call throws(JSONataError) in
                try evaluation.truth(of: call[0]).map { .bool($0) } ?? .missing
            }
        ),
        (
            "not",
            JSONataFunction("<x-:b>", 1) { evaluation, call throws(JSONataError) in
                try evaluation.truth(of: call[0]).map { .bool(!$0) } ?? .missing
            }
        ),
        ("exists", JSONataFunction("<x:b>", 1) { _, call in .bool(!call[0].isMissing) }),
        (
            "map",
            JSONataFunction("<af>", 2) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0), let function = try call.function(1) else { return .missing }
                var made = List.sequence()
                for (number, item) in list.items.enumerated() {
                    let value = try evaluation.call(function, with: [item, .number(Double(number)), .list(list)])
                    guard !value.isMissing else { continue }
                    try evaluation.allocate(values: 1)
                    made.append(value)
                }
                return .list(made)
            }
        ),
        (
            "filter",
            JSONataFunction("<af>", 2) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0), let function = try call.function(1) else { return .missing }
                var made = List.sequence()
                for (number, item) in list.items.enumerated() {
                    let value = try evaluation.call(function, with: [item, .number(Double(number)), .list(list)])
                    guard try evaluation.truth(of: value) == true else { continue }
                    try evaluation.allocate(values: 1)
                    made.append(item)
                }
                return .list(made)
            }
        ),
        (
            "single",
            JSONataFunction("<af?>", 2) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0) else { return .missing }
                let function = try call.function(1)
                var found: Value?
                for (number, item) in list.items.enumerated() {
                    if let function {
                        let value = try evaluation.call(function, with: [item, .number(Double(number)), .list(list)])
                        guard try evaluation.truth(of: value) == true else { continue }
                    }
                    guard found == nil else { throw JSONataError("D3138") }
                    found = item
                }
                guard let found else { throw JSONataError("D3139") }
                return found
            }
        ),
        (
            "reduce",
            JSONataFunction("<afj?:j>", 3) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0), let function = try call.function(1) else { return .missing }
                guard function.arity >= 2 else { throw JSONataError("D3050") }
                var result = call[2]
                var rest = list.items[...]
                if result.isMissing, let first = rest.popFirst() { result = first }
                for (number, item) in zip(rest.indices, rest) {
                    result = try evaluation.call(
                        function, with: [result, item, .number(Double(number)), .list(list)])
                    guard result.depth <= JSONataLimits.valueNestingMax else {
                        throw JSONataError("D1012", value: "nested values")
                    }
                }
                return result
            }
        ),
        (
            "zip",
            JSONataFunction("<a+>", 0) { evaluation, call throws(JSONataError) in
                let lists = call.all.map { if case .list(let list) = $0 { list.items } else { [Value]() } }
                let count = lists.map(\.count).min() ?? 0
                try evaluation.allocate(values: count &* (lists.count + 1))
                return .list(List((0..<count).map { number in .list(List(lists.map { $0[number] })) }))
            }
        ),
        (
            "append",
            JSONataFunction("<xx:a>", 2) { evaluation, call throws(JSONataError) in
                try evaluation.appended(call[0], call[1])
            }
        ),
        (
            "reverse",
            JSONataFunction("<a:a>", 1) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0) else { return .missing }
                guard list.count > 1 else { return call[0] }
                try evaluation.allocate(values: list.count)
                return .list(List(list.items.reversed()))
            }
        ),
        (
            "shuffle",
            JSONataFunction("<a:a>", 1) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0) else { return .missing }
                try evaluation.allocate(values: list.count)
                var items = list.items
                for place in items.indices.reversed() where place > 0 {
                    let fraction = evaluation.surroundings.fraction()
                    items.swapAt(place, min(place, Int(fraction * Double(place + 1))))
                }
                return .list(List(items))
            }
        ),
        (
            "distinct",
            JSONataFunction("<x:x>", 1) { evaluation, call throws(JSONataError) in
                guard case .list(let list) = call[0], list.count > 1 else { return call[0] }
                var made = List([])
                made.isSequence = list.isSequence
                for item in list.items {
                    var isKnown = false
                    for other in made.items where try evaluation.areEqual(item, other) {
                        isKnown = true
                        break
                    }
                    guard !isKnown else { continue }
                    try evaluation.allocate(values: 1)
                    made.append(item)
                }
                return .list(made)
            }
        ),
    ]
}

/// `$sort`.
enum JSONataOrder {
    static let all: [(ByteText, JSONataFunction)] = [
        (
            "sort",
            JSONataFunction("<af?:a>", 2) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0) else { return .missing }
                guard list.count > 1 else { return .list(list) }
                if let function = try call.function(1) {
                    return .list(
                        List(
                            try evaluation.merged(list.items) { left, right throws(JSONataError) in
                                try evaluation.apply(.function(function), [left, right], .missing).isTruthy
                            }))
                }
                let areNumbers = list.items.allSatisfy { if case .number = $0 { true } else { false } }
                guard areNumbers || list.items.allSatisfy({ $0.text != nil }) else { throw JSONataError("D3070") }
                return .list(
                    List(
                        try evaluation.merged(list.items) { left, right in
                            switch (left, right) {
                            case (.number(let left), .number(let right)): left > right
                            case (.string(let left), .string(let right)):
                                right.utf16.lexicographicallyPrecedes(left.utf16)
                            default: false
                            }
                        }))
            }
        )
    ]
}

/// `$keys`, `$lookup`, `$merge` and the like.
enum JSONataRecords {
    static let all: [(ByteText, JSONataFunction)] = [
        (
            "keys",
            JSONataFunction("<x-:a<s>>", 1) { evaluation, call throws(JSONataError) in
                var seen: Set<ByteText> = []
                var made: [Value] = []
                try keys(of: call[0], &seen, &made, evaluation)
                return .list(List.sequence(made))
            }
        ),
        (
            "lookup",
            JSONataFunction("<x-s:x>", 2) { evaluation, call throws(JSONataError) in
                guard let key = try call.text(1) else { return .missing }
                return try evaluation.lookup(key, in: call[0])
            }
        ),
        (
            "spread",
            JSONataFunction("<x-:a<o>>", 1) { evaluation, call throws(JSONataError) in
                try spread(call[0], evaluation)
            }
        ),
        (
            "merge",
            JSONataFunction("<a<o>:o>", 1) { evaluation, call throws(JSONataError) in
                guard let list = call.list(0) else { return .missing }
                var members = Members()
                for case .record(let record) in list.items {
                    try evaluation.allocate(record.members.count &* 48)
                    for (key, value) in zip(record.keys, record.values) { members.set(key, value) }
                }
                return .record(Record(members))
            }
        ),
        (
            "each",
            JSONataFunction("<o-f:a>", 2) { evaluation, call throws(JSONataError) in
                guard let record = try call.record(0), let function = try call.function(1) else {
                    return .list(List.sequence())
                }
                var made = List.sequence()
                for (key, value) in zip(record.keys, record.values) {
                    let result = try evaluation.call(function, with: [value, .string(key), .record(record)])
                    guard !result.isMissing else { continue }
                    try evaluation.allocate(values: 1)
                    made.append(result)
                }
                return .list(made)
            }
        ),
        (
            "sift",
            JSONataFunction("<o-f?:o>", 2) { evaluation, call throws(JSONataError) in
                guard let record = try call.record(0), let function = try call.function(1) else { return .missing }
                var members = Members()
                for (key, value) in zip(record.keys, record.values) {
                    let result = try evaluation.call(function, with: [value, .string(key), .record(record)])
                    guard try evaluation.truth(of: result) == true else { continue }
                    try evaluation.allocate(48)
                    members.add(key, value)
                }
                return members.count == 0 ? .missing : .record(Record(members))
            }
        ),
        (
            "type",
            JSONataFunction("<x:s>", 1) { _, call in
                switch call[0] {
                case .missing, .tuples: .missing
                case .null: .string("null")
                case .bool: .string("boolean")
                case .number: .string("number")
                case .string: .string("string")
                case .list: .string("array")
                case .record: .string("object")
                case .function: .string("function")
                }
            }
        ),
        ("clone", JSONataFunction("<(oa)-:o>", 1) { _, call in call[0] }),
        (
            "error",
            JSONataFunction("<s?:x>", 1) { _, call throws(JSONataError) in
                throw JSONataError("D3137", value: try call.text(0) ?? "$error() function evaluated")
            }
        ),
        (
            "assert",
            JSONataFunction("<bs?:x>", 2) { _, call throws(JSONataError) in
                if call[0].isTruthy { return .missing }
                throw JSONataError("D3141", value: try call.text(1) ?? "$assert() statement failed")
            }
        ),
    ]

    private static func keys(
        of value: Value, _ seen: inout Set<ByteText>, _ made: inout [Value], _ evaluation: JSONataEvaluation
    ) throws(JSONataError) {
        switch value {
        case .list(let list): for item in list.items { try keys(of: item, &seen, &made, evaluation) }
        case .record(let record):
            try evaluation.allocate(values: record.members.count)
            for key in record.keys where seen.add(key) { made.append(.string(key)) }
        default: break
        }
    }

    private static func spread(_ value: Value, _ evaluation: JSONataEvaluation) throws(JSONataError) -> Value {
        switch value {
        case .list(let list):
            var made = List.sequence()
            for item in list.items {
                let parts = try spread(item, evaluation)
                if case .list(let inner) = parts {
                    made.append(contentsOf: inner)
                } else if !parts.isMissing {
                    made.append(parts)
                }
            }
            try evaluation.allocate(values: made.count)
            return .list(made)
        case .record(let record):
            try evaluation.allocate(record.members.count &* 96)
            var made = List.sequence()
            for (key, value) in zip(record.keys, record.values) {
                var members = Members()
                members.add(key, value)
                made.append(.record(Record(members)))
            }
            return .list(made)
        default: return value
        }
    }
}
