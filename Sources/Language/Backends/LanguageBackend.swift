/// Who answers in the place of the service's models.
protocol LanguageBackend: Sendable {
    func answer(_ request: ConverseRequest) async throws(LanguageError) -> ConverseAnswer

    /// The same as it comes.
    func stream(
        _ request: ConverseRequest, _ tell: (ConverseEvent) async throws(LanguageError) -> Void
    ) async throws(LanguageError)
}

extension LanguageBackend {
    /// Who has the answer as a whole tells it in words.
    func stream(
        _ request: ConverseRequest, _ tell: (ConverseEvent) async throws(LanguageError) -> Void
    ) async throws(LanguageError) {
        for event in try await answer(request).events { try await tell(event) }
    }
}
