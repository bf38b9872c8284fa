import Access
import JSON
import Network

/// What a request demands of the object that it finds, for it to be answered.
package struct ObjectConditions: Sendable {
    private let match: [String]?
    private let noneMatch: [String]?
    private let modifiedSince: Int64?
    private let unmodifiedSince: Int64?
    private var isOfSource = false

    package enum Verdict: Sendable, Equatable {
        case met
        /// The client has it already.
        case notModified
        case failed
    }

    private init(match: String?, noneMatch: String?, modifiedSince: String?, unmodifiedSince: String?, now: Int64) {
        self.match = match.map(Self.tags)
        self.noneMatch = noneMatch.map(Self.tags)
        // What is no date is no condition.
        // Nothing can be asked of a time that has not come.
        self.modifiedSince = modifiedSince.flatMap { HTTPDate.seconds(of: $0, now: now) }.flatMap {
            $0 > now ? nil : $0
        }
        self.unmodifiedSince = unmodifiedSince.flatMap { HTTPDate.seconds(of: $0, now: now) }
    }

    /// Those for the object that is asked for.
    package init(_ fields: HTTPFields, now: Int64) {
        self.init(
            match: fields["if-match"], noneMatch: fields["if-none-match"], modifiedSince: fields["if-modified-since"],
            unmodifiedSince: fields["if-unmodified-since"], now: now)
    }

    /// Those under which an object is written: it is the one that a tag names, or there is none. The service takes no other.
    init(ofWriting fields: HTTPFields, now: Int64) throws(FileError) {
        func refused(_ header: String, _ reason: String) -> FileError {
            FileError(501, "NotImplemented", "A header you provided implies functionality that is not implemented")
                .with("Header", header).with("additionalMessage", reason)
        }
        switch (fields["if-match"], fields["if-none-match"]) {
        case (_?, _?):
            throw refused("If-Match,If-None-Match", "Multiple conditional request headers present in the request")
        case ("*"?, nil):
            throw refused("If-Match", "We don't accept the provided value of If-Match header for this API")
        case (nil, let tag?) where tag != "*":
            throw refused("If-None-Match", "We don't accept the provided value of If-None-Match header for this API")
        default: self.init(fields, now: now)
        }
    }

    /// Those for the object that is copied.
    package init(ofSource fields: HTTPFields, now: Int64) {
        self.init(
            match: fields["x-amz-copy-source-if-match"], noneMatch: fields["x-amz-copy-source-if-none-match"],
            modifiedSince: fields["x-amz-copy-source-if-modified-since"],
            unmodifiedSince: fields["x-amz-copy-source-if-unmodified-since"], now: now)
        isOfSource = true
    }

    /// True if nothing is demanded.
    package var isEmpty: Bool {
        if case (nil, nil, nil, nil) = (match, noneMatch, modifiedSince, unmodifiedSince) { true } else { false }
    }

    /// For reading an object with that tag, without quotes, that was made at that second. Who names tags means them: the date
    /// beside them is not looked at.
    package func verdict(tag: String, modified: Int64) -> Verdict {
        if let match {
            guard Self.names(match, tag) else { return .failed }
        } else if let unmodifiedSince, modified > unmodifiedSince {
            return .failed
        }
        if let noneMatch {
            return Self.names(noneMatch, tag) ? .notModified : .met
        }
        if let modifiedSince, modified <= modifiedSince { return .notModified }
        return .met
    }

    /// The refusal of an object that does not meet them, which names the condition.
    func refusal(tag: String, modified: Int64) -> FileError {
        let isMatched = match.map { Self.names($0, tag) }
        let name: String
        if isMatched == false {
            name = "If-Match"
        } else if isMatched == nil, let unmodifiedSince, modified > unmodifiedSince {
            name = "If-Unmodified-Since"
        } else if case .some = noneMatch {
            name = "If-None-Match"
        } else {
            name = "If-Modified-Since"
        }
        return .preconditionFailed.with("Condition", isOfSource ? "x-amz-copy-source-\(name)" : name)
    }

    /// For copying such an object: there is nothing that the client has already.
    package func allowsCopy(tag: String, modified: Int64) -> Bool { verdict(tag: tag, modified: modified) == .met }

    /// For putting an object in the place of the one with that tag, or where there is none.
    package func checkWrite(over tag: String?) throws(FileError) {
        if let match {
            guard let tag else { throw .noSuchKey }
            guard Self.names(match, tag) else { throw .preconditionFailed.with("Condition", "If-Match") }
        }
        if let noneMatch, let tag, Self.names(noneMatch, tag) {
            throw .preconditionFailed.with("Condition", "If-None-Match")
        }
    }

    /// Returns whether the range that a request names counts for such an object, or all of it is wanted because it is another one by
    /// now (`If-Range`).
    package static func rangeCounts(_ fields: HTTPFields, tag: String, modified: Int64, now: Int64) -> Bool {
        guard let text = fields["if-range"] else { return true }
        if let date = HTTPDate.seconds(of: text, now: now) { return date == modified }
        return names([plain(text)], tag)
    }

    private static let any = "*"

    private static func names(_ tags: [String], _ tag: String) -> Bool {
        tags.contains { $0 == any || $0 == tag }
    }

    /// The tags of a list. Tags of S3 have no commas.
    private static func tags(_ text: String) -> [String] { text.parts(separatedBy: ",").map(plain) }

    /// A tag without quotes, blanks around it, and the mark of a weak one: clients write it in each of these ways. S3 takes one with one
    /// quote as well.
    private static func plain(_ text: String) -> String {
        var bytes = Array(text.trimmingBlanks.utf8)[...]
        if bytes.starts(with: "W/\"".utf8) { bytes.removeFirst(2) }
        let quote = UInt8(ascii: "\"")
        if bytes.first == quote { bytes.removeFirst() }
        if bytes.last == quote { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}
