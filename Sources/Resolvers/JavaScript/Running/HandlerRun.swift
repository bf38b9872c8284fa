import JSON
import Script

/// One handler in a realm: bounds are set, the module is evaluated, the handler is called, and what came of it is read.
struct HandlerRun {
    private let realm: Realm
    private let run: JavaScriptRun
    private let resolverRealm: ResolverRealm
    private let program: JavaScriptProgram
    private let limits: ResolverLimits

    init(_ realm: ResolverRealm, _ program: JavaScriptProgram, _ limits: ResolverLimits) {
        resolverRealm = realm
        self.realm = realm.realm
        run = realm.run
        self.program = program
        self.limits = limits
    }

    func run(
        _ handler: ResolverCode.Handler, _ context: ResolverContext, _ surroundings: ResolverSurroundings
    ) -> ResolverOutcome {
        let members = ContextMembers(context, resolverRealm.shapes)
        run.begin(members, limits, surroundings, program)
        realm.begin(scriptLimits)
        let end = evaluate(handler, members)
        let stash = stash(members)
        let arguments = members.context.keepsArguments ? self.arguments(members) : .success(nil)
        var outcome = run.finish()
        outcome.end = end
        switch stash {
        case .success(let stash): outcome.stash = stash
        case .failure(let error):
            outcome.stash = members.context.stash
            if case .failed = end { break }
            outcome.end = .failed(error)
        }
        switch arguments {
        case .success(let arguments): outcome.arguments = arguments
        // What it has made of them that is no JSON counts for nothing.
        case .failure: outcome.isCut = true
        }
        return outcome
    }

    /// The interpreter's own bounds, which follow from those of handlers.
    private var scriptLimits: ScriptLimits {
        var script = ScriptLimits()
        script.steps = limits.stepsMax
        script.stepsPerLook = limits.stepsPerLook
        script.callDepth = limits.callDepthMax
        script.nativeDepth = min(script.nativeDepth, limits.callDepthMax)
        script.memoryBytes = limits.memoryBytesMax
        script.textLength = limits.memoryBytesMax / 4
        script.listLength = limits.memoryBytesMax / 16
        script.milliseconds = limits.milliseconds
        script.loopTurns = limits.loopTurnsMax
        return script
    }

    private func evaluate(_ handler: ResolverCode.Handler, _ members: ContextMembers) -> ResolverOutcome.End {
        do throws(Thrown) {
            let module = try resolverRealm.module(of: program)
            let context = LentObject(realm, members)
            let name = handler == .request ? program.request : program.response
            return .value(try json(try module.call(name, .object(context))))
        } catch {
            return run.end ?? .failed(fault(error))
        }
    }

    private func json(_ value: Value) throws(Thrown) -> JSONValue {
        var reader = ValueReader(realm, nestingMax: limits.nestingMax, bytesMax: limits.resultBytesMax)
        return try reader.json(value)
    }

    /// The stash as the handler has left it, also where it failed: within bounds of its own.
    private func stash(_ members: ContextMembers) -> Result<JSONObject, ResolverError> {
        guard let stash = members.stash else { return .success(members.context.stash) }
        if case .object(let object) = stash, let lent = object as? LentObject, lent.isUntouched {
            return .success(members.context.stash)
        }
        realm.begin(scriptLimits)
        do throws(Thrown) {
            return .success(try json(stash).object ?? members.context.stash)
        } catch {
            return .failure(fault(error))
        }
    }

    /// The arguments, where the handler has changed them.
    private func arguments(_ members: ContextMembers) -> Result<JSONValue?, ResolverError> {
        guard let arguments = members.arguments else { return .success(nil) }
        if case .object(let object) = arguments, let lent = object as? LentObject, lent.isUntouched {
            return .success(nil)
        }
        realm.begin(scriptLimits)
        do throws(Thrown) {
            return .success(try json(arguments))
        } catch {
            return .failure(fault(error))
        }
    }

    /// A fault of the code in AppSync's words: `code.js:162:13: ReferenceError: x is not defined`.
    private func fault(_ thrown: Thrown) -> ResolverError {
        let error = realm.scriptError(thrown, file: program.file)
        var fault = ResolverError(
            "\(run.position(error.place)): \(error.message)", type: "Code", place: run.place(error.place), isFault: true
        )
        fault.isOutOfTime = error.kind == .limit(.time)
        return fault
    }
}
