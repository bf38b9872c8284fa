import JSON
import Script

/// A module of the runtime APPSYNC_JS, read and compiled.
final class JavaScriptProgram: HandlerProgram {
    /// A name that the module imports, in the order of the text.
    struct Import: Sendable {
        let specifier: String
        /// Nil: all of the module.
        let name: String?
    }

    let compiled: CompiledProgram
    let imports: [Import]
    /// What the module calls its handlers itself.
    let request: Name
    let response: Name
    let file: String
    let callStarts: CallStarts
    let sourceMap: SourceMap?

    init(
        compiled: CompiledProgram, imports: [Import], request: Name, response: Name, file: String,
        callStarts: CallStarts, sourceMap: SourceMap?
    ) {
        self.compiled = compiled
        self.imports = imports
        self.request = request
        self.response = response
        self.file = file
        self.callStarts = callStarts
        self.sourceMap = sourceMap
    }

    static func read(
        _ text: String, file: String, isTypeScript: Bool, charactersMax: Int = ResolverLimits.codeCharactersMax
    ) throws(ResolverCodeError) -> (JavaScriptProgram, warnings: [ResolverCodeError.Finding]) {
        var reader = JavaScriptReader(text, file: file, isTypeScript: isTypeScript)
        return try reader.read(charactersMax: charactersMax)
    }

    func run(
        _ handler: ResolverCode.Handler, _ context: ResolverContext, _ limits: ResolverLimits,
        _ surroundings: ResolverSurroundings
    ) -> ResolverOutcome {
        let realm = ResolverRealms.take()
        let outcome = HandlerRun(realm, self, limits).run(handler, context, surroundings)
        ResolverRealms.giveBack(realm)
        return outcome
    }
}
