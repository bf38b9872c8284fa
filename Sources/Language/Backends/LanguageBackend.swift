/// A backend that answers for the service's models.
protocol LanguageBackend: Sendable {
    func answer(_ request: ConverseRequest) async throws(LanguageError) -> ConverseAnswer

    /// The same as it comes.
    func stream(
        _ request: ConverseRequest, _ tell: (ConverseEvent) async throws(LanguageError) -> Void
    ) async throws(LanguageError)
}

extension LanguageBackend {
    /// A backend that has the whole answer streams it word by word.
    func stream(
        _ request: ConverseRequest, _ tell: (ConverseEvent) async throws(LanguageError) -> Void
    ) async throws(LanguageError) {
        for event in try await answer(request).events { try await tell(event) }
    }
}
