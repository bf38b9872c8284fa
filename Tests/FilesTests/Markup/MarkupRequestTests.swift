import JSON
import TestSupport
import Testing

@testable import Files

@Suite("Requests in XML")
struct MarkupRequestTests {
    @Test(
        "to delete name keys, with or without a namespace, in any order of members",
        arguments: [
            ("<Delete><Object><Key>a</Key></Object></Delete>", ["a"], false),
            (
                "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Quiet>true</Quiet><Object><Key>a b</Key></Object><Object><Key>&amp;é</Key></Object></Delete>",
                ["a b", "&é"], true
            ),
            (
                "<Delete><Object><VersionId>null</VersionId><Key>a</Key></Object><Quiet>false</Quiet></Delete>", ["a"],
                false
            ),
            ("<Delete>\n  <Object>\n <Key> a\n</Key> </Object>\n</Delete>", [" a\n"], false),
        ])
    func readsDelete(text: String, keys: [String], isQuiet: Bool) throws {
        let request = try DeleteRequest(Array(text.utf8))
        #expect(request.objects.map(\.key) == keys)
        #expect(request.isQuiet == isQuiet)
    }

    @Test("to delete may have conditions on each object")
    func readsDeleteConditions() throws {
        let text =
            "<Delete><Object><Key>a</Key><ETag>\"e\"</ETag><VersionId>v</VersionId><Size>3</Size>"
            + "<LastModifiedTime>Sat, 16 Jan 2027 08:00:00 GMT</LastModifiedTime></Object></Delete>"
        let object = try #require(try DeleteRequest(Array(text.utf8)).objects.first)
        #expect(object.conditions.tag == "e" && object.conditions.size == 3)
        #expect(object.conditions.modified == 1_800_086_400)
        #expect(object.version == "v")
    }

    @Test(
        "to delete are refused with two keys in an object, none, or anything that is not understood",
        arguments: [
            "<Delete></Delete>", "<Delete><Quiet>true</Quiet></Delete>",
            "<Remove><Object><Key>a</Key></Object></Remove>",
            "<Delete><Object/></Delete>", "<Delete><Object><Key/></Object></Delete>",
            "<Delete><Object><Key>a</Key><Key>b</Key></Object></Delete>",
            "<Delete><Object><Key>a<b/></Key></Object></Delete>", "<Delete><Object>x<Key>a</Key></Object></Delete>",
            "<Delete>x<Object><Key>a</Key></Object></Delete>", "<Delete><Key>a</Key></Delete>",
            "<Delete><Object><Key>a</Key><Size>3 bytes</Size></Object></Delete>",
            "<Delete><Object><Key>a</Key><Size>-1</Size></Object></Delete>",
            "<Delete><Object><Key>a</Key><LastModifiedTime>soon</LastModifiedTime></Object></Delete>",
            "<Delete><Object><Key>a</Key><Color>red</Color></Object></Delete>",
            "<Delete><Object><Key>a</Key></Object><Quiet>maybe</Quiet></Delete>",
            "<Delete><Quiet>true</Quiet><Quiet>true</Quiet><Object><Key>a</Key></Object></Delete>",
        ])
    func refusesDelete(text: String) {
        #expect(throws: FileError.self) { try DeleteRequest(Array(text.utf8)) }
    }

    @Test("to delete name a thousand keys and not one more")
    func limitsKeys() throws {
        func request(_ count: Int) -> [UInt8] {
            Array(("<Delete>" + (0..<count).map { "<Object><Key>\($0)</Key></Object>" }.joined() + "</Delete>").utf8)
        }
        #expect(try DeleteRequest(request(1_000)).objects.count == 1_000)
        #expect(throws: FileError.self) { try DeleteRequest(request(1_001)) }
        // As many keys as there may be, each as long as it may be, and each of its letters as long as XML can make it.
        let long = String(repeating: "k", count: FileLimits.keyBytesMax)
        let whole = "<Delete>" + String(repeating: "<Object><Key>\(long)</Key></Object>", count: 1_000) + "</Delete>"
        #expect(try DeleteRequest(Array(whole.utf8)).objects.count == 1_000)
    }

