import JSON

/// A function of `$util` or `$extensions`, found by its name when a template is read.
enum TemplateFunction: Sendable {
    /// One that only templates have.
    case own(OwnFunction)
    /// One that JavaScript has as well. What gives nothing prints nothing.
    case library(LibraryFunction, givesNothing: Bool)

    /// The function that the first steps behind a name call, and the step that is the call.
    static func called(_ root: String, _ steps: [TemplateReference.Step]) -> (TemplateFunction, step: Int)? {
        guard var name = TemplateNames.library(root) else { return nil }
        for (index, step) in steps.enumerated() {
            switch step {
            case .member(let member): name += "." + member
            case .index: return nil
            case .method(let method):
                name += "." + method.name
                return named(name).map { ($0, index) }
            }
        }
        return nil
    }

    private static func named(_ name: String) -> TemplateFunction? {
        if let own = OwnFunction.all[name] { return .own(own) }
        return LibraryTable.velocity(name).map { .library($0, givesNothing: effects.contains(name)) }
    }

    /// Functions that are called for what they do. In Java they are `void`, which prints nothing.
    private static let effects: Set<ByteText> = Set(texts: [
        "util.appendError", "util.http.addResponseHeader", "util.http.addResponseHeaders",
        "extensions.setSubscriptionFilter", "extensions.setSubscriptionInvalidationFilter",
        "extensions.invalidateSubscriptions", "extensions.evictFromApiCache",
    ])

    func call(_ arguments: [TemplateValue], in run: TemplateRun) throws(TemplateExit) -> TemplateValue {
        switch self {
        case .own(let function):
            // With another number of arguments there is no such method.
            guard function.arity.contains(arguments.count) else { return .null }
            return try function.body(arguments, run)
        case .library(let function, let givesNothing):
            var given: [JSONValue] = []
            for argument in arguments { given.append(try run.json(argument)) }
            run.call.arguments = given
            let result: JSONValue
            do throws(ResolverError) {
                result = try function.run(&run.call)
            } catch {
                throw run.failure(error)
            }
            return givesNothing ? .text("") : try run.value(made: result)
        }
    }
}
