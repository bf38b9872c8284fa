import Blueprint
import GraphQL
import JSON
import Project

/// The state that the programs of a project share while they are read.
final class ProjectPrograms {
    let schema: String?
    let backend: String?
    let surroundings: ProgramSurroundings
    let limits: TypeScriptLimits
    let console: ProgramConsole
    /// The schema, once a program has said it.
    var found: TypeScriptSchema?

    init(
        schema: String?, backend: String?, _ surroundings: ProgramSurroundings, _ limits: TypeScriptLimits
    ) {
        (self.schema, self.backend, self.surroundings, self.limits) = (schema, backend, surroundings, limits)
        console = ProgramConsole(surroundings.console)
    }

    /// The question about the schema, for the program that calls `defineBackend`, or where there is none, for the schema's own file.
    func finding(in file: String) -> ProgramSchema? {
        guard let schema, ByteText(file) == ByteText(backend ?? schema) else { return nil }
        return ProgramSchema(file: schema, backend: backend)
    }
}

/// One program, run to its end or to where it fails.
struct ProjectRun {
    let signIn: SignInRun
    let failure: Diagnostic?
    /// True if it fails before its first line, since it is no program.
    private let isSyntaxWrong: Bool
    let sources: [Source]
    /// The statements that it did not come to.
    let lost: [LostStatement]
    /// The program's words about the API, besides its schema.
    let data: (authorizer: DataAuthorizer?, name: String?)

    /// The file and the line of a place.
    func place(of position: Position) -> String? {
        guard position.isKnown, sources.indices.contains(position.source) else { return nil }
        let source = sources[position.source]
        guard let name = source.name, let location = LineMap(source).location(of: position) else { return nil }
        return "\(name):\(location.line)"
    }

    init(_ file: String, _ programs: ProjectPrograms) {
        let files = ProgramFiles(of: file, programs.surroundings, limits: programs.limits)
        let signIn = SignInRun(files)
        self.signIn = signIn
        guard let bytes = files.bytes(of: file) else {
            (failure, sources) = (Diagnostic(severity: .error, message: "cannot read \(file)"), [])
            (data, isSyntaxWrong, lost) = ((nil, nil), true, [])
            return
        }
        let run = ProgramRun(file, bytes, files, programs.console)
        run.signIn = signIn
        run.schema = programs.finding(in: file)
        let error = run.runForSignIn()
        programs.found = run.schema?.schema ?? programs.found
        sources = files.sources
        data = (
            run.data.lazy.compactMap(\.options.modes?.authorizer).first,
            run.data.lazy.compactMap(\.options.name?.text).first
        )
        failure = error.map { Diagnostic($0, in: files.sources) }
        isSyntaxWrong = run.isSyntaxWrong
        lost = run.lost
    }

    /// Why a program that does not come to its end cannot be passed over; nil: it can, since nothing that it has yet to say can
    /// restrict anybody.
    var reasonForRefusal: Diagnostic? {
        guard let failure else { return nil }
        if isSyntaxWrong { return failure }
        let word = RightsWords.all.first { word in
            sources.contains { source in
                source.bytes.indices.contains { source.bytes[$0...].starts(with: word.utf8) }
            }
        }
        guard let word else { return nil }
        return Diagnostic(
            asError: failure,
            after:
                "the program cannot be run to its end, and it names \(word): what it says of rights after this is not known, so "
                + "nothing of the project is served: ")
    }
}
