import Blueprint
import Resolvers
import Synchronization

/// The code of the handlers of one schema: each is read when it is needed first, and kept.
final class HandlerShelf: Sendable {
    private let codes = Mutex<[CustomHandler: Result<ResolverCode, CallFailure>]>([:])

    /// The code of a handler, or why it cannot run.
    func code(of handler: CustomHandler) -> Result<ResolverCode, CallFailure> {
        if let known = codes.withLock({ $0[handler] }) { return known }
        let read = Self.read(handler)
        codes.withLock { $0[handler] = read }
        return read
    }

    private static func read(_ handler: CustomHandler) -> Result<ResolverCode, CallFailure> {
        do throws(ResolverCodeError) {
            return .success(try handler.code.read())
        } catch {
            let first = error.findings.first
            var place = first.map { ":\($0.place.line):\($0.place.column)" } ?? ""
            if case .missing = handler.code { place = "" }
            let reason = first?.message ?? error.message
            return .failure(
                CallFailure(
                    "\(handler.fieldName) on type \(handler.typeName) is a handler in \(handler.language) that cannot run: "
                        + "\(handler.entry)\(place): \(reason)", type: "NotImplemented"))
        }
    }
}

extension HandlerCode {
    /// Reads the code as AppSync would take it.
    package func read() throws(ResolverCodeError) -> ResolverCode {
        switch self {
        case .javaScript(let text, let isTypeScript):
            return try ResolverCode(javaScript: text, file: "code.js", isTypeScript: isTypeScript)
        case .velocity(let request, let response):
            return try ResolverCode(template: request, response: response)
        case .missing(let reason):
            throw ResolverCodeError([.init(.parser, reason, at: ResolverPlace(line: 1, column: 1))])
        }
    }
}