    @Test("to complete an upload name parts, whatever stands around ETags")
    func readsComplete() throws {
        let text = """
            <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Part><ETag>"aa"</ETag><PartNumber>1</PartNumber></Part>
              <Part><PartNumber> 2 </PartNumber><ETag>bb</ETag><ChecksumCRC32>NhCmhg==</ChecksumCRC32></Part>
              <Part><ETag>&quot;cc&quot;</ETag><ChecksumSHA256>x</ChecksumSHA256><PartNumber>10000</PartNumber><ChecksumCRC64NVME>y</ChecksumCRC64NVME></Part>
            </CompleteMultipartUpload>
            """
        let request = try CompleteRequest(Array(text.utf8))
        #expect(request.parts.map(\.number) == [1, 2, 10_000])
        #expect(request.parts.map(\.etag) == ["aa", "bb", "cc"])
        #expect(
            request.parts.map { $0.checksums.map { "\($0.algorithm)=\($0.value)" }.joined(separator: ",") }
                == ["", "CRC32=NhCmhg==", "SHA256=x,CRC64NVME=y"])
    }

    @Test(
        "to complete an upload are refused",
        arguments: [
            (
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>",
                "MalformedXML"
            ),
            ("<CompleteMultipartUpload><Part><ETag>a</ETag></Part></CompleteMultipartUpload>", "MalformedXML"),
            (
                "<CompleteMultipartUpload><Part><PartNumber>x</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>",
                "MalformedXML"
            ),
            (
                "<CompleteMultipartUpload><Part><PartNumber>-1</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>",
                "MalformedXML"
            ),
            (
                "<CompleteMultipartUpload><Part><PartNumber>99999999999999999999</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>",
                "MalformedXML"
            ),
            (
                "<CompleteMultipartUpload><Part><PartNumber>0</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>",
                "InvalidArgument"
            ),
            (
                "<CompleteMultipartUpload><Part><PartNumber>10001</PartNumber><ETag>a</ETag></Part></CompleteMultipartUpload>",
                "InvalidArgument"
            ),
            (
                "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>a</ETag><ChecksumMD2>x</ChecksumMD2></Part></CompleteMultipartUpload>",
                "MalformedXML"
            ),
            ("<Complete><Part><PartNumber>1</PartNumber><ETag>a</ETag></Part></Complete>", "MalformedXML"),
            ("not xml", "MalformedXML"),
        ])
    func refusesComplete(text: String, code: String) {
        do throws(FileError) {
            _ = try CompleteRequest(Array(text.utf8))
            Issue.record("read: \(text)")
        } catch {
            #expect(error.code == code)
        }
    }

    @Test("to complete an upload name ten thousand parts with a checksum each and not one more")
    func limitsParts() throws {
        func request(_ count: Int) -> [UInt8] {
            let etag = String(repeating: "e", count: 32)
            return Array(
                ("<CompleteMultipartUpload>"
                    + (1...count).map {
                        "<Part><ChecksumCRC32>NhCmhg==</ChecksumCRC32><ETag>\"\(etag)\"</ETag><PartNumber>\(min($0, 10_000))</PartNumber></Part>"
                    }.joined() + "</CompleteMultipartUpload>").utf8)
        }
        #expect(try CompleteRequest(request(10_000)).parts.count == 10_000)
        #expect(throws: FileError.self) { try CompleteRequest(request(10_001)) }
    }

    @Test("to make a bucket may name a region")
    func readsCreateBucket() throws {
        #expect(try CreateBucketRequest([]).region == nil)
        let text =
            "<CreateBucketConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><LocationConstraint>eu-west-1</LocationConstraint></CreateBucketConfiguration>"
        #expect(try CreateBucketRequest(Array(text.utf8)).region == "eu-west-1")
        #expect(try CreateBucketRequest(Array("<CreateBucketConfiguration/>".utf8)).region == nil)
        #expect(throws: FileError.self) { try CreateBucketRequest(Array("<Bucket/>".utf8)) }
    }

    private static func tagging(_ tags: [(String, String)]) -> [UInt8] {
        Array(
            ("<Tagging><TagSet>" + tags.map { "<Tag><Key>\($0.0)</Key><Value>\($0.1)</Value></Tag>" }.joined()
                + "</TagSet></Tagging>").utf8)
    }

    @Test("with tags are read, up to ten")
    func readsTags() throws {
        let request = try TaggingRequest(Self.tagging([("a", "1"), ("Ünïcode 日本", "x+y=z/@:._-")]))
        #expect(request.tags.map(\.key) == ["a", "Ünïcode 日本"])
        #expect(request.tags.map(\.value) == ["1", "x+y=z/@:._-"])
        #expect(try TaggingRequest(Self.tagging((0..<10).map { ("k\($0)", "") })).tags.count == 10)
        #expect(try TaggingRequest(Self.tagging([])).tags.isEmpty)
        #expect(try TaggingRequest(Array("<Tagging/>".utf8)).tags.isEmpty)
        let long = [(String(repeating: "é", count: 128), String(repeating: "v", count: 256))]
        #expect(try TaggingRequest(Self.tagging(long)).tags.count == 1)
    }

    @Test(
        "with tags that are too many, too long, twice there or of other signs are refused",
        arguments: [
            ((0..<11).map { ("k\($0)", "") }, "BadRequest"),
            ([("a", "1"), ("a", "2")], "InvalidTag"),
            ([("", "1")], "InvalidTag"),
            ([(String(repeating: "k", count: 129), "")], "InvalidTag"),
            ([("a", String(repeating: "v", count: 257))], "InvalidTag"),
            ([("a?", "1")], "InvalidTag"),
            ([("a", "#1")], "InvalidTag"),
            ([("a", "x\ny")], "InvalidTag"),
            ([("a</Key><Key>b", "1")], "MalformedXML"),
        ] as [([(String, String)], String)])
    func refusesTags(tags: [(String, String)], code: String) {
        do throws(FileError) {
            _ = try TaggingRequest(Self.tagging(tags))
            Issue.record("read: \(tags)")
        } catch {
            #expect(error.code == code)
        }
    }

    @Test("with look-alike tags have two tags", arguments: LookAlikes.all)
    func keepsLookAlikesApart(pair: LookAlikes) throws {
        #expect(try TaggingRequest(Self.tagging([(pair.one, ""), (pair.other, "")])).tags.count == 2)
    }

    @Test(
        "with tags in a header are read like a query",
        arguments: [
            ("a=1&b=2", "a=1|b=2"), ("a", "a="), ("", ""), ("a=x%20y+z&%C3%A9=%3D", "a=x y z|é=="), ("a=b=c", "a=b=c"),
            ("a=%", nil), ("a=%zz", nil), ("a=%FF", nil), ("a=1&a=2", nil), ("=1", nil),
            ((0..<11).map { "k\($0)=" }.joined(separator: "&"), nil),
        ] as [(String, String?)])
    func readsTagHeader(header: String, expected: String?) {
        let tags = try? FileTag.read(header: header)
        #expect(tags?.map { "\($0.key)=\($0.value)" }.joined(separator: "|") == expected)
    }
}
