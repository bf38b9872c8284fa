import GraphQL
import JSON
import Testing

@Suite("Scalars")
struct ScalarTests {
    private func coercion(_ name: String) throws -> ScalarCoercion { try #require(Scalars.all[name]) }

    @Test(
        "accept the forms that AppSync accepts, and keep the text",
        arguments: [
            (
                "AWSDate",
                [
                    "2020-01-01", "1979-01-01Z", "2021-01-01+05:30", "2021-01-01-05:30:12", "-2017-05-01", "2024-02-29",
                    "+12345-01-01", "2000-02-29",
                ]
            ),
            (
                "AWSTime",
                [
                    "12:30", "12:30Z", "12:30:24", "12:30:24Z", "12:30:24.1Z", "12:30:24.123456789", "12:30:24-07:00",
                    "12:30:24.500+05:30", "12:30:24.500+05:30:00", "00:00", "23:59:59.9", "12:30+18:00",
                ]
            ),
            (
                "AWSDateTime",
                [
                    "1970-01-01T12:00Z", "1970-01-01T12:00:00.123456789Z", "2021-01-11T12:30:24-07:00",
                    "2021-01-11T12:30:24.500+05:30:00", "2021-01-11T12:30Z", "1970-01-01T12:00:00.2Z",
                    "-2017-01-01T00:00Z",
                ]
            ),
            (
                "AWSEmail",
                [
                    "a@b", "a@b.c", "john@doe.com", "first.last+tag@sub.example.org", "\"john doe\"@example.com",
                    "a@[127.0.0.1]",
                ]
            ),
            (
                "AWSURL",
                [
                    "https://www.amazon.com/", "http://localhost/", "schema://anything", "smb://a/b/c?d=e",
                    "https://user:pw@host:8080/a/b?c=d#e", "http://127.0.0.1:80", "http://[::1]/x",
                    "https://example.com", "https://foo.blog/bar", "file:///etc/x", "s3://bucket/key%20x",
                    "mailto:example@example.com", "MAILTO:a@b.c,d@e.f?subject=x%20y", "mailto:a",
                ]
            ),
            (
                "AWSPhone",
                [
                    "+44123456789", "+12025550123", "202-555-0123", "555-341-1234", "+44 1234 567 890", "12025550123",
                    "2025550123",
                ]
            ),
            (
                "AWSIPAddress",
                [
                    "127.0.0.1", "::1", "::ffff:10.0.0.1", "::", "2001:db8::8a2e:370:7334", "1:2:3:4:5:6:7:8",
                    "10.0.0.0/8", "fe80::/10", "1:2:3:4:5:6:1.2.3.4",
                ]
            ),
        ] as [(String, [String])])
    func accepted(_ scalar: String, _ texts: [String]) throws {
        let coercion = try coercion(scalar)
        for text in texts {
            #expect((try? coercion.parseValue(.string(text))) == .string(text), "\(scalar) \(text)")
            #expect((try? coercion.parseLiteral(.string(StringValue(text)))) == .string(text), "\(scalar) \(text)")
            #expect((try? coercion.serialize(.string(text))) == .string(text), "\(scalar) \(text)")
        }
    }

    @Test(
        "refuse the forms that AppSync refuses, in its words",
        arguments: [
            (
                "AWSDate", "Date Object",
                [
                    "", "2021-01-1", "201-01-50", "2021-01-112", "2021-01-01+5:30", "2021-01-01+05:3",
                    "2021-01-01-05:30:12Z", "2021-02-29", "1900-02-29", "2021-13-01", "2021-00-10", "2021-04-31",
                    "12021-01-01", "2021-01-01 ", "x",
                ]
            ),
            (
                "AWSTime", "Time Object",
                [
                    "", "1:30", "12:30.Z", "12:30:242Z", "12:30.500+05:30", "12:30:24.500+5:30:00", "24:00", "12:60",
                    "12:30:60", "12:30:24.", "12:30:24.1234567890", "12:30+18:01", "12:30+0530",
                ]
            ),
            (
                "AWSDateTime", "DateTime Object",
                [
                    "", "2021-01-11T12:30", "2024-05-12T07:49:46+0000", "2020-05-23T06:4:37.000Z",
                    "2026-05-06T00:00:00.000", "2019", "2021-01-11 12:30Z", "2021-01-11T12:30ZZ", "2021-01-11T",
                ]
            ),
            (
                "AWSEmail", "email address",
                ["", "a", "@", "a@", "@a", "a @b.c", "a@b. c", "a..b@c", ".a@b", "a@b.", "a@b@c", "a,b@c"]
            ),
            (
                "AWSURL", "URL",
                [
                    "", "//", "//example", "example", "amazon.com", "www.amazon.com", "http://", "http:// a",
                    "http://a b/", "http://a//b", "http://-a/", "1http://a/", "http://a:99999/", "http://a/../../b",
                    "http://999.1.1.1/", "http:/a", "mailto:", "mailto://a@b.c", "mailto:a b@c.d", "mailto", "tel:",
                ]
            ),
            (
                "AWSPhone", "phone number",
                [
                    "", "1110004444", "a", "+", "bad-number", "+123", "+1234567890123456", "123", "0125550123",
                    "202555012x", "2021550123", "22025550123",
                ]
            ),
            (
                "AWSIPAddress", "IP address",
                [
                    "", "999.1.1.1", "1.0.0", " 1.1.1.1", "1.1.1.1 ", "test", "::ffff:10.0.0", ":::", "1::2::3",
                    "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "01.1.1.1", "1.1.1.1/33", "::/129", "1.1.1.1/",
                    "g::", ":1",
                ]
            ),
        ] as [(String, String, [String])])
    func refused(_ scalar: String, _ noun: String, _ texts: [String]) throws {
        let coercion = try coercion(scalar)
        for text in texts {
            let parsing = #expect(throws: ScalarError.self, "\(scalar) \(text)") {
                try coercion.parseValue(.string(text))
            }
            #expect(parsing?.message == "Unable to parse `\(text)` as a valid \(noun).")
            let writing = #expect(throws: ScalarError.self, "\(scalar) \(text)") {
                try coercion.serialize(.string(text))
            }
            #expect(writing?.message == "Unable to serialize `\(text)` as a valid \(noun).")
        }
        #expect(throws: ScalarError.self) { try coercion.parseValue(5) }
    }

    @Test("AWSTimestamp is an integer within the calendar")
    func timestamps() throws {
        let coercion = try coercion("AWSTimestamp")
        for seconds: Int64 in [0, 1_577_836_800, -1, 31_556_889_864_403_199, -31_557_014_167_219_200] {
            #expect(try coercion.parseValue(.integer(seconds)) == .integer(seconds))
            #expect(try coercion.parseLiteral(.int(NumberValue(String(seconds)))) == .integer(seconds))
        }
        for value: JSONValue in [
            .integer(31_556_889_864_403_200), .integer(-31_557_014_167_219_201), "2019", .double(1.5), true,
        ] {
            #expect(throws: ScalarError.self) { try coercion.parseValue(value) }
        }
        let error = #expect(throws: ScalarError.self) { try coercion.serialize("2019-12-19 16:59:09.966") }
        #expect(
            error?.message
                == "Unable to serialize `2019-12-19 16:59:09.966` as a valid timestamp. Ensure that the value provided is an Integer that lies within the limits specified in this scalar's description."
        )
    }

    @Test("AWSJSON is parsed on the way in and written again on the way out")
    func json() throws {
        let coercion = try coercion("AWSJSON")
        #expect(try coercion.parseValue("{\"upvotes\": 10}") == ["upvotes": 10])
        #expect(try coercion.parseValue("\"text\"") == "text")
        #expect(try coercion.parseValue("1") == 1)
        #expect(try coercion.parseLiteral(.string(StringValue("[1,2,3]"))) == [1, 2, 3])
        #expect(try coercion.serialize(["a": .array([1, .null])]) == "{\"a\":[1,null]}")
        #expect(try coercion.serialize("{}") == "\"{}\"")
        for text in ["", "{a: 1}", "{'a': 1}", "Unquoted string", "2020-01-01", "#"] {
            let error = #expect(throws: ScalarError.self) { try coercion.parseValue(.string(text)) }
            #expect(error?.message == "Unable to parse `\(text)` as a valid JSON.")
        }
        #expect(throws: ScalarError.self) { try coercion.parseValue(.object(JSONObject())) }
        #expect(throws: ScalarError.self) { try coercion.parseLiteral(.object(ObjectValue([]))) }
    }

    @Test(
        "built-in ones are lenient with variables",
        arguments: [
            ("Int", 1, 1), ("Int", .double(1), 1), ("Int", "12", 12), ("Int", "12.0", 12), ("Int", "-1e3", -1_000),
            ("Int", "2147483647", 2_147_483_647),
            ("Float", 1, .double(1)), ("Float", "1.5", .double(1.5)), ("Float", .double(2.5), .double(2.5)),
            ("Float", ".5", .double(0.5)),
            ("String", "a", "a"), ("String", 5, "5"), ("String", true, "true"), ("String", .double(1e7), "1.0E7"),
            ("String", .double(0.0001), "1.0E-4"),
            ("String", .array([1, "b", .null]), "[1, b, null]"),
            ("String", ["a": 1, "b": .array([2])], "{a=1, b=[2]}"),
            ("Boolean", true, true), ("Boolean", "TRUE", true), ("Boolean", "yes", false), ("Boolean", 0, false),
            ("Boolean", 2, true), ("Boolean", .double(0), false),
            ("ID", "x", "x"), ("ID", 5, "5"), ("ID", .largeInteger("12345678901234567890"), "12345678901234567890"),
        ] as [(String, JSONValue, JSONValue)])
    func lenient(_ scalar: String, _ sent: JSONValue, _ value: JSONValue) throws {
        #expect(try coercion(scalar).parseValue(sent) == value)
    }

    @Test(
        "built-in ones name the Java class of what they refuse",
        arguments: [
            ("Int", .double(1.5), "Double"), ("Int", "x", "String"), ("Int", "", "String"), ("Int", "1.5", "String"),
            ("Int", .integer(2_147_483_648), "Long"), ("Int", true, "Boolean"),
            ("Int", .largeInteger("99999999999999999999"), "BigInteger"), ("Int", [1], "ArrayList"),
            ("Int", "99999999999999999999", "String"), ("Int", "1e999999999", "String"),
            ("Float", "x", "String"), ("Float", true, "Boolean"), ("Float", .object(JSONObject()), "LinkedHashMap"),
            ("Boolean", [true], "ArrayList"), ("ID", .double(1.5), "Double"), ("ID", true, "Boolean"),
        ] as [(String, JSONValue, String)])
    func strict(_ scalar: String, _ sent: JSONValue, _ className: String) throws {
        let error = #expect(throws: ScalarError.self) { try coercion(scalar).parseValue(sent) }
        #expect(error?.message == "Expected type '\(scalar)' but was '\(className)'.")
    }
}
