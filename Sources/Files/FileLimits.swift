import Delivery
import Network

/// The limits of this room. What operators may set has its default here.
package enum FileLimits {
    /// A key, in bytes of UTF-8.
    package static let keyBytesMax = 1_024
    /// An object that comes with one request.
    package static let objectBytesMax = 5 << 30
    /// An object that is put together from parts.
    package static let joinedBytesMax = 5 << 40
    package static let partsMax = 10_000
    /// How old the number of all objects may be that a person is shown, after a change and without one, and how long they may
    /// take to be counted.
    package static let totalsSeconds: Int64 = 30
    package static let unchangedTotalsSeconds: Int64 = 600
    package static let totalsMilliseconds: Int64 = 5_000
    package static let partBytesMin = 5 << 20
    /// Keys of a request that deletes many, and of a page of a list.
    package static let keysMax = 1_000
    /// Names and values of an object's metadata together.
    package static let metadataBytesMax = 2 << 10
    package static let tagsMax = 10
    /// The tags of a bucket.
    package static let bucketTagsMax = 50
    /// Buckets of a page of their list.
    package static let bucketsMax = 10_000
    /// A request's body that is XML.
    package static let markupBytesMax = 2 << 20
    /// The bytes of a body, or of the keys of a list, that are read or written as XML on a loop; more are done beside it.
    static let markupOnLoopBytesMax = 64 << 10
    /// How deep elements may lie in each other, and how many there may be.
    package static let markupDepthMax = 16
    package static let markupElementsMax = 64_000
    /// A field of a form other than the file, and all of them together.
    package static let formFieldBytesMax = 20 << 10
    package static let formBytesMax = 256 << 10
    package static let formFieldsMax = 100
    /// Lines of a form's part, and one of them; conditions of its policy.
    package static let formLinesMax = 16
    package static let formLineBytesMax = 4 << 10
    package static let formConditionsMax = 200
    /// The line before a chunk of a body in chunks, and all those behind the last one.
    package static let chunkLineBytesMax = 256
    package static let trailerBytesMax = 1 << 10
    /// How far the time of a request may be from now, in seconds, and how long a link may be good.
    package static let skewSeconds: Int64 = 900
    package static let linkSecondsMax: Int64 = 7 * 24 * 3_600
    /// The digits of the time at which a link with Signature Version 2 ends.
    static let linkDigitsMax = 12
    /// Ports of this server that a client may have signed without sending them.
    package static let signedPortsMax = 4
    /// Parameters of a query.
    package static let parametersMax = 100
    /// Uploads in parts that have not ended, and how long they are kept.
    package static let uploadsMax = 10_000
    package static let uploadMilliseconds: Int64 = 7 * 24 * 3_600_000
    /// Up to this many bytes of an object are read into memory, and sent with the answer's head in one piece.
    static let readAtOnceBytesMax = 32 << 10
    /// Bytes of such objects that a loop keeps.
    static let keptBytesMax = 2 << 20
    /// Space on the disk that is left alone.
    package static let freeBytesMin: UInt64 = 256 << 20
    /// Events that functions are still to be told of; beyond, what would make another is refused.
    package static let eventsMax: Int64 = 1_000_000
    /// Events of different keys that functions are told of at the same time.
    static let eventsAtOnce = 16
    /// How long a function that cannot be called is tried, and how often one that fails.
    static let eventMilliseconds: Int64 = 6 * 3_600_000
    static let eventRetries = RetryPolicy(
        BackOff(firstMilliseconds: 1_000, longestMilliseconds: 15 * 60_000), triesMax: 3,
        ageMilliseconds: eventMilliseconds)
    /// How long a function may take, and what it answers, which nobody reads.
    static let eventAnswerMilliseconds = 15 * 60_000
    static let eventAnswerBytesMax = 6 << 20
    /// How long nothing is tried where the database cannot be read or written.
    static let eventPauseMilliseconds: Int64 = 5_000
    /// After how long the table is looked at without anybody saying so: another process may have noted something.
    static let eventLookMilliseconds: Int64 = 60_000
    /// The same of the keeper of several nodes, whose wakes may be lost.
    static let nodeEventLookMilliseconds: Int64 = 2_000
}
