import JSON
import TestSupport
import Testing

@testable import Files

@Suite("Answers in XML")
struct MarkupAnswerTests {
    private static let time = Timestamp(seconds: 1_795_248_350)
    private static let owner = FileOwner(id: "id")

    /// What stands behind the declaration.
    private func body(_ markup: [UInt8]) -> String {
        let text = String(decoding: markup, as: UTF8.self)
        let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        #expect(text.hasPrefix(declaration))
        return String(decoding: text.utf8.dropFirst(declaration.utf8.count), as: UTF8.self)
            .replacing(" xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"", with: " xmlns")
    }

    @Test("list a page of keys with tokens, and name only what is there")
    func listsPage() {
        var page = ListPage(bucket: "b", paging: .tokens(given: nil, next: nil, startAfter: nil))
        #expect(
            body(page.markup)
                == "<ListBucketResult xmlns><Name>b</Name><Prefix></Prefix><KeyCount>0</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated></ListBucketResult>"
        )
        page.delimiter = ""
        #expect(!body(page.markup).contains(bytesOf: "Delimiter"))
        page = ListPage(bucket: "b", paging: .tokens(given: "t1", next: "t2", startAfter: "k+"))
        page.prefix = "private/us-east-1:1/"
        page.delimiter = "/"
        page.maxKeys = 2
        page.objects = [ListPage.Object(key: "private/us-east-1:1/a <b>", modified: Self.time, etag: "e", size: 3)]
        page.prefixes = ["private/us-east-1:1/x y/"]
        #expect(
            body(page.markup)
                == "<ListBucketResult xmlns><Name>b</Name><Prefix>private/us-east-1:1/</Prefix><KeyCount>2</KeyCount><MaxKeys>2</MaxKeys><Delimiter>/</Delimiter><IsTruncated>true</IsTruncated><ContinuationToken>t1</ContinuationToken><NextContinuationToken>t2</NextContinuationToken><StartAfter>k+</StartAfter><Contents><Key>private/us-east-1:1/a &lt;b&gt;</Key><LastModified>2026-11-21T08:05:50.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>3</Size><StorageClass>STANDARD</StorageClass></Contents><CommonPrefixes><Prefix>private/us-east-1:1/x y/</Prefix></CommonPrefixes></ListBucketResult>"
        )
        page.isURLEncoded = true
        #expect(
            body(page.markup)
                == "<ListBucketResult xmlns><Name>b</Name><Prefix>private/us-east-1%3A1/</Prefix><KeyCount>2</KeyCount><MaxKeys>2</MaxKeys><Delimiter>/</Delimiter><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated><ContinuationToken>t1</ContinuationToken><NextContinuationToken>t2</NextContinuationToken><StartAfter>k%2B</StartAfter><Contents><Key>private/us-east-1%3A1/a%20%3Cb%3E</Key><LastModified>2026-11-21T08:05:50.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>3</Size><StorageClass>STANDARD</StorageClass></Contents><CommonPrefixes><Prefix>private/us-east-1%3A1/x%20y/</Prefix></CommonPrefixes></ListBucketResult>"
        )
    }

    @Test("list a page of keys with markers, the next one only beside a delimiter")
    func listsFirstVersion() {
        var page = ListPage(bucket: "b", paging: .markers(given: "m n", next: "z"))
        page.owner = Self.owner
        page.objects = [
            ListPage.Object(
                key: "k", modified: Self.time, etag: "e", size: 3, checksumAlgorithm: "CRC32",
                checksumType: "FULL_OBJECT")
        ]
        #expect(
            body(page.markup)
                == "<ListBucketResult xmlns><Name>b</Name><Prefix></Prefix><MaxKeys>1000</MaxKeys><IsTruncated>true</IsTruncated><Marker>m n</Marker><Contents><Key>k</Key><LastModified>2026-11-21T08:05:50.000Z</LastModified><ETag>&quot;e&quot;</ETag><ChecksumAlgorithm>CRC32</ChecksumAlgorithm><ChecksumType>FULL_OBJECT</ChecksumType><Size>3</Size><Owner><ID>id</ID></Owner><StorageClass>STANDARD</StorageClass></Contents></ListBucketResult>"
        )
        page.delimiter = "/"
        page.isURLEncoded = true
        #expect(body(page.markup).contains(bytesOf: "<Marker>m%20n</Marker><NextMarker>z</NextMarker>"))
    }

    @Test("tell buckets, where they are, and what a copy made")
    func tellsBuckets() {
        let page = BucketsPage(
            owner: Self.owner, buckets: [.init(name: "b", created: Self.time, region: "us-east-1")])
        #expect(
            body(page.markup)
                == "<ListAllMyBucketsResult xmlns><Owner><ID>id</ID></Owner><Buckets><Bucket><Name>b</Name><CreationDate>2026-11-21T08:05:50.000Z</CreationDate><BucketRegion>us-east-1</BucketRegion></Bucket></Buckets></ListAllMyBucketsResult>"
        )
        #expect(body(BucketLocation(region: "us-east-1").markup) == "<LocationConstraint xmlns></LocationConstraint>")
        #expect(
            body(BucketLocation(region: "eu-west-1").markup)
                == "<LocationConstraint xmlns>eu-west-1</LocationConstraint>")
        let copy = CopyAnswer(
            modified: Self.time, etag: "e", checksums: [NamedChecksum(algorithm: "SHA256", value: "x/+=")],
            checksumType: "FULL_OBJECT")
        let members =
            "<LastModified>2026-11-21T08:05:50.000Z</LastModified><ETag>&quot;e&quot;</ETag><ChecksumSHA256>x/+=</ChecksumSHA256><ChecksumType>FULL_OBJECT</ChecksumType>"
        #expect(body(copy.objectMarkup) == "<CopyObjectResult xmlns>\(members)</CopyObjectResult>")
        #expect(body(copy.partMarkup) == "<CopyPartResult xmlns>\(members)</CopyPartResult>")
    }

    @Test("tell uploads in parts from their beginning to their end")
    func tellsUploads() {
        #expect(
            body(BegunUpload(bucket: "b", key: "k&", id: "u").markup)
                == "<InitiateMultipartUploadResult xmlns><Bucket>b</Bucket><Key>k&amp;</Key><UploadId>u</UploadId></InitiateMultipartUploadResult>"
        )
        let made = MadeObject(
            location: "http://h/b/k?a&b", bucket: "b", key: "k", etag: "e-2",
            checksums: [NamedChecksum(algorithm: "CRC32", value: "NhCmhg==")], checksumType: "FULL_OBJECT")
        #expect(
            body(made.uploadMarkup)
                == "<CompleteMultipartUploadResult xmlns><Location>http://h/b/k?a&amp;b</Location><Bucket>b</Bucket><Key>k</Key><ETag>&quot;e-2&quot;</ETag><ChecksumCRC32>NhCmhg==</ChecksumCRC32><ChecksumType>FULL_OBJECT</ChecksumType></CompleteMultipartUploadResult>"
        )
        #expect(
            body(made.formMarkup)
                == "<PostResponse><Location>http://h/b/k?a&amp;b</Location><Bucket>b</Bucket><Key>k</Key><ETag>&quot;e-2&quot;</ETag></PostResponse>"
        )
        var parts = PartsPage(bucket: "b", key: "k", upload: "u", owner: Self.owner)
        let people =
            "<Initiator><ID>id</ID></Initiator><Owner><ID>id</ID></Owner><StorageClass>STANDARD</StorageClass>"
        #expect(
            body(parts.markup)
                == "<ListPartsResult xmlns><Bucket>b</Bucket><Key>k</Key><UploadId>u</UploadId>\(people)<PartNumberMarker>0</PartNumberMarker><NextPartNumberMarker>0</NextPartNumberMarker><MaxParts>1000</MaxParts><IsTruncated>false</IsTruncated></ListPartsResult>"
        )
        parts.parts = [PartsPage.Part(number: 4, modified: Self.time, etag: "e", size: 5)]
        parts.nextMarker = 4
        #expect(
            body(parts.markup).hasSuffix(
                "<NextPartNumberMarker>4</NextPartNumberMarker><MaxParts>1000</MaxParts><IsTruncated>true</IsTruncated><Part><PartNumber>4</PartNumber><LastModified>2026-11-21T08:05:50.000Z</LastModified><ETag>&quot;e&quot;</ETag><Size>5</Size></Part></ListPartsResult>"
            ))
        var uploads = UploadsPage(bucket: "b")
        uploads.isURLEncoded = true
        uploads.delimiter = "/"
        uploads.next = .init(key: "k k", upload: "u")
        uploads.uploads = [.init(key: "k k", id: "u", owner: Self.owner, begun: Self.time)]
        uploads.prefixes = ["p p/"]
        #expect(
            body(uploads.markup)
                == "<ListMultipartUploadsResult xmlns><Bucket>b</Bucket><KeyMarker></KeyMarker><UploadIdMarker></UploadIdMarker><NextKeyMarker>k%20k</NextKeyMarker><NextUploadIdMarker>u</NextUploadIdMarker><Prefix></Prefix><Delimiter>/</Delimiter><EncodingType>url</EncodingType><MaxUploads>1000</MaxUploads><IsTruncated>true</IsTruncated><Upload><Key>k%20k</Key><UploadId>u</UploadId>\(people)<Initiated>2026-11-21T08:05:50.000Z</Initiated></Upload><CommonPrefixes><Prefix>p%20p/</Prefix></CommonPrefixes></ListMultipartUploadsResult>"
        )
    }

    @Test("tell what became of each key, and when quiet only of those that stay")
    func tellsDeletes() {
        var answer = DeleteAnswer()
        answer.keys = [.init(key: "a&b"), .init(key: "c", error: .accessDenied.because("a secret"))]
        let denied = "<Error><Key>c</Key><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
        #expect(
            body(answer.markup)
                == "<DeleteResult xmlns><Deleted><Key>a&amp;b</Key></Deleted>\(denied)</DeleteResult>")
        answer.isQuiet = true
        #expect(body(answer.markup) == "<DeleteResult xmlns>\(denied)</DeleteResult>")
    }

    @Test("tell tags and attributes")
    func tellsTagsAndAttributes() {
        #expect(
            body(TaggingAnswer(tags: [FileTag(key: "a", value: "<1>")]).markup)
                == "<Tagging xmlns><TagSet><Tag><Key>a</Key><Value>&lt;1&gt;</Value></Tag></TagSet></Tagging>")
        #expect(body(AttributesAnswer().markup) == "<GetObjectAttributesResponse xmlns></GetObjectAttributesResponse>")
        var answer = AttributesAnswer()
        answer.etag = "e-1"
        answer.checksums = [NamedChecksum(algorithm: "CRC32C", value: "x")]
        answer.checksumType = "COMPOSITE"
        answer.storageClass = "STANDARD"
        answer.size = 9
        answer.parts = AttributesAnswer.Parts(count: 1)
        answer.parts?.parts = [.init(number: 1, size: 9, checksums: [NamedChecksum(algorithm: "CRC32C", value: "y")])]
        #expect(
            body(answer.markup)
                == "<GetObjectAttributesResponse xmlns><ETag>e-1</ETag><Checksum><ChecksumCRC32C>x</ChecksumCRC32C><ChecksumType>COMPOSITE</ChecksumType></Checksum><ObjectParts><PartsCount>1</PartsCount><PartNumberMarker>0</PartNumberMarker><NextPartNumberMarker>1</NextPartNumberMarker><MaxParts>1000</MaxParts><IsTruncated>false</IsTruncated><Part><PartNumber>1</PartNumber><Size>9</Size><ChecksumCRC32C>y</ChecksumCRC32C></Part></ObjectParts><StorageClass>STANDARD</StorageClass><ObjectSize>9</ObjectSize></GetObjectAttributesResponse>"
        )
    }

    @Test("tell a refusal, and never why")
    func tellsRefusals() {
        let error = FileError.noSuchKey.with("Key", "a<b").with("No Name", "x").because("a secret")
        #expect(
            body(error.markup(request: "R", host: "H"))
                == "<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message><Key>a&lt;b</Key><RequestId>R</RequestId><HostId>H</HostId></Error>"
        )
    }

    @Test("are well-formed whatever the texts are, and give them back where XML can hold them")
    func areWellFormed() throws {
        var random = SeededRandom(test: "areWellFormed")
        let scalars: [Unicode.Scalar] =
            ([UInt32](0...0x80) + [0xFDD0, 0xFFFE, 0xFFFF, 0x10FFFF]).compactMap { Unicode.Scalar($0) }
            + ["é", "\u{FFFD}", "\u{FEFF}", "😀", "\u{10FFFD}", "]", "&", "<", "\u{85}", "\u{2028}"]
        for _ in 0..<Fuzz.rounds(ordinarily: 2_000) {
            var text = ""
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                text.unicodeScalars.append(scalars.randomElement(using: &random) ?? "x")
            }
            var answer = DeleteAnswer()
            answer.keys = [.init(key: text), .init(key: text, error: FileError(400, text, text))]
            let root = try MarkupReader.read(answer.markup)
            let key = try #require(root.children.first?.children.first?.text)
            if XMLCharacters.canHold(text) {
                #expect(key == text)
            } else {
                #expect(key.unicodeScalars.count == text.unicodeScalars.count)
            }
            var page = ListPage(bucket: text, paging: .markers(given: text, next: text))
            page.isURLEncoded = true
            page.prefixes = [text]
            _ = try MarkupReader.read(page.markup)
        }
    }

    @Test(
        "write keys in escapes that every client reads the same",
        arguments: [
            ("a/b-c_d.e~f", "a/b-c_d.e~f"), ("a b+c%d", "a%20b%2Bc%25d"), ("é\u{0}\n", "%C3%A9%00%0A"), ("", ""),
            ("(*)!'", "%28%2A%29%21%27"),
        ])
    func encodesKeys(key: String, expected: String) {
        #expect(MarkupCharacters.percentEncoded(key) == expected)
    }
}
