import JSON

/// Which identity of an identity pool is whose: no operation of AWS says it, so an app's own map has to.
///
///     11111111-2222-4333-8444-555555555555,us-east-1:99999999-2222-4333-8444-555555555555
///     {"sub": "1111…", "identityId": "us-east-1:9999…"}        a line each
///     {"1111…": "us-east-1:9999…", …}                          one object
///     {"IdentityPoolId": …, "Identities": [{"IdentityId": …}]}  what `list-identities` says: which identities the pool has
package struct IdentityPairs: Sendable {
    package struct Pair: Sendable {
        package let user: String
        package let id: String
        package let place: String
    }

    package private(set) var pairs: [Pair] = []
    /// The identities that a list names; nil without one.
    package private(set) var listed: Set<ByteText>?
    /// The mistakes in lines, by their places.
    package private(set) var faults: [(place: String, reason: String)] = []

    /// Pairs and identities, all together.
    private static let countMax = 2_000_000

    package init(_ paths: [String]) throws(MovingFault) {
        for path in paths { try read(path) }
        guard let listed else { return }
        let known = pairs.filter { listed.contains($0.id) }
        for pair in pairs where !listed.contains(pair.id) {
            faults.append((pair.place, "the identity \(pair.id) is none of the pool that was listed"))
        }
        pairs = known
    }

    private mutating func read(_ path: String) throws(MovingFault) {
        let file = try SourceFile(path)
        var beginning: [UInt8] = []
        guard try file.read(into: &beginning) else { return }
        let start = beginning.drop { $0 <= 0x20 }
        guard start.first == UInt8(ascii: "{") || start.first == UInt8(ascii: "[") else { return try readTable(path) }
        if beginning.prefix(4_096).split(separator: 0x22).contains(where: { $0.elementsEqual("Identities".utf8) }) {
            return try readList(path)
        }
        try readObjects(path)
    }

    private mutating func note(_ user: String, _ id: String, _ place: String) throws(MovingFault) {
        guard pairs.count < Self.countMax else {
            throw MovingFault(place, "there are more than \(Self.countMax) pairs")
        }
        pairs.append(Pair(user: user, id: id, place: place))
    }

    private mutating func readTable(_ path: String) throws(MovingFault) {
        var lines = SourceLines(try SourceFile(path))
        var number = 0
        var texts: [(String, String)] = []
        while try lines.next({ bytes throws(MovingFault) in
            number += 1
            let text = String(decoding: bytes.filter { $0 != 0x0D && $0 != UInt8(ascii: "\"") }, as: UTF8.self)
            if !text.isEmpty { texts.append(("\(path):\(number)", text)) }
            guard texts.count <= Self.countMax else {
                throw MovingFault(path, "there are more than \(Self.countMax) pairs")
            }
        }) {}
        for (index, (place, text)) in texts.enumerated() {
            let parts = text.parts(separatedBy: ",")
            guard parts.count == 2, parts[1].utf8.contains(UInt8(ascii: ":")) else {
                // A first line may name the columns.
                if index > 0 { faults.append((place, "expected a sub, a comma and an identity: \(text)")) }
                continue
            }
            try note(parts[0], parts[1], place)
        }
    }

    private mutating func readList(_ path: String) throws(MovingFault) {
        var elements = SourceElements(try SourceFile(path))
        var found = listed ?? []
        while try elements.next({ list, bytes throws(MovingFault) in
            guard list == "Identities", let id = (try? JSONReader.value(of: bytes))?["IdentityId"]?.string else {
                return
            }
            found.insert(ByteText(id))
            guard found.count <= Self.countMax else {
                throw MovingFault(path, "there are more than \(Self.countMax) identities")
            }
        }) {}
        listed = found
    }

    private mutating func readObjects(_ path: String) throws(MovingFault) {
        var lines = SourceLines(try SourceFile(path))
        var objects: [(String, JSONObject)] = []
        var isWhole = false
        var number = 0
        while try lines.next({ bytes throws(MovingFault) in
            number += 1
            guard bytes.contains(where: { $0 > 0x20 }) else { return }
            guard let object = (try? JSONReader.value(of: bytes))?.object else {
                isWhole = true
                return
            }
            objects.append(("\(path):\(number)", object))
            guard objects.count <= Self.countMax else {
                throw MovingFault(path, "there are more than \(Self.countMax) pairs")
            }
        }) {}
        if isWhole {
            // One object over several lines.
            guard let object = (try? JSONReader.value(of: try SourceFile.content(of: path)))?.object else {
                throw MovingFault(path, "it is neither a JSON object nor a line for each pair")
            }
            objects = [(path, object)]
        }
        for (place, object) in objects {
            if let user = (object["sub"] ?? object["username"])?.string,
                let id = (object["identityId"] ?? object["IdentityId"])?.string
            {
                try note(user, id, place)
                continue
            }
            for member in object {
                guard let id = member.value.string else {
                    faults.append((place, "expected sub and identityId"))
                    break
                }
                try note(member.key, id, place)
            }
        }
    }
}
