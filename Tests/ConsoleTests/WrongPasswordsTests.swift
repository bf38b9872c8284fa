import JSON
import Testing

@testable import Console

/// How guessing the operator's password is slowed, and the operator is not kept out by it.
@Suite("Wrong passwords of the console")
struct WrongPasswordsTests {
    private static let minute: Int64 = 60_000
    private static let start: Int64 = 1_000 * minute

    private static func source(_ address: String) -> WrongPasswords.Source { .init(address: address) }

    @Test("of one network of version 6 are counted together")
    func networks() {
        let wrong = WrongPasswords()
        for number in 0..<ConsoleLimits.freeTries {
            #expect(wrong.begin(from: Self.source("2001:db8::\(number)"), now: Self.start) == nil)
        }
        #expect(wrong.begin(from: Self.source("2001:db8::99"), now: Self.start) != nil)
        #expect(wrong.begin(from: Self.source("2001:db8:0:1::1"), now: Self.start) == nil)
        wrong.forget(Self.source("2001:db8::5"))
        #expect(wrong.begin(from: Self.source("2001:db8::1"), now: Self.start) == nil)
    }

    @Test("of networks that have failed leave a part of each minute to those that have not")
    func newcomers() {
        let wrong = WrongPasswords()
        var tries = 0
        // They come back as soon as they may, minute after minute.
        for number in 0..<20 { _ = wrong.begin(from: Self.source("192.0.2.\(number)"), now: Self.start) }
        let next = Self.start + Self.minute
        for number in 0..<20 where wrong.begin(from: Self.source("192.0.2.\(number)"), now: next) == nil { tries += 1 }
        for number in 0..<20 where wrong.begin(from: Self.source("192.0.2.\(number)"), now: next + 10) == nil {
            tries += 1
        }
        #expect(tries == ConsoleLimits.triesPerMinute - ConsoleLimits.triesForNewcomers)
        for number in 0..<ConsoleLimits.triesForNewcomers {
            #expect(wrong.begin(from: Self.source("198.51.100.\(number)"), now: next + 20) == nil)
        }
        #expect(wrong.begin(from: Self.source("198.51.100.99"), now: next + 20) != nil)
        #expect(wrong.begin(from: Self.source("198.51.100.99"), now: next + Self.minute) == nil)
    }

    @Test("of strangers keep no browser out in which somebody was signed in, and its own are slowed as well")
    func browsers() {
        let wrong = WrongPasswords()
        for number in 0..<(2 * ConsoleLimits.triesPerMinute) {
            _ = wrong.begin(from: Self.source("192.0.2.\(number)"), now: Self.start)
        }
        #expect(wrong.begin(from: Self.source("198.51.100.1"), now: Self.start) != nil)
        let browser = WrongPasswords.Source.browser(ByteText("one"))
        for _ in 0..<ConsoleLimits.freeTries { #expect(wrong.begin(from: browser, now: Self.start) == nil) }
        #expect(wrong.begin(from: browser, now: Self.start) == 1)
        #expect(wrong.begin(from: .browser(ByteText("two")), now: Self.start) == nil)
    }
}
