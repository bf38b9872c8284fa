import TestSupport
import Testing

@testable import JSON

@Suite("Random texts")
struct FuzzTests {
    @Test("what is written reads back as the same value")
    func roundTrips() throws {
        var generator = SeededRandom(test: "FuzzTests/roundTrips")
        for _ in 0..<Fuzz.rounds(ordinarily: 20_000) / 4 {
            let value = Self.value(depth: 4, using: &generator)
            let bytes = JSONWriter.bytes(of: value)
            #expect(try JSONReader.value(of: bytes) == value)
            #expect(try JSONReader.value(of: JSONWriter.text(of: value, pretty: true)) == value)
            #expect(JSONWriter.bytes(of: try JSONReader.value(of: bytes)) == bytes)
        }
    }

    @Test("doubles of any bits read back as the same bits")
    func roundTripsDoubles() throws {
        var generator = SeededRandom(test: "FuzzTests/roundTripsDoubles")
        for _ in 0..<Fuzz.rounds(ordinarily: 20_000) {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let back = try JSONReader.value(of: JSONWriter.bytes(of: .double(value)))
            guard case .double(let double) = back, double.bitPattern == value.bitPattern else {
                Issue.record("\(value) came back as \(back)")
                return
            }
        }
    }

    @Test("decimals read as the standard library reads them")
    func readsDecimals() throws {
        var generator = SeededRandom(test: "FuzzTests/readsDecimals")
        for _ in 0..<Fuzz.rounds(ordinarily: 20_000) {
            let digits = String(
                UInt64.random(in: 0...UInt64.max, using: &generator) >> UInt64.random(in: 0...63, using: &generator))
            let fraction = String(UInt32.random(in: 0...99_999, using: &generator))
            let text = "\(digits).\(fraction)e\(Int.random(in: -40...40, using: &generator))"
            #expect(try JSONReader.value(of: text) == .double(try #require(Double(text))))
        }
    }

    @Test("a damaged text is read or refused, whole or cut anywhere, and what is read reads back")
    func survivesMutation() throws {
        var generator = SeededRandom(test: "FuzzTests/survivesMutation")
        let pieces = Array("{}[]\",:\\u0123d8abeE+-. \n\ttruefalsnl\u{1}".utf8) + [0x80, 0xC3, 0xED, 0xF4, 0xFF]
        for _ in 0..<Fuzz.rounds(ordinarily: 20_000) {
            var bytes = JSONWriter.bytes(of: Self.value(depth: 3, using: &generator))
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
                switch Int.random(in: 0...3, using: &generator) {
                case 0: bytes.insert(piece, at: place)
                case 1 where place < bytes.count: bytes[place] = piece
                case 2 where place < bytes.count: bytes.remove(at: place)
                default: bytes.removeSubrange(place...)
                }
            }
            do throws(JSONError) {
                let value = try JSONReader.value(of: bytes)
                #expect(read(JSONWriter.bytes(of: value)) == value)
            } catch {
                #expect((0...bytes.count).contains(error.position.offset))
                #expect(error.position.line >= 1 && error.position.column >= 1)
            }
            _ = JSONLocator(bytes).position(of: JSONPath([.key("a"), .index(0)]))
        }
    }

    @Test("an object of which one member is left has the same members, and what is left reads as that one")
    func leaving() throws {
        var generator = SeededRandom(test: "FuzzTests/leaving")
        let pieces = Array("{}\",:\\u0123dq \u{1}".utf8) + [0x80, 0xC3, 0xED, 0xFF]
        for _ in 0..<Fuzz.rounds(ordinarily: 20_000) {
            var members = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                (
                    key: ["query", "a", "qu\\u0065ry"].randomElement(using: &generator) ?? "a",
                    value: JSONWriter.text(of: Self.value(depth: 1, using: &generator))
                )
            }
            members.append((key: "query", value: JSONWriter.text(of: .string(Self.text(using: &generator)))))
            members.shuffle(using: &generator)
            var bytes = Array("{\(members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: " , "))}".utf8)
            if Int.random(in: 0...2, using: &generator) == 0 {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
            }
            // What is left is not looked at until it is asked for, so only then it can be wrong.
            let whole = read(bytes)
            guard let (known, left) = try? JSONReader.members(of: bytes, leaving: "query") else {
                #expect(whole?.object == nil)
                continue
            }
            var found = known
            if let left {
                guard let text = try? JSONReader.string(of: bytes, at: left) else {
                    #expect(whole == nil)
                    continue
                }
                found.set("query", to: .string(text))
            }
            let object = try #require(whole?.object, "\(String(decoding: bytes, as: UTF8.self))")
            #expect(Set(found.map(\.key)) == Set(object.map(\.key)))
            for member in object { #expect(found[member.key] == member.value) }
        }
    }

    static func value(depth: Int, using generator: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return nil
        case 1: return .bool(.random(using: &generator))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &generator))
        case 3: return .integer(Int64.random(in: -9...9, using: &generator))
        case 4: return .double(Double(Int64.random(in: -99_999...99_999, using: &generator)) / 64)
        case 5: return .largeInteger("9" + String(UInt64.random(in: (1 << 63)...UInt64.max, using: &generator)))
        case 6: return .string(text(using: &generator))
        case 7, 8:
            return .object(
                JSONObject(
                    (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                        (text(using: &generator), value(depth: depth - 1, using: &generator))
                    }))
        default:
            return .array(
                (0..<Int.random(in: 0...5, using: &generator)).map { _ in value(depth: depth - 1, using: &generator) })
        }
    }

    private static func text(using generator: inout SeededRandom) -> String {
        let pieces = ["a", "longer than a word", "\"", "\\", "\n", "\u{0}", "é", "世", "😀", "\u{FFFD}", "/", "e\u{301}"]
        return (0..<Int.random(in: 0...4, using: &generator))
            .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
    }
}
