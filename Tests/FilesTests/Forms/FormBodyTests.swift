import TestSupport
import Testing

@testable import Files

@Suite("Forms with a file")
struct FormBodyTests {
    @Test("give their fields and their file, however they are cut", arguments: FormCase.accepted)
    func areTaken(form: FormCase) throws {
        let whole = form.outcome(cutting: [form.bytes[...]])
        guard case .taken(let fields, let file) = whole else {
            Issue.record("\(form.name): \(whole)")
            return
        }
        #expect(fields == form.fields)
        #expect(file == form.file)
        #expect(form.outcome(cutting: form.bytes.indices.map { form.bytes[$0...$0] }) == whole)
        for place in form.bytes.indices {
            #expect(form.outcome(cutting: [form.bytes[..<place], form.bytes[place...]]) == whole, "at \(place)")
        }
    }

    @Test("are refused where they are none", arguments: FormCase.refused)
    func areRefused(form: FormCase) {
        let whole = form.outcome(cutting: [form.bytes[...]])
        #expect(whole == .refused(form.code), "\(form.name)")
        for place in form.bytes.indices where form.bytes.count < 2_000 || place.isMultiple(of: 997) {
            #expect(form.outcome(cutting: [form.bytes[..<place], form.bytes[place...]]) == whole, "at \(place)")
        }
    }

    @Test("that are cut off before the file's end are not whole")
    func areNotWhole() {
        for form in FormCase.accepted {
            let end = form.bytes.count - form.behind
            for place in 0..<end {
                #expect(
                    form.outcome(cutting: [form.bytes[..<place]]) == .refused("IncompleteBody"),
                    "\(form.name) at \(place)")
            }
        }
    }

    @Test("hand on a file of any bytes as it is")
    func filesAreAsTheyAre() {
        var random = SeededRandom(test: "FormBodyTests")
        for _ in 0..<Fuzz.rounds(ordinarily: 3_000) {
            // Mostly bytes that a boundary is made of, so that many begin and few end.
            let file = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                Array("\r\n-Bx".utf8)[Int.random(in: 0..<5, using: &random)]
            }
            guard !file.contains(sequence: Array("\r\n--Bx".utf8)) else { continue }
            let bytes =
                Array("--Bx\r\nContent-Disposition: form-data; name=file\r\n\r\n".utf8) + file
                + Array("\r\n--Bx--".utf8)
            let one = Int.random(in: 0...bytes.count, using: &random)
            let two = Int.random(in: one...bytes.count, using: &random)
            let form = FormCase("random", bytes, boundary: "Bx")
            let outcome = form.outcome(cutting: [bytes[..<one], bytes[one..<two], bytes[two...]])
            guard outcome == .taken([], file) else {
                Issue.record("cut at \(one) and \(two): \(bytes)")
                return
            }
        }
    }

    @Test("say the same however they are cut, whatever comes")
    func survivesMutations() {
        var random = SeededRandom(test: "FormBodyTests")
        let seeds = (FormCase.accepted + FormCase.refused).filter { $0.bytes.count < 2_000 }
        for round in 0..<Fuzz.rounds(ordinarily: 8_000) {
            let seed = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            var bytes = seed.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.insert(Array("\r\n-:;=\"\\".utf8)[Int.random(in: 0..<8, using: &random)], at: place)
                case 1 where place < bytes.count: bytes.remove(at: place)
                case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
                default:
                    let other = seeds[Int.random(in: 0..<seeds.count, using: &random)].bytes
                    bytes.insert(contentsOf: other.prefix(Int.random(in: 0...80, using: &random)), at: place)
                }
            }
            let changed = FormCase(seed.name, bytes, boundary: seed.boundary)
            let place = Int.random(in: 0...bytes.count, using: &random)
            let whole = changed.outcome(cutting: [bytes[...]])
            if whole != changed.outcome(cutting: [bytes[..<place], bytes[place...]]) {
                Issue.record("round \(round), split at \(place): \(bytes)")
                return
            }
        }
    }

    @Test(
        "need a boundary that can be one",
        arguments: [
            ("multipart/form-data; boundary=abc", true), ("Multipart/Form-Data; charset=utf-8; BOUNDARY=\"a b\"", true),
            ("multipart/form-data;boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW", true),
            ("multipart/form-data", false), ("multipart/form-data; boundary=", false),
            ("multipart/form-data; boundary=\"\"", false), ("multipart/form-data; boundary=\"a", false),
            ("multipart/form-data; boundary=\"a \"", false), ("multipart/form-data; boundary=a; boundary=b", false),
            ("multipart/form-data; boundary=ä", false), ("multipart/mixed; boundary=abc", false),
            ("application/x-www-form-urlencoded", false), ("", false), (";;;", false),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 70))", true),
            ("multipart/form-data; boundary=\(String(repeating: "a", count: 71))", false),
        ])
    func needABoundary(type: String, isOne: Bool) {
        do throws(FileError) {
            _ = try FormBody(contentType: type)
            #expect(isOne)
        } catch {
            #expect(!isOne)
            #expect(error.code == "MalformedPOSTRequest")
        }
    }

    @Test("put the file's name in where its maker left it out, but not into what is signed")
    func fileNameIsPutIn() {
        let fields = [("key", "a/${filename}/${filename}"), ("policy", "${filename}"), ("x-amz-meta-a", "${filename")]
        for (name, put) in [
            ("b.txt", "b.txt"), ("C:\\x\\b.txt", "b.txt"), ("/tmp/b.txt", "b.txt"), ("", ""), ("a/", ""),
        ] {
            let form = FormFields(fields.map { .init(name: $0.0, value: $0.1) }, fileName: name, fileType: nil)
            #expect(form.fileName == put)
            #expect(form["key"] == "a/\(put)/\(put)")
            #expect(form["policy"] == "${filename}")
            #expect(form["x-amz-meta-a"] == "${filename")
        }
        // A file without a name leaves what stands for it.
        let form = FormFields([.init(name: "key", value: "a/${filename}")], fileName: nil, fileType: nil)
        #expect(form["key"] == "a/${filename}" && form.fileName.isEmpty)
    }
}

extension [UInt8] {
    func contains(sequence: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
