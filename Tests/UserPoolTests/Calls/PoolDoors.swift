import Cloud
import JSON
import TestSupport
import Testing

@testable import UserPool

/// Calls of the user pool on a loop: see docs/architecture.md, "What may hold a loop or the writer".
@Suite("No call of the user pool holds a loop")
struct PoolDoors {
    /// As much as a body has room for, written once.
    private struct Long {
        let kind: String
        let bytes: [UInt8]

        init(_ value: JSONValue) { (kind, bytes) = ("\(value.kind)", JSONWriter.bytes(of: value)) }
    }

    /// In the forms that members take.
    private static let texts = [
        Long(.string(String(repeating: "a", count: 200_000))),
        Long(.string(String(repeating: "\u{301}", count: 60_000))),
    ]
    private static let list = Long(.array(Array(repeating: .array([]), count: 60_000)))
    private static let object = Long(.object(JSONObject((0..<12_000).map { ("key\($0)", .string("x")) })))

    /// The values for a member: those of its own form. The first member gets all, since the wrong form is refused for each alike.
    private static func values(for shape: MemberShape, at place: Int) -> [Long] {
        if place == 0 { return texts + [list, object] }
        switch shape {
        case .text, .choice: return texts
        case .bytes, .boolean, .integer, .number: return [texts[0]]
        case .list: return [list]
        case .texts, .map, .object: return [object]
        case .anything: return [list, object]
        }
    }

    /// How long a loop may be held, in milliseconds. A build that checks everything takes five times as long for what is Swift's code alone
    /// as for the mixture that `HeldTime` goes by.
    private static let heldMilliseconds: Double = HeldTime.factor > 1 ? 25 : 5

    @Test("whatever its members are", arguments: PoolOperation.byTarget.keys.map(\.string).sorted { $0 < $1 })
    func operations(_ target: String) async throws {
        let operation = try #require(PoolOperation.named(target))
        let pool = try TestPool()
        let loop = HeldLoop()
        // One member at a time: together they would be more than a body may have.
        for (place, member) in operation.members.prefix(6).enumerated() {
            for value in Self.values(for: member.shape, at: place) {
                let body = Array("{\"\(member.name)\":".utf8) + value.bytes + Array(",\"ClientId\":\"client\"}".utf8)
                var held = await loop.longestPiece { _ = try? await pool.answer(target, written: body, by: true) }
                // Others disturb: what takes too long is looked at once more, in a pool that knows nothing of it.
                for _ in 0..<10 where held >= Self.heldMilliseconds {
                    let another = try TestPool()
                    held = await loop.longestPiece { _ = try? await another.answer(target, written: body, by: true) }
                }
                #expect(
                    held < Self.heldMilliseconds,
                    "\(target) holds a loop for \(held) ms by \(member.name), \(value.kind)")
            }
        }
    }
}
