import JSON

/// A resolver's or a function's two mapping templates.
struct VelocityProgram: HandlerProgram {
    /// Nil: there is none, which is `$util.toJson({})`.
    private let request: TemplateProgram?
    private let response: TemplateProgram?

    init(request: String?, response: String?) throws(ResolverCodeError) {
        self.request = try Self.read(request, "request")
        self.response = try Self.read(response, "response")
    }

    private static func read(_ text: String?, _ name: String) throws(ResolverCodeError) -> TemplateProgram? {
        guard let text else { return nil }
        do throws(TemplateFault) {
            return try TemplateProgram(reading: text)
        } catch {
            throw ResolverCodeError([
                ResolverCodeError.Finding(
                    .parser, "The \(name) template is none: \(error.message)",
                    at: TemplateProgram.place(of: error.offset, in: Array(text.utf8)))
            ])
        }
    }

    func run(
        _ handler: ResolverCode.Handler, _ context: ResolverContext, _ limits: ResolverLimits,
        _ surroundings: ResolverSurroundings
    ) -> ResolverOutcome {
        guard let template = handler == .request ? request : response else {
            var outcome = ResolverOutcome(.value(.object(JSONObject())))
            outcome.stash = context.stash
            outcome.outErrors = context.outErrors
            return outcome
        }
        return TemplateRun(template, context, limits, surroundings).outcome()
    }
}

extension TemplateRun {
    /// Runs the template.
    func outcome() -> ResolverOutcome {
        var end: ResolverOutcome.End
        var stash = JSONObject()
        var arguments: JSONValue?
        do throws(TemplateExit) {
            end = try self.end()
            stash = try stashLeft()
            arguments = try argumentsLeft()
        } catch {
            end = .failed(Self.error(error))
            stash = (try? stashLeft()) ?? stash
        }
        var outcome = call.outcome
        outcome.end = end
        outcome.stash = stash
        outcome.arguments = arguments
        return outcome
    }

    private static func error(_ exit: TemplateExit) -> ResolverError {
        guard case .failed(let error) = exit else {
            return ResolverError("The template ended where it could not.", type: "MappingTemplate", isFault: true)
        }
        return error
    }

    private func stashLeft() throws(TemplateExit) -> JSONObject {
        if let stash = stash.json { return stash }
        let value = try json(.map(stash))
        var bytes: [UInt8] = []
        try writeJSON(.map(stash), to: &bytes)
        guard bytes.count <= limits.resultBytesMax else {
            throw fault("The stash has more than \(limits.resultBytesMax) bytes.")
        }
        return value.object ?? JSONObject()
    }

    /// The arguments, where the template has changed them and somebody wants to know.
    private func argumentsLeft() throws(TemplateExit) -> JSONValue? {
        guard call.keepsArguments, case .map(let map) = arguments, map.json == nil else { return nil }
        var bytes: [UInt8] = []
        try writeJSON(arguments, to: &bytes)
        guard bytes.count <= limits.resultBytesMax else {
            throw fault("The arguments have more than \(limits.resultBytesMax) bytes.")
        }
        return try json(arguments)
    }

    private func end() throws(TemplateExit) -> ResolverOutcome.End {
        do throws(TemplateExit) {
            if let whole = template.whole, case .library = frame[TemplateNames.Known.util.rawValue] {
                return .value(try self.whole(whole))
            }
            try render(template.nodes)
        } catch {
            switch error {
            case .leave, .stop: break
            case .returned: return .early(try returnedValue(), skipsToEnd: false)
            case .failed: throw error
            }
        }
        return .value(try printed())
    }

    private func printed() throws(TemplateExit) -> JSONValue {
        do throws(ResolverError) {
            return try TemplateOutput.value(of: output, limits: limits)
        } catch {
            throw .failed(error)
        }
    }

    /// What would be written and read again.
    private func whole(_ expression: TemplateExpression) throws(TemplateExit) -> JSONValue {
        let value = try value(of: expression)
        try printJSON(value)
        guard case .map(let map) = value, let json = map.json else { return try printed() }
        return .object(json)
    }

    /// A text that is JSON is returned as its value: templates end by `#return($util.toJson(…))`.
    private func returnedValue() throws(TemplateExit) -> JSONValue {
        if case .text(let text) = returned, let parsed = parsed(text) { return parsed }
        try printJSON(returned)
        return try json(returned)
    }
}

extension ResolverCode {
    /// Two mapping templates of a resolver or a function, in Velocity. A half that is nil answers `{}`.
    ///
    /// - Throws: what is no template.
    package convenience init(template request: String?, response: String?) throws(ResolverCodeError) {
        self.init(try VelocityProgram(request: request, response: response))
    }
}
