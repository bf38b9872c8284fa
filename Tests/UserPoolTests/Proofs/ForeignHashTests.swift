import Testing

@testable import UserPool

@Suite("Passwords from other servers")
struct ForeignHashTests {
    /// Of scrypt the first two are the numbers of RFC 7914, the third is by Python's hashlib.
    static let hashes: [(password: String, text: String)] = [
        ("Pässw0rd-☕", "$2b$04$abcdefghijklmnopqrstuuXzOpqiwBbgZnWZXYluHE2.EPg5wuHSy"),
        (
            "pleaseletmein",
            """
            $scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofLVQylVYT8Pz2LUlwUkKpr5\
            5h6F3A1lHkDfzwF7RVdYhw
            """
        ),
        (
            "",
            """
            $scrypt$ln=4,r=1,p=1$$d9ZXYjhleyA7GcpCwYoEl/FrSETjB0ro39/6P+3iFEL80Aad7QlI+DJqdToPyB8X6NPg+y4NNijPNeIMONGJ\
            Bg==
            """
        ),
        ("Pässw0rd-☕", "$scrypt$ln=4,r=8,p=2$yMnKy8zNzs/Q0dLT1NXW1w$EQ3llv1ZjzUMiGw1jO9IRtndkbNMsoXFZPkedLaOVqI"),
    ]

    @Test("the password is accepted that a hash was made of, and no other", arguments: hashes.indices)
    func accepts(row: Int) throws {
        let (password, text) = Self.hashes[row]
        let hash = try #require(ForeignHash(text))
        #expect(hash.accepts(password: password))
        #expect(!hash.accepts(password: password + "x"))
        #expect(!hash.accepts(password: text))
    }

    private static let rest = "$yMnKy8zNzs/Q0dLT1NXW1w$EQ3llv1ZjzUMiGw1jO9IRtndkbNMsoXFZPkedLaOVqI"

    @Test(
        "other forms, and what costs too much, are refused",
        arguments: [
            "", "$", "$scrypt", "$scrypt$", "secret", "$scrypt$\(rest)", "$Scrypt$ln=4,r=8,p=2\(rest)",
            "$scrypt$ln=4,r=8\(rest)", "$scrypt$ln=4,p=2,r=8\(rest)", "$scrypt$ln=4,r=8,p=2,\(rest)",
            "$scrypt$ln=4,r=8,p=2,q=1\(rest)", "$scrypt$ln=4,,r=8,p=2\(rest)", "$scrypt$ln=04,r=8,p=2\(rest)",
            "$scrypt$ln=-4,r=8,p=2\(rest)", "$scrypt$ln=+4,r=8,p=2\(rest)", "$scrypt$ln=0,r=8,p=2\(rest)",
            "$scrypt$ln=4,r=0,p=2\(rest)", "$scrypt$ln=18,r=8,p=1\(rest)", "$scrypt$ln=31,r=8,p=1\(rest)",
            "$scrypt$ln=32,r=8,p=1\(rest)", "$scrypt$ln=64,r=8,p=1\(rest)", "$scrypt$ln=9999999,r=8,p=1\(rest)",
            "$scrypt$ln=99999999999999999999,r=8,p=1\(rest)", "$scrypt$ln=4,r=9999999,p=9999999\(rest)",
            "$scrypt$ln=4,r=8,p=2\(rest)$", "$scrypt$ln=4,r=8,p=2\(rest) ",
            "$scrypt$ln=4,r=8,p=2$!!!!$\(rest.suffix(43))",
            "$scrypt$ln=4,r=8,p=2$AAAA$", "$scrypt$ln=4,r=8,p=2$AAAA$AAAA", "$scrypt$ln=4,r=8,p=2$AAAA",
            "$scrypt$ln=4,r=8,p=2$AAAA$\(String(repeating: "A", count: 88))",
            "$scrypt$ln=4,r=8,p=2$\(String(repeating: "A", count: 176))\(rest.suffix(44))",
            "$2b$15$abcdefghijklmnopqrstuuXzOpqiwBbgZnWZXYluHE2.EPg5wuHSy", "$argon2id$v=19$m=65536,t=2,p=1$AAAA$AAAA",
            String(repeating: "$scrypt", count: 10_000),
        ])
    func refuses(text: String) {
        #expect(ForeignHash(text) == nil)
    }
}
