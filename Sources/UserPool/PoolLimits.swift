/// The limits of this room.
package enum PoolLimits {
    /// The body of a call.
    static let bodyBytesMax = 256 << 10
    static let bodyNestingMax = 16
    static let tokenBytesMax = 16 << 10
    /// A parameter of a flow, or an answer to a challenge.
    static let authParameterMax = 131_072
    /// What clients carry, sealed.
    static let sessionBytesMax = 4_096
    /// The longest time in which a challenge may be answered, whatever a client has.
    package static let sessionSecondsMax: Int64 = 900
    /// Rounds of a sign-in by challenges of the app's own.
    static let customRoundsMax = 20
    static let passwordLengthMax = 256
    static let usernameLengthMax = 128
    static let attributesMax = 100
    static let mapMembersMax = 100
    /// Pieces of arithmetic that wait for a thread.
    static let waitingProofsMax = 256
    /// Messages that are kept, the latest.
    static let messagesMax: Int64 = 1_000
    /// The same with those that are still to be sent.
    static let waitingMessagesMax: Int64 = 20_000
    /// After how many new ones the old ones go.
    static let messagesPerSweep: Int64 = 50
    /// Messages to one address within the time after it.
    static let messagesPerAddressMax: Int64 = 20
    static let messageWindowMilliseconds: Int64 = 3_600_000
    /// Wrong tries that lock nobody yet.
    static let freeTries: Int64 = 5
    /// The longest time that wrong tries lock somebody out, in milliseconds.
    static let lockMillisecondsMax: Int64 = 900_000
    /// After how long without a wrong try they are forgotten.
    static let triesMillisecondsMax: Int64 = 3_600_000
    /// Codes that are kept of users who are not there.
    static let standInCodesMax: Int64 = 100_000
    /// Wrong tries that end a code.
    static let codeTriesMax: Int64 = 10
    /// How long a code is good.
    static let codeMilliseconds: Int64 = 24 * 3_600_000
    static let shortCodeMilliseconds: Int64 = 3_600_000
    static let sessionCodeMilliseconds: Int64 = 180_000
    /// Sign-ins of a user that can be refreshed. The oldest goes.
    static let signInsPerUserMax: Int64 = 1_000
    static let groupsPerUserMax = 100
    /// Logins of a request to the identity pool.
    static let loginsMax = 10
    /// The name of a user of the app's backend, in characters; such users of one identity; how long their token is good.
    static let developerUserMax = 1_024
    static let developerLoginsPerIdentityMax: Int64 = 20
    static let developerTokenSeconds: Int64 = 900
    static let developerTokenSecondsMax: Int64 = 86_400
    static let groupsMax: Int64 = 10_000
    /// The longest page of a list.
    static let pageCountMax = 60
    /// Users that a list looks at before others have their turn.
    static let usersAtOnceMax = 500
    /// Users of other providers who are the same user here.
    static let linksPerUserMax: Int64 = 10
    /// Wrong tries of one address that are free, the time in which one of them is forgotten, and how many addresses are kept.
    static let addressTriesMax = 300
    static let addressTryMilliseconds: Int64 = 2_000
    static let addressesMax = 10_000
    /// What one address or one signed-in user may make within the time after it, unless the configuration says otherwise.
    static let creatingCallsPerAddress = 100
    static let guestsPerAddress = 1_000
    static let messagesPerUser = 20
    static let creationWindowMilliseconds: Int64 = 3_600_000
    /// How long somebody who has signed in on a page need not do so again with that browser.
    static let pageSessionSeconds: Int64 = 3_600
    /// How long a code of the pages is good, and how long a used one is remembered.
    static let authorizationCodeMilliseconds: Int64 = 300_000
    static let usedCodeMilliseconds: Int64 = 24 * 3_600_000
    static let authorizationCodesPerUserMax: Int64 = 1_000
    /// Users of a file that go into the pool with one transaction, and the longest line of such a file.
    package static let importedUsersPerTransaction = 500
    static let importedLineBytesMax = 1 << 20
    /// Lines over which a row of a table may go.
    static let importedRowLinesMax = 100
    /// Passkeys of a user, and how long a challenge for a new one is good.
    static let passkeysPerUserMax = 20
    static let passkeyMilliseconds: Int64 = 300_000
    /// How long somebody may take at a provider, and how long what is sent along may be.
    static let providerStateMilliseconds: Int64 = 900_000
    static let providerStateBytesMax = 6_144
    /// The parts of a provider's answer that a browser brings.
    static let providerCodeBytesMax = 4_096
    static let providerPersonBytesMax = 2_048
    /// An answer of a provider, and how long one may take.
    static let providerAnswerBytesMax = 64 << 10
    static let providerTimeoutMilliseconds = 15_000
    /// How long what a provider says of itself is used before it is asked again, how long at the most, and how long after a failure.
    static let providerDocumentSeconds: Int64 = 3_600
    static let providerStaleSeconds: Int64 = 86_400
    static let providerRetrySeconds: Int64 = 5
    /// How many requests may wait for the same provider to say what it is.
    static let providerWaitersMax = 256
    /// Devices of a user. The one that was used longest ago goes.
    static let devicesPerUserMax: Int64 = 60
    static let deviceKeyBytesMax = 55
    /// What people call a device, or an authenticator app.
    static let deviceNameMax = 1_024
}
