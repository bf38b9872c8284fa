import Blueprint

/// As many diagnostics of a schema as a person reads: who has more mends the first ones first.
enum ShownDiagnostics {
    static let countMax = 100

    /// Prints the first ones, and says how many more there are.
    static func report(
        _ diagnostics: [Diagnostic], _ output: CommandOutput, as text: (Diagnostic) -> String = \.description
    ) {
        for diagnostic in diagnostics.prefix(countMax) { output.report(text(diagnostic)) }
        if let rest = rest(of: diagnostics) { output.report(rest) }
    }

    /// A line for those that are not shown.
    static func rest(of diagnostics: [Diagnostic]) -> String? {
        let rest = diagnostics.dropFirst(countMax)
        guard !rest.isEmpty else { return nil }
        let errors = rest.count(where: \.isError)
        return "... and \(Counted.text(errors, "error")) and \(Counted.text(rest.count - errors, "warning")) more"
    }
}
