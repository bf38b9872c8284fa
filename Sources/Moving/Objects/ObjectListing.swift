import JSON
import Network

/// A listing of the objects of a bucket as S3 gives it, beside the folder that has them: `aws s3 sync` writes no types and metadata.
///
///     FOLDER.jsonl    {"Key": "a.txt", "ContentType": "text/plain", "Metadata": {"author": "ann"}}     a line each
///     FOLDER.json     pages of `list-objects-v2`
package struct ObjectListing: Sendable {
    /// An object, as `head-object` describes it.
    package struct Entry: Sendable {
        package let key: String
        package var size: Int64?
        /// Without quotation marks.
        package var tag: String?
        /// In milliseconds since 1970.
        package var modified: Int64?
        /// By their names in lower case, `x-amz-meta-…` among them.
        package var fields: [(name: String, value: String)] = []
        package var tags: [(key: String, value: String)] = []

        package init(key: String) {
            self.key = key
        }
    }

    private var lines: [ByteText: [UInt8]] = [:]

    /// Objects that a listing may have.
    private static let countMax = 2_000_000

    /// The members of `head-object` that go back as they came.
    private static let members: [(member: String, field: String)] = [
        ("ContentType", "content-type"), ("CacheControl", "cache-control"),
        ("ContentDisposition", "content-disposition"), ("ContentEncoding", "content-encoding"),
        ("ContentLanguage", "content-language"), ("ExpiresString", "expires"),
    ]

    package var count: Int { lines.count }

    /// Reads what lies beside a folder; nothing where nothing does.
    package init(beside folder: String) throws(MovingFault) {
        let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        for ending in [".json", ".json.gz", ".jsonl", ".jsonl.gz"] where FileStatus.isFile(base + ending) {
            var elements = SourceElements(try SourceFile(base + ending))
            // A line is a document without a list: it is read as one.
            if ending.hasPrefix(".jsonl") {
                var lines = SourceLines(try SourceFile(base + ending))
                var number = 0
                var found: [(String, [UInt8])] = []
                while try lines.next({ bytes throws(MovingFault) in
                    number += 1
                    guard bytes.contains(where: { $0 > 0x20 }) else { return }
                    found.append((try Self.key(of: bytes, "\(base)\(ending):\(number)"), Array(bytes)))
                    guard found.count <= Self.countMax else { throw Self.isTooLong(base + ending) }
                }) {}
                for (key, line) in found { self.lines[key] = line }
                continue
            }
            var found: [(String, [UInt8])] = []
            while try elements.next({ list, bytes throws(MovingFault) in
                guard list == "Contents" else { return }
                found.append((try Self.key(of: bytes, base + ending), Array(bytes)))
                guard found.count <= Self.countMax else { throw Self.isTooLong(base + ending) }
            }) {}
            for (key, line) in found where self.lines[key] == nil { self.lines[key] = line }
        }
    }

    private static func isTooLong(_ path: String) -> MovingFault {
        MovingFault(path, "a listing has at most \(countMax) objects")
    }

    private static func key(of bytes: UnsafeRawBufferPointer, _ place: String) throws(MovingFault) -> String {
        guard let key = (try? JSONReader.value(of: bytes))?["Key"]?.string else {
            throw MovingFault(place, "it has no Key")
        }
        return key
    }

    /// The properties of an object.
    package subscript(key: String) -> Entry? {
        guard let line = lines[key], let object = (try? JSONReader.value(of: line))?.object else { return nil }
        return Entry(object, key)
    }
}

extension ObjectListing.Entry {
    fileprivate init(_ object: JSONObject, _ key: String) {
        self.init(key: key)
        size = (object["ContentLength"] ?? object["Size"])?.integer
        tag = object["ETag"]?.string.map {
            String(decoding: $0.utf8.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        }
        modified = object["LastModified"]?.string.flatMap { Timestamp($0) }?.millisecondsSince1970
        for (member, field) in ObjectListing.fieldNames {
            if let value = object[member]?.string { fields.append((field, value)) }
        }
        for pair in object["Metadata"]?.object ?? JSONObject() {
            if let value = pair.value.string { fields.append(("x-amz-meta-\(pair.key)", value)) }
        }
        for tag in object["TagSet"]?.array ?? [] {
            if let key = tag["Key"]?.string, let value = tag["Value"]?.string { tags.append((key, value)) }
        }
    }

    /// The line of the object in a listing.
    package var line: [UInt8] {
        var object = JSONObject([("Key", .string(key))])
        object["ContentLength"] = size.map(JSONValue.integer)
        object["ETag"] = tag.map { .string("\"\($0)\"") }
        object["LastModified"] = modified.map {
            .string(Timestamp(seconds: $0 / 1_000, milliseconds: Int($0 % 1_000)).text)
        }
        var metadata = JSONObject()
        for (name, value) in fields {
            if let member = ObjectListing.fieldNames.first(where: { $0.field == name })?.member {
                object.set(member, to: .string(value))
            } else if name.hasPrefix("x-amz-meta-") {
                metadata.set(String(name.dropFirst("x-amz-meta-".utf8.count)), to: .string(value))
            }
        }
        if !metadata.isEmpty { object.set("Metadata", to: .object(metadata)) }
        if !tags.isEmpty {
            object.set("TagSet", to: .array(tags.map { ["Key": .string($0.key), "Value": .string($0.value)] }))
        }
        return JSONWriter.bytes(of: .object(object)) + [0x0A]
    }
}

extension ObjectListing {
    fileprivate static var fieldNames: [(member: String, field: String)] { members }
}
