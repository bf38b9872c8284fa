import Blueprint
import GraphQL
import Project

/// Runs the file of a schema in TypeScript:
///
///     run        the file is a program, run by the room Script            Program/
///     build      what the functions of `a` give: models, types, rules, …  Builders/
///     write      the document of Amplify's SDL that it stands for          Document/
extension TypeScriptSchema {
    /// Reads a schema.
    ///
    /// - Parameters:
    ///   - surroundings: what its program finds around it.
    ///   - backend: the program of the project that calls `defineBackend`, as `amplify/backend.ts` does; nil: there is none.
    package static func read(
        _ file: String, _ bytes: [UInt8], backend: String? = nil,
        in surroundings: ProgramSurroundings = ProgramSurroundings(), limits: TypeScriptLimits = .standard
    ) -> TypeScriptSchema {
        read(
            file, bytes, backend: backend, in: surroundings, limits: limits,
            console: ProgramConsole(surroundings.console))
    }

    static func read(
        _ file: String, _ bytes: [UInt8], backend: String?, in surroundings: ProgramSurroundings,
        limits: TypeScriptLimits, console: ProgramConsole
    ) -> TypeScriptSchema {
        var warnings: [Diagnostic] = []
        // What the schema was where the program of `backend` failed.
        var other: TypeScriptSchema?
        if let backend {
            let modules = ProgramFiles(of: backend, surroundings, limits: limits)
            if let bytes = modules.bytes(of: backend) {
                do throws(TypeScriptError) {
                    let program = ProgramRun(backend, bytes, modules, console)
                    switch try program.backendData() {
                    case .options(let options):
                        return try TypeScriptSchema(file, options, modules, warnings: program.warnings(in: modules))
                    case .none: return TypeScriptSchema(leftOutBy: backend, file, modules.sources)
                    case .unknown(let error, let options):
                        warnings = [Self.alone(file, backend, error, modules.sources)]
                        other = options.flatMap { try? TypeScriptSchema(file, $0, modules) }
                    }
                } catch {
                    return TypeScriptSchema(refused: error, modules.sources, file)
                }
            }
        }
        let modules = ProgramFiles(of: file, surroundings, limits: limits)
        do throws(TypeScriptError) {
            let program = ProgramRun(file, bytes, modules, console)
            let options = try program.options()
            let schema = try TypeScriptSchema(
                file, options, modules, warnings: warnings + program.warnings(in: modules))
            if let other, let backend, !schema.isSame(as: other) {
                return TypeScriptSchema(
                    file, other.sources,
                    warnings.map { Diagnostic(asError: $0, after: "") }
                        + [Self.differs(file, backend)], isLeftOut: false)
            }
            return schema
        } catch {
            return TypeScriptSchema(
                refused: error, modules.sources.isEmpty ? [Source(bytes, name: file)] : modules.sources, file)
        }
    }

    private static func differs(_ file: String, _ backend: String) -> Diagnostic {
        Diagnostic(
            severity: .error,
            message: "what \(backend) does before that makes the schema another one than that of \(file) alone",
            hint: "Correct what stops the program.", file: backend)
    }

    private func isSame(as other: TypeScriptSchema) -> Bool {
        document?.printed == other.document?.printed && settings.modes == other.settings.modes
    }

    private static func alone(
        _ file: String, _ backend: String, _ error: TypeScriptError?, _ sources: [Source]
    ) -> Diagnostic {
        let start = "\(backend) does not come to defineBackend, so the schema is that of \(file) run alone"
        guard let error else { return Diagnostic(severity: .warning, message: start, file: backend) }
        return Diagnostic(
            asWarning: diagnostic(error, sources),
            after: start + ", and what the program does before may make it another one: ")
    }

    init(refused error: TypeScriptError, _ sources: [Source], _ file: String) {
        self.init(file, sources, [Self.diagnostic(error, sources)], isLeftOut: false)
    }

    init(leftOutBy backend: String, _ file: String, _ sources: [Source]) {
        self.init(
            file, sources,
            [
                Diagnostic(
                    severity: .error, message: "defineBackend is given no data, so Amplify deploys no API",
                    hint: "Write defineBackend({ data, ... }).", file: backend)
            ], isLeftOut: true)
    }

