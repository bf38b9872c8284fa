import JSON
import Script

/// A module of the runtime APPSYNC_JS, read and compiled.
struct JavaScriptProgram: HandlerProgram {
    static func read(
        _ text: String, file: String, isTypeScript: Bool
    ) throws(ResolverCodeError) -> (JavaScriptProgram, warnings: [ResolverCodeError.Finding]) {
        (JavaScriptProgram(), [])
    }

    func run(
        _ handler: ResolverCode.Handler, _ context: ResolverContext, _ limits: ResolverLimits,
        _ surroundings: ResolverSurroundings
    ) -> ResolverOutcome {
        ResolverOutcome(.value(.null))
    }
}
