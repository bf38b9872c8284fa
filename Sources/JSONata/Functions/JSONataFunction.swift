import JSON

/// A function of the library: its signature, how many arguments it takes at the most, and what it does.
struct JSONataFunction: Sendable {
    let signature: Signature?
    let arity: Int
    let run: @Sendable (JSONataEvaluation, Arguments) throws(JSONataError) -> Value

    init(
        _ signature: String, _ arity: Int,
        _ run: @escaping @Sendable (JSONataEvaluation, Arguments) throws(JSONataError) -> Value
    ) {
        self.signature = Signature.known(signature)
        (self.arity, self.run) = (arity, run)
    }

    /// - Parameter name: without `$`.
    static func named(_ name: String) -> Function? { all[name].map { Function(.library($0)) } }

    private static let all: [ByteText: JSONataFunction] = {
        var all: [ByteText: JSONataFunction] = [:]
        for table in [
            JSONataNumbers.all, JSONataTexts.all, JSONataPatterns.all, JSONataLists.all, JSONataRecords.all,
            JSONataOrder.all, JSONataTimes.all, JSONataServices.all,
        ] {
            for (name, function) in table { all[name] = function }
        }
        return all
    }()
}

/// What a function of the library is called with.
struct Arguments {
    private let values: [Value]
    /// The context of the call.
    let input: Value

    init(_ values: [Value], input: Value) { (self.values, self.input) = (values, input) }

    var count: Int { values.count }
    var all: [Value] { values }

    subscript(index: Int) -> Value { values.indices.contains(index) ? values[index] : .missing }

    private func wrong(_ index: Int) -> JSONataError { JSONataError("T0410", value: "\(index + 1)") }

    /// Nil: the argument is missing.
    func number(_ index: Int) throws(JSONataError) -> Double? {
        switch self[index] {
        case .missing: return nil
        case .number(let number): return number
        default: throw wrong(index)
        }
    }

    func text(_ index: Int) throws(JSONataError) -> String? {
        switch self[index] {
        case .missing: return nil
        case .string(let text): return text
        default: throw wrong(index)
        }
    }

    func function(_ index: Int) throws(JSONataError) -> Function? {
        switch self[index] {
        case .missing: return nil
        case .function(let function): return function
        default: throw wrong(index)
        }
    }

    func list(_ index: Int) -> List? {
        switch self[index] {
        case .missing: nil
        case .list(let list): list
        case let value: List([value])
        }
    }

    func record(_ index: Int) throws(JSONataError) -> Record? {
        switch self[index] {
        case .missing: return nil
        case .record(let record): return record
        default: throw wrong(index)
        }
    }
}
