/// How much is taken for language models, and how long is waited for them.
package enum LanguageLimits {
    /// A call, with its images in base64.
    package static let bodyBytesMax = 25 << 20
    /// The size of a model's answer, as it comes over the wire.
    package static let answerBytesMax = 32 << 20
    /// How long a model may take for an answer.
    package static let milliseconds = 300_000
    /// The calls of models that are under way at the same time.
    package static let callsMax = 64
    /// The name of a model.
    static let modelBytesMax = 2_048
    static let messagesMax = 10_000
    static let blocksMax = 100_000
    static let toolsMax = 128
    /// One event of a stream, as models at other places send it.
    static let eventBytesMax = 4 << 20
    /// The file of rules.
    static let rulesBytesMax = 4 << 20
    static let rulesMax = 10_000
    /// How deep the schema of a forced tool is filled in.
    static let schemaDepthMax = 16
    /// The part of a foreign message that is passed on.
    static let shownBytesMax = 2_000

    /// How often a model may ask for tools before it has to have answered.
    package static let roundsMax = 16
    /// The tools that it may use in one round.
    package static let toolUsesMax = 32
    /// The latest messages of a conversation that a model is told.
    package static let historyMax = 1_000
    /// The size of a tool's result.
    static let toolResultBytesMax = 1 << 20
    /// The turns of conversations that are under way at the same time.
    package static let turnsMax = 256
}
