import Testing

@testable import Crypto

@Suite("Traces of bcrypt")
struct BcryptTests {
    private static let long = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

    /// Those with 2a are of Openwall's crypt_blowfish and of jBCrypt; the others were made by libxcrypt.
    static let traces: [(password: String, text: String)] = [
        ("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"),
        ("U*U*", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK"),
        ("U*U*U", "$2a$05$XXXXXXXXXXXXXXXXXXXXXOAcXxm9kjPGEMsLznoKqmqw7tc8WCx4a"),
        ("", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy"),
        (long + "chars after 72 are ignored", "$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui"),
        ("a", "$2a$06$m0CrhHm10qJ3lXRY.5zDGO3rS2KdeeWLuGmsfGlMfOxih58VYVfxe"),
        ("abc", "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i"),
        ("abcdefghijklmnopqrstuvwxyz", "$2a$06$.rCVZVOThsIa97pEDOxvGuRRgzG64bvtJ0938xuqzv18d3ZpQhstC"),
        ("~!@#$%^&*()      ~!@#$%^&*()PNBFRD", "$2a$06$fPIsBO8qRqkjj273rfaOI.HtSV9jLDpTbZn782DC6/t7qT67P6FfO"),
        ("Pässw0rd-☕", "$2b$04$abcdefghijklmnopqrstuuXzOpqiwBbgZnWZXYluHE2.EPg5wuHSy"),
        ("Pässw0rd-☕", "$2y$04$abcdefghijklmnopqrstuuXzOpqiwBbgZnWZXYluHE2.EPg5wuHSy"),
        ("\u{FF}\u{A3}", "$2y$05$/OK.fbVrR/bpIqNJ5ianF.4Ct.Zje1bKMhQv8WPqdLb9AWQiL9yOi"),
        (String(repeating: "x", count: 71), "$2b$04$......................MUTKUDIj4cZc60IEsGqjRod/wxELAN."),
        (String(repeating: "x", count: 72), "$2b$04$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi"),
        (String(repeating: "x", count: 73), "$2b$04$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi"),
        (String(repeating: "y", count: 300), "$2b$04$999999999999999999999uVdzQdIRdZ/ffOXAjdZRf3urXbPwIci2"),
    ]

    @Test("the password is accepted that it was made of, and no other", arguments: traces.indices)
    func published(row: Int) throws {
        let (password, text) = Self.traces[row]
        let trace = try #require(Bcrypt(text))
        #expect(trace.accepts(password: password))
        guard trace.cost == 4 else { return }
        #expect(!trace.accepts(password: "!" + password))
        #expect(!trace.accepts(password: password + "\u{0}"))
        #expect(password.utf8.count >= 72 || !trace.accepts(password: password + "!"))
        let changed = text.dropLast(2) + (text.hasSuffix("..") ? "/." : "..")
        #expect(try !#require(Bcrypt(String(changed))).accepts(password: password))
    }

    @Test("the bits beyond a salt are not looked at")
    func restOfSalt() {
        let text = "$2b$04$abcdefghijklmnopqrstu/XzOpqiwBbgZnWZXYluHE2.EPg5wuHSy"
        #expect(Bcrypt(text)?.accepts(password: "Pässw0rd-☕") == false)
        let same = "$2b$04$abcdefghijklmnopqrstuvXzOpqiwBbgZnWZXYluHE2.EPg5wuHSy"
        #expect(Bcrypt(same)?.accepts(password: "Pässw0rd-☕") == true)
    }

    @Test(
        "other forms and costs above the limit are refused",
        arguments: [
            "", "$2b$", "$2$04$", "$2x$04$", "$2c$04$", "$1b$04$", "2b$04$", "$2b$4$", "$2b$03$", "$2b$00$", "$2b$15$",
            "$2b$31$", "$2b$99$", "$2b$-4$", "$2b$+4$", "$2b$ 4$", "$2b$04.", "$2b$０4$", "$2B$04$",
        ])
    func refused(start: String) {
        #expect(Bcrypt(start + "abcdefghijklmnopqrstuuXzOpqiwBbgZnWZXYluHE2.EPg5wuHSy") == nil)
    }

    @Test("a text is of 60 characters of the alphabet")
    func form() {
        let text = "$2b$04$abcdefghijklmnopqrstuuXzOpqiwBbgZnWZXYluHE2.EPg5wuHSy"
        #expect(Bcrypt(text) != nil)
        #expect(Bcrypt(text + ".") == nil)
        #expect(Bcrypt(String(text.dropLast())) == nil)
        for place in [7, 20, 28, 29, 59] {
            for character: Character in ["+", "=", " ", "\n", "$", "-", "_", ":"] {
                var changed = Array(text)
                changed[place] = character
                #expect(Bcrypt(String(changed)) == nil, "\(place)")
            }
        }
        for cost in 10...Bcrypt.costMax {
            #expect(Bcrypt(text.replacing("$2b$04$", with: "$2b$\(cost)$"))?.cost == cost)
        }
    }

    @Test("Blowfish begins with π")
    func pi() {
        let bytes = CirclePart.bytes(count: 1_042 * 4)
        #expect(Hexadecimal.text(of: Array(bytes.prefix(16))) == "243f6a8885a308d313198a2e03707344")
        #expect(Hexadecimal.text(of: Array(bytes.suffix(8))) == "b74e6132ce77e25b578fdfe33ac372e6".suffix(16))
        for count in [1, 2, 7, 8, 9, 100, 1000] {
            #expect(CirclePart.bytes(count: count) == Array(bytes.prefix(count)))
        }
    }
}
