import JSON
import Script

/// Reads a module of the runtime APPSYNC_JS: parses it, lints it, looks at what it imports and exports, compiles it.
struct JavaScriptReader {
    private let text: String
    private let file: String
    private let isTypeScript: Bool
    private var errors: [ResolverCodeError.Finding] = []
    private var warnings: [ResolverCodeError.Finding] = []
    private let sourceMap: SourceMap?

    init(_ text: String, file: String, isTypeScript: Bool) {
        self.text = text
        self.file = file
        self.isTypeScript = isTypeScript
        sourceMap = SourceMap(in: text)
    }

    mutating func read(
        charactersMax: Int
    ) throws(ResolverCodeError) -> (JavaScriptProgram, warnings: [ResolverCodeError.Finding]) {
        let units = Array(text.utf16)
        guard units.count <= charactersMax else {
            throw ResolverCodeError([
                .init(
                    .validation,
                    "The code has \(units.count) characters; AppSync takes at most \(charactersMax).",
                    at: ResolverPlace(line: 1, column: 1))
            ])
        }
        let (program, names) = try parse(units)
        let linter = Linter(program, names)
        for finding in linter.findings {
            let place = place(finding.place)
            let kind: ResolverCodeError.Kind = finding.rule == nil ? .validation : .lint
            switch finding.weight {
            case .error: errors.append(.init(kind, rule: finding.rule, finding.message, at: place))
            case .warning: warnings.append(.init(kind, rule: finding.rule, finding.message, at: place))
            }
        }
        let imports = imports(program, names)
        let request = export("request", program, names)
        let response = export("response", program, names)
        guard errors.isEmpty, let request, let response else { throw ResolverCodeError(errors) }
        let compiled = Script.compile(program, names, file: file)
        return (
            JavaScriptProgram(
                compiled: compiled, imports: imports, request: request, response: response, file: file,
                callStarts: linter.callStarts, sourceMap: sourceMap), warnings
        )
    }

    /// The names that the module exports.
    func exportedNames() throws(ResolverCodeError) -> [String] {
        var reader = self
        let (program, names) = try reader.parse(Array(text.utf16.prefix(ResolverLimits.codeCharactersMax + 1)))
        return program.exports.compactMap { entry in entry.name.map { names.text(of: $0) } }
    }

    private func place(_ place: Place) -> ResolverPlace {
        let place = ResolverPlace(line: Int(place.line), column: Int(place.column))
        return sourceMap?.original(of: place) ?? place
    }

    // MARK: Parsing

    private mutating func parse(_ units: [UInt16]) throws(ResolverCodeError) -> (ProgramNode, NameNumbers) {
        let failure: ScriptSyntaxError
        do throws(ScriptSyntaxError) {
            let names = NameNumbers()
            return (try ProgramNode(parsing: units, names: names), names)
        } catch {
            failure = error
        }
        let names = NameNumbers()
        let options = SyntaxOptions(isTypeScript: true)
        guard let typed = try? ProgramNode(parsing: units, names: names, options: options) else {
            throw refusal(failure, hint: failure.hint)
        }
        guard isTypeScript else {
            throw refusal(failure, hint: "This is TypeScript: transpile it first, for example with esbuild.")
        }
        warnings.append(
            .init(
                .validation,
                "AppSync takes no TypeScript: types are left out here, but the code has to be transpiled before it is deployed.",
                at: place(failure.place)))
        return (typed, names)
    }

    private func refusal(_ error: ScriptSyntaxError, hint: String?) -> ResolverCodeError {
        let message = hint.map { "\(error.message). \($0)" } ?? error.message
        return ResolverCodeError([.init(.parser, message, at: place(error.place))])
    }

    // MARK: Imports and exports

    private mutating func imports(_ program: ProgramNode, _ names: NameNumbers) -> [JavaScriptProgram.Import] {
        var known: [Bool] = []
        for request in program.requests {
            let specifier = String(decoding: request.specifier, as: UTF16.self)
            let isKnown = LentLibrary.has(specifier)
            known.append(isKnown)
            if isKnown { continue }
            let isLocal = specifier.hasPrefix(".") || specifier.hasPrefix("/")
            errors.append(
                .init(
                    .validation,
                    isLocal
                        ? "AppSync imports no other files: '\(specifier)' has to be bundled into the code, for example with esbuild."
                        : "AppSync has no module '\(specifier)': it has to be bundled into the code.",
                    at: place(request.place)))
        }
        return program.imports.map { entry in
            let specifier =
                program.requests.indices.contains(entry.request)
                ? String(decoding: program.requests[entry.request].specifier, as: UTF16.self) : ""
            guard case .name(let name) = entry.source else {
                return JavaScriptProgram.Import(specifier: specifier, name: nil)
            }
            let text = names.text(of: name)
            let isKnown = known.indices.contains(entry.request) && known[entry.request]
            if isKnown, text != "default", LentLibrary.exports(of: specifier)?.contains(text) == false {
                errors.append(
                    .init(
                        .validation, "The module '\(specifier)' has no export named '\(text)'.", at: place(entry.place))
                )
            }
            return JavaScriptProgram.Import(specifier: specifier, name: text)
        }
    }

    private mutating func export(_ wanted: String, _ program: ProgramNode, _ names: NameNumbers) -> Name? {
        for entry in program.exports {
            guard let name = entry.name, names.text(of: name) == wanted else { continue }
            if case .local(let local) = entry.source { return local }
            errors.append(
                .init(
                    .validation, "The function '\(wanted)' must be one of the code's own.", at: place(entry.place)))
            return nil
        }
        errors.append(
            .init(
                .validation, "The code must export a function named '\(wanted)'.", at: ResolverPlace(line: 1, column: 1)
            ))
        return nil
    }
}
