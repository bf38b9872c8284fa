import JSON
import Script

/// What the realm's way out leads to: the run of a handler that goes on now.
///
/// It belongs to a realm and with it to one thread at a time; `begin` gives it the run.
final class ResolverRun: ScriptHost {
    private(set) var call = LibraryCall(ResolverContext())
    /// Why the handler ended, where it is not by its own `return`.
    var end: ResolverOutcome.End?
    var sourceMap: SourceMap?
    /// Where calls begin in the text, by the places that the interpreter knows them by.
    var callStarts: CallStarts = CallStarts()
    private(set) var context: ContextMembers?
    private var file = ""
    private var logBytes = 0

    func begin(
        _ context: ResolverContext, _ limits: ResolverLimits, _ surroundings: ResolverSurroundings,
        _ program: JavaScriptProgram, _ shapes: Shapes
    ) {
        self.context = ContextMembers(context, shapes)
        var outcome = ResolverOutcome(.value(.null))
        outcome.outErrors = context.outErrors
        call = LibraryCall(context, limits: limits, in: surroundings, outcome: outcome)
        end = nil
        logBytes = 0
        sourceMap = program.sourceMap
        callStarts = program.callStarts
        file = program.file
    }

    /// Lets go of all that belongs to the run.
    func finish() -> ResolverOutcome {
        let outcome = call.outcome
        call = LibraryCall(ResolverContext())
        end = nil
        context = nil
        sourceMap = nil
        callStarts = CallStarts()
        return outcome
    }

    // MARK: What library functions do

    /// Calls a function of the library. What it throws ends the handler: no `catch` sees it.
    func perform(
        _ function: LibraryFunction, _ arguments: [JSONValue], in realm: Realm
    ) throws(Thrown) -> JSONValue {
        let errorCount = call.outcome.outErrors.count
        let steps = realm.stepsRemaining
        call.arguments = arguments
        call.stepsLeft = steps
        let answer: JSONValue
        do throws(ResolverError) {
            answer = try function.run(&call)
        } catch {
            guard error.isFault else { throw ended(.failed(error)) }
            var fault = error
            let place = callPlace(in: realm)
            fault.message = "\(position(place)): \(error.message)"
            fault.type = fault.type ?? "Code"
            fault.place = self.place(place)
            throw ended(.failed(fault))
        }
        try realm.spend(max(steps - call.stepsLeft, 0))
        if call.outcome.outErrors.count > errorCount {
            try context?.append(call.outcome.outErrors[errorCount...], in: realm)
        }
        return answer
    }

    /// The end of the handler, for its caller to throw.
    func ended(_ end: ResolverOutcome.End) -> Thrown {
        self.end = end
        return .ended(.host(message: "The handler has ended", hint: nil))
    }

    /// A line of the console, cut off where the lines of one run are too many or too long.
    func log(_ level: String, _ text: String, at place: Place?) {
        guard call.outcome.logs.count < call.limits.logLinesMax else { return }
        let line = "\(level) - \(position(place)): \(text)"
        logBytes += line.utf8.count
        guard logBytes <= call.limits.logBytesMax else { return }
        call.outcome.logs.append(line)
    }

    /// `code.js:5:3`, in the file that a bundler made the code of, if its map says so.
    func position(_ place: Place?) -> String {
        let place = self.place(place)
        return "\(file):\(place.line):\(place.column)"
    }

    func place(_ place: Place?) -> ResolverPlace {
        let place = ResolverPlace(line: Int(place?.line ?? 1), column: Int(place?.column ?? 1))
        return sourceMap?.original(of: place) ?? place
    }

    /// Where a call begins that the interpreter is at.
    func callPlace(in realm: Realm) -> Place? {
        guard let place = realm.callPlace?.place else { return nil }
        return callStarts.start(of: place)
    }

    // MARK: ScriptHost

    func console(_ level: String, _ line: String) {}
    func now() -> Double { Double(call.surroundings.now()) }
    func random() -> Double { call.surroundings.random() }

    func resolve(_ specifier: String, from referrer: String) throws(ScriptHostError) -> String {
        throw ScriptHostError("Cannot find module '\(specifier)'")
    }

    func load(_ address: String, isJSON: Bool, for realm: Realm) throws(ScriptHostError) -> ModuleSource {
        throw ScriptHostError("Cannot find module '\(address)'")
    }

    func meta(_ address: String) -> [(name: String, value: String)] { [] }
}

extension NativeCall {
    /// The run that the call belongs to.
    var run: ResolverRun {
        get throws(Thrown) {
            guard let run = realm.host as? ResolverRun else {
                throw .ended(.host(message: "There is no run", hint: nil))
            }
            return run
        }
    }
}
