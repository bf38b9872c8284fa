/// Why a text is no template: what stands where.
struct TemplateFault: Error, Sendable {
    let message: String
    /// Bytes before it.
    let offset: Int

    init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}
