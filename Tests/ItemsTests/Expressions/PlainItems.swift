import Crypto
import Foundation
import JSON

/// What DynamoDB says about values, on their JSON and without any care for speed: the second opinion of the random tests.
enum PlainItems {
    static func value(_ path: [JSONValue], in item: JSONValue) -> JSONValue? {
        var place: JSONValue? = ["M": item]
        for part in path {
            if let name = part.string {
                place = place?["M"]?[name]
            } else {
                place = part.integer.flatMap { place?["L"]?[Int($0)] }
            }
        }
        return place
    }

    /// One text for each value, however it was written.
    static func canonical(_ value: JSONValue) -> String {
        guard let member = value.object?.members.first else { return "?" }
        switch member.key {
        case "N": return "N" + number(member.value).description
        case "L": return "L[" + (member.value.array ?? []).map(canonical).joined(separator: ",") + "]"
        case "M":
            let members = (member.value.object?.members ?? []).sorted { $0.key < $1.key }
            return "M{" + members.map { "\($0.key):\(canonical($0.value))" }.joined(separator: ",") + "}"
        case "SS", "NS", "BS":
            let kind = String(member.key.prefix(1))
            return "set" + (member.value.array ?? []).map { canonical([kind: $0]) }.sorted().joined(separator: ",")
        default: return JSONWriter.text(of: value)
        }
    }

    private static func canonical(_ members: [String: JSONValue]) -> String {
        canonical(.object(JSONObject(members.map { ($0, $1) })))
    }

    private static func number(_ json: JSONValue?) -> Decimal { Decimal(string: json?.string ?? "") ?? .nan }

    static func areSame(_ one: JSONValue?, _ other: JSONValue?) -> Bool {
        guard let one, let other else { return false }
        return canonical(one) == canonical(other)
    }

    /// Less than, equal to or greater than 0; nil for what has no order.
    static func order(_ one: JSONValue?, _ other: JSONValue?) -> Int? {
        guard let one = one?.object?.members.first, let other = other?.object?.members.first, one.key == other.key
        else { return nil }
        switch one.key {
        case "N":
            let (left, right) = (number(one.value), number(other.value))
            return left < right ? -1 : left == right ? 0 : 1
        case "S": return order(Array((one.value.string ?? "").utf8), Array((other.value.string ?? "").utf8))
        case "B": return order(bytes(one.value), bytes(other.value))
        default: return nil
        }
    }

    private static func bytes(_ json: JSONValue) -> [UInt8] {
        Data(base64Encoded: json.string ?? "").map { Array($0) } ?? []
    }

    private static func order(_ one: [UInt8], _ other: [UInt8]) -> Int {
        one.lexicographicallyPrecedes(other) ? -1 : one == other ? 0 : 1
    }

    static func size(_ value: JSONValue?) -> Int? {
        guard let member = value?.object?.members.first else { return nil }
        switch member.key {
        case "S": return member.value.string?.utf16.count
        case "B": return bytes(member.value).count
        case "L", "SS", "NS", "BS": return member.value.array?.count
        case "M": return member.value.object?.count
        default: return nil
        }
    }

    static func contains(_ value: JSONValue?, _ part: JSONValue?) -> Bool {
        guard let member = value?.object?.members.first, let part, let partKind = part.object?.keys.first else {
            return false
        }
        switch member.key {
        case "S":
            guard let text = part["S"]?.string else { return false }
            return contains(Array((member.value.string ?? "").utf8), Array(text.utf8))
        case "B":
            guard let other = part["B"] else { return false }
            return contains(bytes(member.value), bytes(other))
        case "L": return (member.value.array ?? []).contains { areSame($0, part) }
        case "SS", "NS", "BS":
            guard member.key == partKind + "S" else { return false }
            return (member.value.array ?? []).contains { areSame(.object(JSONObject([(partKind, $0)])), part) }
        default: return false
        }
    }

    private static func contains(_ all: [UInt8], _ part: [UInt8]) -> Bool {
        part.isEmpty || all.indices.contains { all[$0...].starts(with: part) }
    }

    // MARK: - Updates

    /// The item when values are set at some paths and others are taken out; nil when a path leads nowhere. No path leads to
    /// another one.
    static func updated(_ item: JSONValue, _ changes: [(path: [JSONValue], value: JSONValue?)]) -> JSONValue? {
        rebuilt(["M": item], changes[...].map { ($0.path[...], $0.value) })?["M"]
    }

    private static func rebuilt(_ value: JSONValue, _ changes: [(ArraySlice<JSONValue>, JSONValue?)]) -> JSONValue? {
        if let object = value["M"]?.object {
            guard changes.allSatisfy({ $0.0.first?.string != nil }) else { return nil }
            var rest = object
            for name in changes.compactMap({ $0.0.first?.string }).eachOnce() {
                let own = changes.filter { $0.0.first?.string == name }
                if let last = own.first(where: { $0.0.count == 1 }) {
                    rest[name] = last.1
                } else {
                    guard let inner = object[name], let new = rebuilt(inner, own.map { ($0.0.dropFirst(), $0.1) })
                    else { return nil }
                    rest[name] = new
                }
            }
            return ["M": .object(rest)]
        }
        guard let elements = value["L"]?.array, changes.allSatisfy({ $0.0.first?.integer != nil }) else { return nil }
        var kept: [JSONValue] = []
        for (index, element) in elements.enumerated() {
            let own = changes.filter { $0.0.first?.integer == Int64(index) }
            if own.isEmpty {
                kept.append(element)
            } else if let last = own.first(where: { $0.0.count == 1 }) {
                if let value = last.1 { kept.append(value) }
            } else {
                guard let new = rebuilt(element, own.map { ($0.0.dropFirst(), $0.1) }) else { return nil }
                kept.append(new)
            }
        }
        let behind = changes.filter { ($0.0.first?.integer ?? 0) >= Int64(elements.count) }
        guard behind.allSatisfy({ $0.0.count == 1 }) else { return nil }
        kept += behind.sorted { ($0.0.first?.integer ?? 0) < ($1.0.first?.integer ?? 0) }.compactMap(\.1)
        return ["L": .array(kept)]
    }
}
