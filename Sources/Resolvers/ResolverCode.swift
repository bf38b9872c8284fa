import JSON

/// The code of one resolver or function, read once and shared by threads.
package final class ResolverCode: Sendable {
    package enum Handler: Sendable {
        case request, response
    }

    /// What the code is likely to be refused for when it is deployed, although it runs here.
    package let warnings: [ResolverCodeError.Finding]
    private let program: any HandlerProgram

    init(_ program: any HandlerProgram, warnings: [ResolverCodeError.Finding] = []) {
        self.program = program
        self.warnings = warnings
    }

    /// Code of the runtime APPSYNC_JS 1.0.0.
    ///
    /// - Parameters:
    ///   - file: what messages call it.
    /// - Throws: what is no program, what the lint's preset `base` refuses, and what cannot run.
    package convenience init(
        javaScript text: String, file: String = "code.js", isTypeScript: Bool = false
    ) throws(ResolverCodeError) {
        let (program, warnings) = try JavaScriptProgram.read(text, file: file, isTypeScript: isTypeScript)
        self.init(program, warnings: warnings)
    }

    /// Evaluates one handler afresh: nothing of an earlier run is left, and nothing of this one stays but what the outcome has.
    package func run(
        _ handler: Handler, _ context: ResolverContext, limits: ResolverLimits = ResolverLimits(),
        in surroundings: ResolverSurroundings = .live
    ) -> ResolverOutcome {
        program.run(handler, context, limits, surroundings)
    }
}

/// Handlers in one of the languages.
protocol HandlerProgram: Sendable {
    func run(
        _ handler: ResolverCode.Handler, _ context: ResolverContext, _ limits: ResolverLimits,
        _ surroundings: ResolverSurroundings
    ) -> ResolverOutcome
}
