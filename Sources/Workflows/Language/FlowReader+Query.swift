import JSON

/// The language in which states say what they do with data.
enum FlowLanguage: String {
    case path = "JSONPath"
    case query = "JSONata"

    /// Fields of states that only the other language has.
    var foreign: [String] {
        switch self {
        case .path: ["Arguments", "Output", "Items"]
        case .query:
            [
                "InputPath", "OutputPath", "Parameters", "ResultPath", "ResultSelector", "ItemsPath", "SecondsPath",
                "TimestampPath", "TimeoutSecondsPath", "HeartbeatSecondsPath", "MaxConcurrencyPath", "ErrorPath",
                "CausePath", "Result",
            ]
        }
    }
}

extension FlowFields {
    /// The language of this part of a definition.
    ///
    /// - Parameter usual: that of the whole; nil: this is the whole.
    func language(usual: FlowLanguage?) throws(FlowRefusal) -> FlowLanguage {
        guard value.object != nil else { throw refusal("An object is expected, found \(value.kind)") }
        guard let name = try text("QueryLanguage") else { return usual ?? .path }
        guard let language = FlowLanguage(rawValue: name) else {
            throw FlowRefusal(
                "The field 'QueryLanguage' should have one of these values: [JSONPath, JSONata]",
                at: "\(place)/QueryLanguage")
        }
        guard usual != .query || language == .query else {
            throw FlowRefusal(
                "'QueryLanguage' can not be 'JSONPath' if set to 'JSONata' for whole state machine",
                at: "\(place)/QueryLanguage")
        }
        return language
    }

    func check(_ language: FlowLanguage) throws(FlowRefusal) {
        for name in language.foreign where value[name] != nil {
            throw FlowRefusal(
                "The field '\(name)' is not supported by the QueryLanguage '\(language.rawValue)'",
                at: "\(place)/\(name)")
        }
    }

    func query(_ name: String) throws(FlowRefusal) -> FlowQueryTemplate? {
        guard let value = value[name] else { return nil }
        return try FlowQueryTemplate(value, field: name, at: "\(place)/\(name)")
    }

    /// What comes of a state or a rule.
    func outcome(_ language: FlowLanguage) throws(FlowRefusal) -> FlowOutcome? {
        let output = language == .query ? try query("Output") : nil
        var assign: FlowOutcome.Assignment?
        if let given = value["Assign"] {
            let inner = "\(place)/Assign"
            guard let names = given.object?.keys else { throw refusal("'Assign' is an object of variables") }
            for name in names {
                let name = language == .path && name.hasSuffix(".$") ? String(name.dropLast(2)) : name
                guard Self.isVariable(name) else {
                    throw FlowRefusal("'\(name)' is no name of a variable: letters, digits and _", at: inner)
                }
                guard name != "states" else {
                    throw FlowRefusal("The name of the variable 'states' is reserved", at: inner)
                }
            }
            assign =
                language == .query
                ? .query(try FlowQueryTemplate(given, field: "Assign", at: inner))
                : .path(try FlowTemplate(given, at: inner))
        }
        return output == nil && assign == nil ? nil : FlowOutcome(output: output, assign: assign)
    }

    private static func isVariable(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, name.unicodeScalars.count <= WorkflowLimits.nameCharactersMax
        else {
            return false
        }
        func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isAlphabetic }
        return isLetter(first)
            && name.unicodeScalars.allSatisfy { isLetter($0) || $0.properties.numericType == .decimal }
    }

    /// A number or an expression.
    func number(query name: String, _ range: ClosedRange<Int64>) throws(FlowRefusal) -> FlowNumber? {
        if let text = value[name]?.string, let source = FlowQueryText.source(of: text) {
            return .query(try FlowQueryText(source, field: name, at: "\(place)/\(name)"))
        }
        return try whole(name, range).map { .fixed($0) }
    }

    /// A text or an expression.
    func text(query name: String) throws(FlowRefusal) -> FlowText? {
        guard let text = try text(name) else { return nil }
        guard let source = FlowQueryText.source(of: text) else { return .fixed(text) }
        return .query(try FlowQueryText(source, field: name, at: "\(place)/\(name)"))
    }

    /// The condition of a rule.
    func condition() throws(FlowRefusal) -> FlowTest {
        if let fixed = value["Condition"]?.bool { return fixed ? .all([]) : .any([]) }
        guard let source = FlowQueryText.source(of: try demandedText("Condition")) else {
            throw FlowRefusal(
                "'Condition' is an expression such as {% $states.input.total > 10 %}", at: "\(place)/Condition")
        }
        return .condition(try FlowQueryText(source, field: "Condition", at: "\(place)/Condition"))
    }

    /// What a state does with its data.
    func query(ofState type: String) throws(FlowRefusal) -> FlowQuery {
        let takes = type == "Task" || type == "Parallel"
        let selector = type == "Map" ? try query("ItemSelector") : nil
        return FlowQuery(
            arguments: takes ? try query("Arguments") : nil, items: type == "Map" ? try query("Items") : nil,
            selector: selector)
    }
}
