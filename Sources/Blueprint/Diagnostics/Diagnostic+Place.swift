import GraphQL

extension Diagnostic {
    /// A warning about what stands at a position of a schema's sources.
    package static func warning(
        _ message: String, at position: Position, in sources: [Source], hint: String? = nil
    ) -> Diagnostic {
        guard position.isKnown, sources.indices.contains(position.source) else {
            return Diagnostic(severity: .warning, message: message, hint: hint)
        }
        let lines = LineMap(sources[position.source])
        let location = lines.location(of: position)
        return Diagnostic(
            severity: .warning, message: message, hint: hint, file: sources[position.source].name, location: location,
            sourceLine: location.flatMap { lines.text(ofLine: $0.line) })
    }
}
