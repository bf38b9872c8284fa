import GraphQL
import Threads

/// Reads an Amplify schema written in SDL with directives.
///
///     parse      the files, as one schema
///     language   the rules of GraphQL for names in schemas, then for values of arguments (`LanguageRules`)
///     directives each directive where it stands, part by part in the order of Amplify's transformer (`SDLReading`)
///     assemble   what was found becomes a blueprint (`SDLReading+Blueprint`)
///
/// What Amplify refuses is refused with the first line of its message, but all of it at once.
package enum SDLReader {
    /// Up to this many definitions are checked sooner than a thread for them gets a core.
    private static let shortMax = 12

    /// Reads the files of a schema.
    ///
    /// - Parameter handlers: the handlers of root fields that lie beside the schema, as files of their own.
    package static func read(
        _ sources: [Source], settings: Settings = Settings(), handlers: [CustomHandler] = []
    ) -> Reading {
        var log = DiagnosticLog()
        let definitions = parse(sources, log: &log)
        guard !log.hasErrors else { return Reading(blueprint: nil, diagnostics: log.diagnostics(in: sources)) }

        var notes = DocumentNotes(isSandbox: Sandbox.isOn(in: definitions, log: &log))
        notes.add(handlers)
        return read(definitions, of: sources, settings: settings, notes: notes, log: log)
    }

    /// Reads the definitions of a schema, whose places are in those sources, whatever language they hold.
    package static func read(
        _ definitions: [Definition], of sources: [Source], settings: Settings, notes: DocumentNotes
    ) -> Reading {
        var log = DiagnosticLog()
        var notes = notes
        notes.isSandbox = Sandbox.isOn(in: definitions, log: &log) || notes.isSandbox
        return read(definitions, of: sources, settings: settings, notes: notes, log: log)
    }

    private static func read(
        _ definitions: [Definition], of sources: [Source], settings: Settings, notes: DocumentNotes, log: DiagnosticLog
    ) -> Reading {
        // Directives are read whatever the language's rules say, so neither waits for the other.
        let language = WorkAside(isWorthwhile: definitions.count > shortMax, isUrgent: true) {
            checkLanguage(of: definitions, settings, log: log)
        }
        var reading = SDLReading(
            definitions, settings: settings, notes: notes, log: DiagnosticLog())
        reading.readDirectives()
        let found = reading.log
        var blueprint: Blueprint?
        if !found.hasErrors {
            reading.warnOfRules()
            reading.warnOfModels()
            reading.warnOfSubscriptions()
            blueprint = reading.blueprint(isSandbox: notes.isSandbox)
        }
        // What the language's rules say comes first. What follows from names that are not there would only repeat it.
        var whole = language.value
        let isRefused = whole.hasErrors
        whole.append(isRefused ? found : reading.log)
        return Reading(blueprint: isRefused ? nil : blueprint, diagnostics: whole.diagnostics(in: sources))
    }

    /// Reads a schema that is one text.
    package static func read(_ text: String, settings: Settings = Settings()) -> Reading {
        read([Source(text)], settings: settings)
    }

    /// The definitions of a schema as they are written, or why they cannot be read.
    package static func document(of sources: [Source]) -> (document: Document?, diagnostics: [Diagnostic]) {
        var log = DiagnosticLog()
        let definitions = parse(sources, log: &log)
        return (log.hasErrors ? nil : Document(definitions: definitions), log.diagnostics(in: sources))
    }

    private static func parse(_ sources: [Source], log: inout DiagnosticLog) -> [Definition] {
        var definitions: [Definition] = []
        var empty: (message: String, position: Position)?
        for (number, source) in sources.enumerated() {
            do {
                definitions += try Document(parsing: source, limits: .schema, sourceNumber: number).definitions
            } catch {
                let message = SyntaxMessage.text(of: error, in: source)
                if message == SyntaxMessage.empty {
                    empty = empty ?? (message, error.position)
                } else {
                    log.error(message, at: error.position, step: .syntax)
                }
            }
        }
        // A file of a folder may be empty, the whole schema may not; what clients send is no part of one.
        let hint = "A schema has at least one type, such as type Todo @model { name: String }."
        if definitions.isEmpty, !log.hasErrors {
            log.error(
                empty?.message ?? SyntaxMessage.empty, at: empty?.position ?? .none, step: .syntax, hint: hint)
        } else if let first = definitions.first, definitions.allSatisfy(\.isExecutable), !log.hasErrors {
            log.error(
                "The schema has nothing but operations, which clients send.", at: first.position, step: .syntax,
                hint: hint)
        }
        return definitions
    }

    private static func checkLanguage(
        of definitions: [Definition], _ settings: Settings, log: DiagnosticLog
    ) -> DiagnosticLog {
        let version = settings.transformerVersion
        var log = ExtensionRules.check(definitions, log: log)
        let rules = LanguageRules(definitions, directives: .version(version))
        var found = rules.checkNames(plugIns: settings.plugIns, after: log)
        if version == 1 {
            found = Version1Directives.refuse(definitions, before: found)
        } else {
            LegacyDirectives.refuse(definitions, isAlone: !found.hasErrors, log: &log)
        }
        let isGood = !found.hasErrors && !log.hasErrors
        log.append(found)
        if isGood { rules.checkValues(log: &log) }
        return log
    }
}

/// What reading a schema gives: a blueprint, unless there are errors, and what is to be said.
package struct Reading: Sendable {
    /// Nil when the schema is refused.
    package let blueprint: Blueprint?
    /// In the order in which Amplify would come to them.
    package let diagnostics: [Diagnostic]

    package init(blueprint: Blueprint?, diagnostics: [Diagnostic]) {
        self.blueprint = blueprint
        self.diagnostics = diagnostics
    }

    package var errors: [Diagnostic] { diagnostics.filter(\.isError) }
}
