import JSON

/// What went wrong with the database, in words that say what to do.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// The file system has no room left.
        case diskFull
        /// The file, its folder or its file system cannot be written.
        case readOnly
        /// The file cannot be opened at all.
        case cannotOpen
        /// It is no SQLite database, or a damaged one.
        case corrupt
        /// Another process holds a lock.
        case locked
        /// The operating system failed to read, write or flush.
        case inputOutput
        /// The time of an operation was over.
        case interrupted
        /// A unique key exists already.
        case exists
        /// A value, a filter or a queue is beyond its limit.
        case tooLarge
        /// The writer has stopped after an error that it must not go on from.
        case stopped
        /// Too many mutations wait.
        case overloaded
        /// The server of the database does not answer.
        case away
        /// Too many changes of a table wait for the functions that are told of them.
        case tooManyChanges
        /// The stored data does not fit the schema, and losing some was not asked for.
        case migrationRefused
        /// The file was written by something this version cannot read.
        case unknownFormat
        /// A request that cannot be answered, such as a wrong token.
        case invalidArgument
        /// A value that this database can neither keep nor look for.
        case invalidValue
        /// A database on a server cannot do this yet.
        case unsupported
        /// Anything else: a defect of ours.
        case unexpected
    }

    package let kind: Kind
    /// What was expected and what was found, then what to do.
    package let message: String
    /// The same for whoever made a call: without files and hosts.
    package let told: String
    /// SQLite's extended result code, or 0.
    package let code: Int32
    /// The changes of tables that were refused, by the names that force them.
    package internal(set) var refusedChanges: [String] = []

    package init(_ kind: Kind, _ message: String, told: String? = nil, code: Int32 = 0) {
        self.kind = kind
        self.message = message
        self.told = told ?? message
        self.code = code
    }

    /// An error of the database in a file or on a host, with advice. Where a value is wrong, callers get the advice alone.
    init(_ kind: Kind, of place: String, _ detail: String, advice: String, code: Int32 = 0) {
        let isOfValue = kind == .invalidValue || kind == .tooLarge
        self.init(
            kind, "database \(place): \(detail)\(advice.isEmpty ? "" : ". \(advice)")", told: isOfValue ? advice : nil,
            code: code)
    }

    /// Any error as one of the database: what is none is a defect of ours.
    package init(of error: any Error) { self = error as? StoreError ?? StoreError(.unexpected, "\(error)") }

    package var description: String { message }

    /// True if the process must not write again: what was thought to be on the disk may not be.
    package var isFatal: Bool { kind == .inputOutput || kind == .corrupt }
}
