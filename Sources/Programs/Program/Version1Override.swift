import Blueprint
import GraphQL
import Project

/// `override.ts` of a Gen 1 project: a function that changes the resources of a category.
package enum Version1Override {
    /// The name of the parameter in messages.
    static let resources = "resources"

    /// The sign-in with `amplify/backend/auth/NAME/override.ts`, and the messages about it.
    package static func read(
        _ file: String, over auth: AuthResource, in surroundings: ProgramSurroundings,
        limits: TypeScriptLimits = .standard
    ) -> (auth: AuthResource, diagnostics: [Diagnostic]) {
        let files = ProgramFiles(of: file, surroundings, limits: limits)
        guard let bytes = files.bytes(of: file) else {
            return (auth, [Diagnostic(severity: .error, message: "cannot read \(file)")])
        }
        let signIn = SignInRun(files)
        let run = ProgramRun(file, bytes, files, ProgramConsole(surroundings.console))
        run.signIn = signIn
        let failure = run.runOverride(of: auth)
        var diagnostics = signIn.errors.all.map { Diagnostic($0, in: files.sources) }
        if diagnostics.isEmpty, let failure { diagnostics.append(Diagnostic(failure, in: files.sources)) }
        diagnostics += signIn.warnings(in: files.sources)
        return (signIn.auth ?? auth, diagnostics)
    }

    /// Reads an override of other resources than those of sign-in. Nothing here obeys it: a change of rights is an error, and
    /// any other a warning.
    ///
    /// - Returns: `hidesSchema`, true if the API is to tell nobody its schema, which does hold.
    package static func read(
        _ file: String, in surroundings: ProgramSurroundings, limits: TypeScriptLimits = .standard
    ) -> (hidesSchema: Bool, problems: [Diagnostic]) {
        let files = ProgramFiles(of: file, surroundings, limits: limits)
        guard let bytes = files.bytes(of: file) else {
            return (false, [Diagnostic(severity: .error, message: "cannot read \(file)")])
        }
        let signIn = SignInRun(files)
        signIn.assignments.isOfOverride = true
        let run = ProgramRun(file, bytes, files, ProgramConsole(surroundings.console))
        run.signIn = signIn
        let failure = run.runOverride(of: nil)
        let errors = signIn.errors.all + (failure.map { [$0] } ?? [])
        return (
            signIn.assignments.hidesSchema,
            errors.map { Diagnostic($0, in: files.sources) } + signIn.warnings(in: files.sources)
        )
    }
}
