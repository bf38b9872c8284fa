import JSON

/// The calls that one run of a handler makes, one after the other: what each is given, and what all of them change.
///
/// A run keeps one of these, and sets `arguments` before each call.
struct LibraryCall {
    /// As many as were given; each undefined one is null.
    var arguments: [JSONValue] = []
    /// The name of the function that runs, for what its faults say.
    var function = ""
    /// Who asks.
    let caller: any ResolverCaller
    let keepsArguments: Bool
    let limits: ResolverLimits
    let surroundings: ResolverSurroundings
    /// Where effects go: appended errors, filters, invalidations, fields of the answer's head.
    var outcome: ResolverOutcome
    /// What the run may still cost. The language takes its own steps from here, too, or sets it before a call.
    var stepsLeft: Int
    /// Stands in what only functions of the library make, such as a part of an SQL statement. Nobody outside of the run knows it, so
    /// that no value of a request can be taken for one of those.
    private(set) lazy var mark = Self.mark(surroundings)

    init(
        _ context: ResolverContext, limits: ResolverLimits = ResolverLimits(),
        in surroundings: ResolverSurroundings = .live, outcome: ResolverOutcome = ResolverOutcome(.value(.null))
    ) {
        self.init(
            for: context.caller, keepsArguments: context.keepsArguments, limits: limits, in: surroundings,
            outcome: outcome)
    }

    init(
        for caller: any ResolverCaller, keepsArguments: Bool, limits: ResolverLimits,
        in surroundings: ResolverSurroundings, outcome: ResolverOutcome = ResolverOutcome(.value(.null))
    ) {
        self.caller = caller
        self.keepsArguments = keepsArguments
        self.limits = limits
        self.surroundings = surroundings
        self.outcome = outcome
        stepsLeft = limits.stepsMax
    }

    /// An argument; one that is missing, or undefined, is null.
    subscript(_ index: Int) -> JSONValue { index < arguments.count ? arguments[index] : .null }

    /// Takes steps: about one for each value that is looked at, and for some bytes of a text.
    mutating func count(_ steps: Int) throws(ResolverError) {
        stepsLeft -= min(steps, stepsLeft + 1)
        guard stepsLeft >= 0 else { throw .fault("The code has taken more than \(limits.stepsMax) steps.") }
    }

    /// Takes the steps of a text, which may not be too long.
    mutating func count(bytes: Int) throws(ResolverError) {
        guard bytes <= limits.resultBytesMax else {
            throw .fault("\(function) has to do with a text of more than \(limits.resultBytesMax) bytes.")
        }
        try count(1 + bytes / LibraryLimits.bytesPerStep)
    }

    /// Puts an error beside the field's value.
    mutating func append(_ error: ResolverError) throws(ResolverError) {
        guard outcome.outErrors.count < limits.outErrorsMax else {
            throw .fault("A field has at most \(limits.outErrorsMax) errors.")
        }
        outcome.outErrors.append(error)
    }

    /// Whether values may be nested as deeply as that.
    func check(depth: Int) throws(ResolverError) {
        guard depth <= limits.nestingMax else { throw depthFault }
    }

    /// The refusal of values that are nested too deeply.
    var depthFault: ResolverError {
        .fault("\(function) is given values that are nested more than \(limits.nestingMax) deep.")
    }

    private static func mark(_ surroundings: ResolverSurroundings) -> String {
        surroundings.randomBytes(16).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}

extension LibraryCall {
    /// An argument as a text: numbers and booleans as they are printed. Nil: there is none.
    func optionalText(_ index: Int) throws(ResolverError) -> String? {
        switch self[index] {
        case .null: return nil
        case .string(let text): return text
        case .array, .object: throw mismatch(index, "a string")
        case let value: return JSONWriter.text(of: value)
        }
    }

    func text(_ index: Int) throws(ResolverError) -> String {
        guard let text = try optionalText(index) else { throw mismatch(index, "a string") }
        return text
    }

    func optionalObject(_ index: Int) throws(ResolverError) -> JSONObject? {
        if self[index].isNull { return nil }
        return try object(index)
    }

    func object(_ index: Int) throws(ResolverError) -> JSONObject {
        guard let object = self[index].object else { throw mismatch(index, "an object") }
        return object
    }

    func number(_ index: Int) throws(ResolverError) -> Double {
        guard let number = self[index].number else { throw mismatch(index, "a number") }
        return number
    }

    /// A whole number, also where it is written with a fraction that is none.
    func integer(_ index: Int) throws(ResolverError) -> Int64 {
        if let integer = self[index].integer { return integer }
        guard let number = self[index].number, let integer = Int64(exactly: number.rounded(.down)) else {
            throw mismatch(index, "an integer")
        }
        return integer
    }

    func mismatch(_ index: Int, _ wanted: String) -> ResolverError {
        let found = index < arguments.count ? "it is \(self[index].kind)" : "there is none"
        return .fault("\(function) expects \(wanted) as argument \(index + 1), but \(found).")
    }
}

extension ResolverError {
    /// A function that refuses what it is given. What type the error has is a matter of the language.
    static func fault(_ message: String) -> ResolverError { ResolverError(message, isFault: true) }
}
