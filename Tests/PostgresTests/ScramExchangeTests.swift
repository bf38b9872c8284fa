@testable import Postgres
import Testing

@Suite("SCRAM-SHA-256")
struct ScramExchangeTests {
    // The example of RFC 7677.
    private static let nonce = "rOprNGfwEbeRWgbNEkqO"
    private static let serverFirst =
        "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
    private static let serverFinal = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="

    private static func exchange(roundsMax: Int = 10_000) -> ScramExchange {
        ScramExchange(
            user: Array("user".utf8), password: Array("pencil".utf8), binding: .none, roundsMax: roundsMax,
            nonce: Array(nonce.utf8))
    }

    @Test("proves and verifies as the RFC's example does")
    func example() throws {
        var exchange = Self.exchange()
        #expect(String(decoding: exchange.first, as: UTF8.self) == "n,,n=user,r=rOprNGfwEbeRWgbNEkqO")
        let answer = try exchange.answer(to: Array(Self.serverFirst.utf8))
        #expect(
            String(decoding: answer, as: UTF8.self)
                == "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ="
        )
        #expect(!exchange.isVerified)
        try exchange.verify(Array(Self.serverFinal.utf8))
        #expect(exchange.isVerified)
    }

    private static let badFirst: [(String, ScramExchange.Problem)] = [
        ("", .malformed), ("r=", .malformed),
        ("m=x,r=rOprNGfwEbeRWgbNEkqOx,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=1", .malformed),
        ("r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", .otherNonce),
        ("r=otherNonce,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096", .otherNonce),
        ("r=rOprNGfwEbeRWgbNEkqOx,s=!,i=4096", .malformed), ("r=rOprNGfwEbeRWgbNEkqOx,s=,i=4096", .malformed),
        ("r=rOprNGfwEbeRWgbNEkqOx,s=AAAA,i=0", .malformed), ("r=rOprNGfwEbeRWgbNEkqOx,s=AAAA,i=-1", .malformed),
        ("r=rOprNGfwEbeRWgbNEkqOx,s=AAAA,i=9999999999", .malformed),
        ("r=rOprNGfwEbeRWgbNEkqOx,s=AAAA,i=10001", .tooManyRounds(limit: 10_000)),
    ]

    @Test("refuses what is no answer to its first message", arguments: badFirst)
    func refusesFirst(message: String, problem: ScramExchange.Problem) {
        var exchange = Self.exchange()
        #expect(throws: problem) { try exchange.answer(to: Array(message.utf8)) }
    }

    private static let badFinal: [(String, ScramExchange.Problem)] = [
        ("", .malformed), ("v=", .wrongSignature), ("v=!", .malformed), ("e=invalid-proof", .refused),
        ("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G8=", .wrongSignature), ("v=AAAA", .wrongSignature),
    ]

    @Test("does not believe a server that does not know the password", arguments: badFinal)
    func refusesFinal(message: String, problem: ScramExchange.Problem) throws {
        var exchange = Self.exchange()
        _ = try exchange.answer(to: Array(Self.serverFirst.utf8))
        #expect(throws: problem) { try exchange.verify(Array(message.utf8)) }
        #expect(!exchange.isVerified)
    }

    @Test("takes each message once, in its order")
    func order() throws {
        var exchange = Self.exchange()
        #expect(throws: ScramExchange.Problem.unexpected) { try exchange.verify(Array(Self.serverFinal.utf8)) }
        _ = try exchange.answer(to: Array(Self.serverFirst.utf8))
        #expect(throws: ScramExchange.Problem.unexpected) { try exchange.answer(to: Array(Self.serverFirst.utf8)) }
    }

    /// What a sign-in says to a server that asks for what it may not, each for itself.
    @Test("a sign-in gives nothing away that the settings do not allow")
    func signIn() throws {
        func signIn(
            _ methods: [PostgresSignInMethod], binding: PostgresChannelBinding = .prefer, endPoint: [UInt8]? = nil,
            password: String? = "pencil"
        ) -> SignIn {
            SignIn(
                user: "app", password: password.map { PostgresPassword($0) }, methods: PostgresSignInMethods(methods),
                binding: binding, endPoint: endPoint, roundsMax: 10_000)
        }
        let (plain, bound) = (Array(ScramExchange.plain.utf8), Array(ScramExchange.bound.utf8))
        func outcome(_ start: SignIn, _ requests: AuthenticationRequest...) -> String {
            var signIn = start
            var last = ""
            for request in requests {
                do throws(SignIn.Problem) {
                    switch try signIn.take(request) {
                    case .saslBegin(let mechanism, let first):
                        last = "\(mechanism) \(String(decoding: first.prefix(5), as: UTF8.self))"
                    case .password(let text): last = String(decoding: text, as: UTF8.self)
                    case .accepted: last = "accepted"
                    default: last = "on"
                    }
                } catch {
                    return "\(error)"
                }
            }
            return last
        }
        #expect(outcome(signIn([.scram, .none]), .clearText).contains("password"))
        #expect(outcome(signIn([.scram, .none]), .md5(salt: [1, 2, 3, 4])).contains("md5"))
        #expect(outcome(signIn([.scram]), .accepted).contains("none"))
        #expect(outcome(signIn([.none]), .accepted) == "accepted")
        #expect(outcome(signIn([.none], binding: .require, endPoint: [1]), .accepted).contains("notBound"))
        #expect(outcome(signIn([.password]), .clearText) == "pencil")
        #expect(outcome(signIn([.password]), .clearText, .accepted) == "accepted")
        #expect(outcome(signIn([.password]), .clearText, .clearText).contains("unexpected"))
        #expect(outcome(signIn([.password], binding: .require, endPoint: [1]), .clearText).contains("notBound"))
        #expect(outcome(signIn([.md5]), .md5(salt: [1, 2, 3, 4])) == "md54bfca4ca571b8df74c2fc2247888d96f")
        #expect(outcome(signIn([.scram]), .sasl(mechanisms: [bound, plain])) == "SCRAM-SHA-256 n,,n=")
        #expect(
            outcome(signIn([.scram], endPoint: [1]), .sasl(mechanisms: [bound, plain])) == "SCRAM-SHA-256-PLUS p=tls")
        #expect(outcome(signIn([.scram], endPoint: [1]), .sasl(mechanisms: [plain])) == "SCRAM-SHA-256 y,,n=")
        #expect(
            outcome(signIn([.scram], binding: .disable, endPoint: [1]), .sasl(mechanisms: [bound, plain]))
                == "SCRAM-SHA-256 n,,n=")
        #expect(
            outcome(signIn([.scram], binding: .require, endPoint: [1]), .sasl(mechanisms: [plain])).contains("notBound")
        )
        #expect(outcome(signIn([.scram]), .sasl(mechanisms: [bound])).contains("noMechanism"))
        #expect(outcome(signIn([.scram]), .sasl(mechanisms: [plain]), .accepted).contains("serverUnproved"))
        #expect(outcome(signIn([.scram]), .sasl(mechanisms: [plain]), .clearText).contains("notAllowed"))
        #expect(outcome(signIn([.scram, .password]), .sasl(mechanisms: [plain]), .clearText).contains("unexpected"))
        #expect(outcome(signIn([.scram]), .saslFinal([])).contains("unexpected"))
        #expect(outcome(signIn([.scram], password: nil), .sasl(mechanisms: [plain])).contains("noPassword"))
        #expect(outcome(signIn([.scram]), .other(7)).contains("7"))
    }
}