    private init(_ file: String, _ sources: [Source], _ diagnostics: [Diagnostic], isLeftOut: Bool) {
        self.init(file)
        (self.sources, self.diagnostics, self.isLeftOut) = (sources, diagnostics, isLeftOut)
    }

    init(
        _ file: String, _ options: DataOptions, _ modules: ProgramFiles, warnings: [Diagnostic] = []
    ) throws(TypeScriptError) {
        self.init(file)
        self.warnings = warnings
        try options.checkName()
        let data = try DataDocument(options, limits: modules.limits)
        let folder = ProgramFiles.folder(of: file)
        let authFiles = ["../auth/resource.ts", "../auth/resource.js"].map { ProgramFiles.join(folder, $0) }
        let hasUsers = authFiles.contains { modules.bytes(of: $0) != nil }
        let modes = try DataModes(options.modes, hasUsers: hasUsers)
        settings.defaultMode = modes.defaultMode
        settings.additionalModes = modes.additionalModes
        notes = data.notes
        notes.isSandbox = modes.isSandbox
        notes.lacksUsers = !hasUsers
        name = options.name?.text
        functions = data.functions
        for (name, function) in options.functions { functions[name] = function }
        functionGrants = data.functionGrants
        handlers = data.handlers.map { handler in
            var handler = handler
            handler.code = modules.code(of: handler)
            return handler
        }
        passingSubscriptions = Self.passingSubscriptions(of: data.handlers, modules)
        let named = data.handlers.map { PlacedText(text: $0.entry, position: $0.position) } + data.statementFiles
        missingFiles = named.compactMap { modules.refusal(ofFile: $0) }.map { Self.diagnostic($0, modules.sources) }

        guard let text = data.text else {
            (document, sources) = (Document(definitions: data.definitions), modules.sources)
            return
        }
        let own = modules.sources.first { $0.name == file } ?? modules.sources[0]
        let source = Self.source(of: text, in: own)
        sources = modules.sources + [source]
        do {
            document = try Document(parsing: source, limits: .schema, sourceNumber: modules.sources.count)
        } catch {
            let message = SyntaxMessage.text(of: error, in: source)
            diagnostics = [Self.diagnostic(TypeScriptError(message, at: error.position), sources)]
        }
    }

    private static func passingSubscriptions(
        of handlers: [CustomHandler], _ modules: ProgramFiles
    ) -> Set<String> {
        var passing: [String: Bool] = [:]
        for handler in handlers where handler.typeName == subscription {
            let place = handler.position
            let file =
                place.isKnown && modules.sources.indices.contains(place.source) ? modules.sources[place.source] : nil
            let isPassing =
                handler.dataSource == CustomHandler.noSource
                && file?.name.map { modules.onlyPassesOn(handler.entry, from: $0) } ?? false
            passing[handler.fieldName] = isPassing && passing[handler.fieldName] ?? true
        }
        return Set(passing.filter(\.value).keys)
    }

    /// The source of a schema in SDL. Where the text stands in the module as it is, it keeps its lines and columns.
    private static func source(of text: String, in module: Source) -> Source {
        let wanted = Array(text.utf8)
        guard !wanted.isEmpty, let start = place(of: wanted, in: module.bytes) else {
            return Source(wanted, name: module.name)
        }
        let before = module.bytes[..<start].map { $0 == 0x0A || $0 == 0x0D || $0 >= 0x80 ? $0 : 0x20 }
        guard before.allSatisfy({ $0 < 0x80 }) else {
            // What is no ASCII cannot be blank byte by byte: only its lines are kept.
            return Source(before.filter { $0 == 0x0A || $0 == 0x0D } + wanted, name: module.name)
        }
        return Source(before + wanted, name: module.name)
    }

    /// Where some bytes stand in others. Not looked for beyond a bound: a text may be made to be hard to find.
    private static func place(of wanted: [UInt8], in bytes: [UInt8]) -> Int? {
        var comparisonsLeft = 64 << 20
        var start = 0
        while start + wanted.count <= bytes.count, comparisonsLeft > 0 {
            var length = 0
            while length < wanted.count, bytes[start + length] == wanted[length] { length += 1 }
            if length == wanted.count { return start }
            comparisonsLeft -= length + 1
            start += 1
        }
        return nil
    }

    private static func diagnostic(_ error: TypeScriptError, _ sources: [Source]) -> Diagnostic {
        Diagnostic(error, in: sources)
    }
}
