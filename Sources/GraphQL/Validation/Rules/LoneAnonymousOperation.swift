/// An operation without a name is the only one. Specification: section 5.2.2.1.
enum LoneAnonymousOperation {
    static func check(_ operation: OperationDefinition, _ context: inout ValidationContext) {
        context.operationsSeen += 1
        guard let name = operation.name else {
            if context.operationsSeen > 1 {
                context.report(
                    .loneAnonymousOperationViolation, "Anonymous operation with other operations.",
                    at: operation.position)
            }
            context.hasAnonymousOperation = true
            return
        }
        if context.hasAnonymousOperation {
            context.report(
                .loneAnonymousOperationViolation, "Operation \(name) is following anonymous operation.",
                at: operation.position)
        }
    }
}
