/// The limits of authorization: the one table of this room.
package enum AccessLimits {
    /// The longest credential that is looked at, in bytes: the largest tokens in use have a few kilobytes.
    package static let tokenBytesMax = 16 << 10
    /// The longest token that a Lambda authorizer is asked about, in characters, as in AppSync.
    package static let authorizerTokenBytesMax = 2048
    /// How deeply the claims of a token may nest.
    package static let tokenNestingMax = 16
    /// How many tokens are remembered as good, and how many answers of an authorizer, on each loop; of an authorizer as many
    /// again for all of them.
    package static let rememberedTokensMax = 4096
    /// What it may cost to compare a credential with the configuration's pattern: a few milliseconds, before anything has
    /// proved the credential. Beyond, it does not match.
    package static let patternStepsMax = 300_000
    /// The largest set of keys, in bytes, and how many keys of it are used.
    package static let keySetBytesMax = 256 << 10
    package static let keySetKeysMax = 64
    /// The sizes of RSA keys that are used, in bits. Smaller ones are broken, larger ones take too long.
    package static let keyBits = 2048...8192
    package static let keySetTimeoutMilliseconds = 5_000
    /// How long a set of keys is used before it is asked for again.
    package static let keySetLifeSeconds: Int64 = 3_600
    /// How often at most a set of keys is asked for because a token names a key that it lacks, or because the last
    /// download failed.
    package static let keySetRetrySeconds: Int64 = 10
    /// How many requests may wait for the same set of keys or the same answer of an authorizer.
    package static let waitersMax = 256
    /// How much clocks may differ, for tokens.
    package static let tokenSkewSeconds: Int64 = 60
    /// How old or how far ahead a signature's time may be, as in AWS.
    package static let signatureSkewSeconds: Int64 = 300
    /// The same for signatures of administrators, as in AWS's services but AppSync.
    package static let administratorSkewSeconds: Int64 = 900
    /// Keys that requests are signed with, which are kept for each service: one for each access key, day and region.
    package static let signingKeysMax = 4_096
    /// How many header fields a signature may cover.
    package static let signedFieldsMax = 64
    /// How many signatures are computed to verify one: a client signs the host with its port or without, the path as it
    /// is or encoded, and a field that came twice once or twice.
    package static let signatureAttemptsMax = 16
    package static let authorizerTimeoutMilliseconds = 10_000
    package static let authorizerAnswerBytesMax = 5 << 20
    package static let authorizerCacheSecondsMax: Int64 = 3_600
    /// The largest body of a request that an authorizer is told about, as parsed by it.
    package static let authorizerVariablesBytesMax = 1 << 20
    /// How many steps of an explanation are kept.
    package static let traceStepsMax = 200
    /// The questions about a function's rights whose answers are remembered, and of how many a line is written.
    package static let rightsRemembered = 4_096
    package static let rightsTold = 256
}
