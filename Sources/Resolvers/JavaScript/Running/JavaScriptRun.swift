import JSON
import Script

/// What the realm's way out leads to: the run of a handler that goes on now.
///
/// It belongs to a realm and with it to one thread at a time; `begin` gives it the run.
final class JavaScriptRun: ScriptHost {
    private(set) var limits = ResolverLimits()
    private(set) var outcome = ResolverOutcome(.value(.null))
    /// Why the handler ended, where it is not by its own `return`.
    private(set) var end: ResolverOutcome.End?
    private(set) var context: ContextMembers?
    private var program: JavaScriptProgram?
    private var surroundings = ResolverSurroundings.live
    /// Made when the handler calls a function of the library: not all do.
    private var library: Library?
    private var logBytes = 0

    private final class Library {
        var call: LibraryCall

        init(_ call: LibraryCall) {
            self.call = call
        }
    }

    func begin(
        _ context: ContextMembers, _ limits: ResolverLimits, _ surroundings: ResolverSurroundings,
        _ program: JavaScriptProgram
    ) {
        self.context = context
        self.limits = limits
        self.surroundings = surroundings
        self.program = program
        outcome.outErrors = context.context.outErrors
        logBytes = 0
    }

    /// Lets go of all that belongs to the run.
    func finish() -> ResolverOutcome {
        var outcome = ResolverOutcome(.value(.null))
        swap(&outcome, &self.outcome)
        end = nil
        context = nil
        program = nil
        library = nil
        return outcome
    }

    // MARK: What library functions do

    /// Calls a function of the library. What it throws ends the handler: no `catch` sees it.
    func perform(
        _ function: LibraryFunction, _ arguments: [JSONValue], in realm: Realm
    ) throws(Thrown) -> JSONValue {
        guard let context else { return .null }
        let library =
            library
            ?? Library(
                LibraryCall(
                    for: context.context.caller, keepsArguments: context.context.keepsArguments, limits: limits,
                    in: surroundings))
        self.library = library
        let errorCount = outcome.outErrors.count
        let steps = realm.stepsRemaining
        library.call.arguments = arguments
        library.call.stepsLeft = steps
        swap(&library.call.outcome, &outcome)
        let answer: Result<JSONValue, ResolverError>
        do throws(ResolverError) {
            answer = .success(try function.run(&library.call))
        } catch {
            answer = .failure(error)
        }
        swap(&library.call.outcome, &outcome)
        switch answer {
        case .success(let value):
            try realm.spend(max(steps - library.call.stepsLeft, 0))
            if outcome.outErrors.count > errorCount {
                try context.append(outcome.outErrors[errorCount...], in: realm)
            }
            return value
        case .failure(let error):
            guard error.isFault else { throw ended(.failed(error)) }
            var fault = error
            let place = callPlace(in: realm)
            fault.message = "\(position(place)): \(error.message)"
            fault.type = fault.type ?? "Code"
            fault.place = self.place(place)
            throw ended(.failed(fault))
        }
    }

    /// The end of the handler, for its caller to throw.
    func ended(_ end: ResolverOutcome.End) -> Thrown {
        self.end = end
        return .ended(.host(message: "The handler has ended", hint: nil))
    }

    /// A line of the console, cut off where the lines of one run are too many or too long.
    func log(_ level: String, _ text: String, at place: Place?) {
        guard outcome.logs.count < limits.logLinesMax else { return }
        let line = "\(level) - \(position(place)): \(text)"
        logBytes += line.utf8.count
        guard logBytes <= limits.logBytesMax else { return }
        outcome.logs.append(line)
    }

    /// `code.js:5:3`, in the file that a bundler made the code of, if its map says so.
    func position(_ place: Place?) -> String {
        let place = self.place(place)
        return "\(program?.file ?? ""):\(place.line):\(place.column)"
    }

    func place(_ place: Place?) -> ResolverPlace {
        let place = ResolverPlace(line: Int(place?.line ?? 1), column: Int(place?.column ?? 1))
        return program?.sourceMap?.original(of: place) ?? place
    }

    /// Where a call begins that the interpreter is at.
    func callPlace(in realm: Realm) -> Place? {
        guard let place = realm.callPlace?.place else { return nil }
        return program?.callStarts.start(of: place) ?? place
    }

    // MARK: ScriptHost

    func console(_ level: String, _ line: String) {}
    func now() -> Double { Double(surroundings.now()) }
    func random() -> Double { surroundings.random() }

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
    var run: JavaScriptRun {
        get throws(Thrown) {
            guard let run = realm.host as? JavaScriptRun else {
                throw .ended(.host(message: "There is no run", hint: nil))
            }
            return run
        }
    }
}
