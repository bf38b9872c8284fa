import TestSupport
import Testing

@testable import Files
@testable import Network

@Suite("Conditions on objects")
struct ObjectConditionsTests {
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let after = "Sunday, 06-Nov-94 08:49:38 GMT"
    private static let modified: Int64 = 784_111_777
    /// A time that has not come.
    private static let future = "Sun, 06 Nov 1994 09:49:37 GMT"
    private static let now = modified + 60

    @Test(
        "of a read have the precedence that S3 gives them",
        arguments: [
            ([], ObjectConditions.Verdict.met),
            (["if-match: \"tag\""], .met), (["if-match: tag"], .met), (["if-match: *"], .met),
            (["if-match: tag\""], .met), (["if-match: \"tag"], .met),
            (["if-match: \"a\", \"tag\""], .met), (["if-match: \"TAG\""], .failed), (["if-match: \"\""], .failed),
            (["if-none-match: \"tag\""], .notModified), (["if-none-match: W/\"tag\""], .notModified),
            (["if-none-match: *"], .notModified), (["if-none-match: \"other\""], .met),
            (["if-modified-since: \(same)"], .notModified), (["if-modified-since: \(after)"], .notModified),
            (["if-modified-since: \(before)"], .met), (["if-modified-since: yesterday"], .met),
            (["if-modified-since: \(future)"], .met),
            (["if-unmodified-since: \(same)"], .met), (["if-unmodified-since: \(after)"], .met),
            (["if-unmodified-since: \(before)"], .failed), (["if-unmodified-since: 0"], .met),
            (["if-match: \"tag\"", "if-unmodified-since: \(before)"], .met),
            (["if-match: \"other\"", "if-unmodified-since: \(after)"], .failed),
            (["if-none-match: \"other\"", "if-modified-since: \(after)"], .met),
            (["if-none-match: \"tag\"", "if-modified-since: \(before)"], .notModified),
            (["if-match: \"other\"", "if-none-match: \"tag\""], .failed),
            (["if-match: \"tag\"", "if-none-match: \"tag\""], .notModified),
        ])
    func ofReads(lines: [String], verdict: ObjectConditions.Verdict) throws {
        let conditions = ObjectConditions(try SignedRequest.fields(lines), now: Self.now)
        #expect(conditions.verdict(tag: "tag", modified: Self.modified) == verdict)
        #expect(
            conditions.isEmpty
                == lines.allSatisfy { $0.hasSuffix("yesterday") || $0.hasSuffix(" 0") || $0.hasSuffix(Self.future) })

        let copied = ObjectConditions(
            ofSource: try SignedRequest.fields(lines.map { "x-amz-copy-source-\($0)" }), now: Self.now)
        #expect(copied.allowsCopy(tag: "tag", modified: Self.modified) == (verdict == .met))
    }

    @Test(
        "of a write look at what is there",
        arguments: [
            ([], String?.none, String?.none), ([], "tag", nil), (["if-none-match: *"], nil, nil),
            (["if-none-match: *"], "tag", "PreconditionFailed"),
            (["if-none-match: \"tag\""], "tag", "PreconditionFailed"),
            (["if-none-match: \"other\""], "tag", nil), (["if-match: \"tag\""], "tag", nil),
            (["if-match: tag"], "tag", nil),
            (["if-match: \"other\""], "tag", "PreconditionFailed"), (["if-match: \"tag\""], nil, "NoSuchKey"),
            (["if-match: *"], nil, "NoSuchKey"), (["if-match: *"], "tag", nil),
        ])
    func ofWrites(lines: [String], tag: String?, code: String?) throws {
        let conditions = ObjectConditions(try SignedRequest.fields(lines), now: Self.modified)
        do throws(FileError) {
            try conditions.checkWrite(over: tag)
            #expect(code == nil)
        } catch {
            #expect(error.code == code)
        }
    }

    @Test(
        "say whether a range counts",
        arguments: [
            ([], true), (["if-range: \"tag\""], true), (["if-range: tag"], true), (["if-range: \"other\""], false),
            (["if-range: \(same)"], true), (["if-range: \(before)"], false), (["if-range: \(after)"], false),
        ])
    func ofRanges(lines: [String], counts: Bool) throws {
        let fields = try SignedRequest.fields(lines)
        #expect(
            ObjectConditions.rangeCounts(fields, tag: "tag", modified: Self.modified, now: Self.modified) == counts)
    }
}
