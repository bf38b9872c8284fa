import Blueprint
import GraphQL

/// `amplify/backend/auth/NAME/override.ts` of a Gen 1 project: a function that changes the resources of sign-in.
package enum Version1Override {
    /// What sign-in comes to with it, and what is to be said of it.
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
}
