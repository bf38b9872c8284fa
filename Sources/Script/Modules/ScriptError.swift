/// A program that did not come to its end, for the host.
package struct ScriptError: Error, Sendable {
    package enum Kind: Sendable, Equatable {
        case syntax, thrown
        case limit(ScriptLimits.Kind)
        /// A value was needed that exists only outside.
        case opaque
        case unsupported, host
    }

    package var kind: Kind
    /// As people know it: `TypeError: x is not a function`.
    package var message: String
    package var file: String
    package var place: Place
    package var hint: String?
    /// The calls that were running, the innermost first.
    package var trace: [TraceEntry] = []

    package init(
        kind: Kind, message: String, file: String, place: Place, hint: String? = nil, trace: [TraceEntry] = []
    ) {
        self.kind = kind
        self.message = message
        self.file = file
        self.place = place
        self.hint = hint
        self.trace = trace
    }
}

extension Realm {
    /// What was thrown, if it is no error of the language: with its message where it has one.
    private func headline(_ value: Value) -> String {
        guard case .object(let object) = value, !object.isOpaque,
            case .text(let message)? = try? object.get(.message)
        else { return "Uncaught \(describe(value))" }
        let name = describe(object)
        return "\(name.hasPrefix("#<") ? String(name.dropFirst(2).dropLast()) : name): \(message.string)"
    }

    /// An error as the host gets it.
    package func scriptError(_ thrown: Thrown, file: String = "") -> ScriptError {
        switch thrown {
        case .value(let value):
            if case .object(let object) = value, let error = object as? ErrorObject {
                let first = error.trace.first
                return ScriptError(
                    kind: error.isSyntax ? .syntax : .thrown, message: error.headline,
                    file: error.mistakePlace?.file ?? first?.file ?? file,
                    place: error.mistakePlace?.place ?? first?.place ?? .start, hint: error.hint, trace: error.trace)
            }
            return ScriptError(
                kind: .thrown, message: headline(value), file: lastThrow.first?.file ?? file,
                place: lastThrow.first?.place ?? .start, trace: lastThrow)
        case .ended(let end):
            let first = endTrace.first
            var error = ScriptError(
                kind: .host, message: "", file: first?.file ?? file, place: first?.place ?? .start, trace: endTrace)
            switch end {
            case .limit(let limit):
                error.kind = .limit(limit)
                error.message = "RangeError: \(limit.message)"
            case .opaque(let origin, let use):
                error.kind = .opaque
                error.message = "The value of \(origin) is needed \(use), but it is known only when the app is deployed"
                error.hint = "Write the value itself, or take it from something that the project's own files say."
            case .unsupported(let message, let hint):
                error.kind = .unsupported
                error.message = message
                error.hint = hint
            case .host(let message, let hint):
                error.message = message
                error.hint = hint
            }
            return error
        }
    }
}
