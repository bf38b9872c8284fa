import Blueprint

/// The operations that a project of version 1 leaves open to every caller of its default mode, since no rule names them: few people expect that.
struct OpenOperationNotices {
    let diagnostics: [Diagnostic]

    init(_ blueprint: Blueprint) {
        let open = blueprint.openOperations
        // What changes records comes first: it is what nobody wants to read past.
        let kinds = [
            (
                "writes",
                open.filter { !$0.writes.isEmpty }.map { "\($0.model.name) (\($0.writes.joined(separator: ", ")))" }
            ),
            (
                "reads",
                open.filter { !$0.reads.isEmpty }.map { "\($0.model.name) (\($0.reads.joined(separator: ", ")))" }
            ),
        ].filter { !$0.1.isEmpty }
        guard let first = kinds.first else {
            diagnostics = []
            return
        }
        let list = kinds.map { "\($0.0) \($0.1.joined(separator: ", "))" }.joined(separator: "; ")
        let closing =
            first.0 == "writes" && blueprint.settings.version1OpenOperations == .all
            ? "\"reads\" or \"none\"" : "\"none\""
        diagnostics = [
            Diagnostic(
                severity: .note,
                message:
                    "no rule names these operations, so they are open to every caller of \(blueprint.settings.defaultMode.rawValue), "
                    + "as version 1 of the transformer means it: \(list)",
                hint:
                    "Name them in the rules of each model, or set features.version1OpenOperations to \(closing) to close them."
            )
        ]
    }
}
