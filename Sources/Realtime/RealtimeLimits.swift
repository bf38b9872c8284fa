/// The limits of subscriptions: the one table of this room. What goes beyond one gets an error that names it, or ends the
/// connection with a reason.
package struct RealtimeLimits: Sendable, Equatable {
    /// Subscriptions of one connection: AppSync's number. DataStore has three for each model.
    package var subscriptionsPerConnection = 200
    /// Subscriptions of all connections of one loop.
    package var subscriptionsPerLoop = 200_000
    /// The largest event as a subscriber would get it. What is larger is dropped, as AppSync does, and the log says so.
    package var eventBytes = 240 * 1024
    /// Events that are written before the first of them is delivered: a client gets them in one write.
    package var eventsTogether = 128
    /// Bytes of events after which a client's write ends, and the next client gets its own.
    package var bytesTogether = 32 * 1024
    /// The longest name that a client may give an operation.
    package var operationIDBytes = 256
    /// What may wait for a client to take it. A client that falls behind further is closed.
    package var outboundBytes = 1024 * 1024
    /// The fields of a selection when every fragment is written out.
    package var selectionFields = 10_000
    /// Prepared documents that a loop keeps, and the bytes of their texts.
    package var documents = 256
    package var documentBytes = 2 << 20
    /// A document with more bytes is prepared beside the loop, and so is a shorter one that has more in it than
    /// `ValidationLimits.turn` allows.
    package var turnDocumentBytes = 8 << 10

    /// The time within which a client has to begin: with `connection_init`, or a `start` without one.
    package var initMilliseconds = 15_000
    /// The same for `graphql-transport-ws`, whose clients count on a quick answer.
    package var transportInitMilliseconds = 3_000
    /// How long a refused client that does not say `connection_init` waits to be told.
    package var refusalMilliseconds = 1_000
    /// Between an error that ends the connection and its end, so that no client loses the error.
    package var closeAfterErrorMilliseconds = 250
    /// How long before the end of a token, or of a key, what rests on it is closed: a client that comes back then shows a new
    /// one. A proof that has less left is good until its end.
    package var proofMarginMilliseconds = 1_000
    /// The longest time after which the clock is looked at again for proofs that end: a machine that slept, or whose clock was
    /// set, has not waited as long as it should have.
    package var clockCheckMilliseconds = 60_000
    /// Between two signs of life that AppSync's clients count on.
    package var keepAliveSeconds = 60
    /// Between two comment lines of an event stream.
    package var streamKeepAliveSeconds = 15
    /// The life of a connection: AppSync's 24 hours.
    package var connectionSeconds = 24 * 60 * 60
    /// What a client is told to wait for a sign of life.
    package var connectionTimeoutMilliseconds = 300_000

    package init() {}
}

/// The limits of filters, which are AppSync's.
package enum FilterLimits {
    /// Groups of conditions, one of which has to be met.
    static let groupsMax = 10
    /// Conditions of a group, all of which have to be met.
    static let conditionsMax = 5
    static let inValuesMax = 5
    /// Of a filter that a handler sets: conditions of a group, steps to a field, characters of a text.
    static let handlerConditionsMax = 10
    static let pathStepsMax = 5
    static let textMax = 256
    static let betweenValues = 2
    static let containsAnyValuesMax = 20
    /// How deeply `and` and `or` may contain each other.
    static let nestingMax = 32
    /// The ways in which one filter can be found in the index of subscriptions; one with more is tried for each event.
    static let probesMax = 32
}
