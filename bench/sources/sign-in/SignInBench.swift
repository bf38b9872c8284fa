import COpenSSL
import Crypto
import Glibc
import JSON
import UserPool

/// Times the proofs of sign-in, in microseconds of processor time, and prints a line for each.
///
/// `bare-powers` are the three powers that the two rounds of SRP need, g^b, v^u and (A·v^u)^b, by `BN_mod_exp` and with nothing
/// around them; `rounds` are the two rounds. The last line says how many sign-ins a second that makes, and the ratio.
@main
struct SignInBench {
    static func main() {
        guard let powers = BarePowers() else { return }
        let identity = SRPIdentity(poolName: "abcDEF123", userID: "alice")
        let verifier = SRPVerifier(password: "Str0ng!Passw0rd", of: identity)
        guard let clientNumber = SRPClientNumber(powers.clientNumber) else { return }
        let (block, claim) = ([UInt8](repeating: 1, count: 1024), [UInt8](repeating: 2, count: 32))
        let rounds = {
            let (exchange, _) = SRPExchange.begin(with: clientNumber, verifier: verifier)
            _ = exchange.accepts(
                claim: claim, of: identity, verifier: verifier, secretBlock: block,
                timestamp: "Sat Nov 7 08:05:09 UTC 2026")
        }
        // They take turns, and the best of each counts.
        var (best, bestBare) = (Double.infinity, Double.infinity)
        for _ in 0..<10 {
            bestBare = min(bestBare, time(powers.run))
            best = min(best, time(rounds))
        }
        report("bare-powers", bestBare)
        report("rounds", best)
        report("first-round") { _ = SRPExchange.begin(with: clientNumber, verifier: verifier) }
        report("stand-in") { _ = SRPVerifier.standIn(for: "nobody", secret: claim) }
        report("password") { _ = verifier.accepts(password: "Str0ng!Passw0rd", of: identity) }
        report("one-time-code") { _ = OneTimeCode(secret: block).step(of: "123456", at: .now, after: nil) }
        let seal = Seal(key: RandomBytes.make(count: Seal.keyBytes))
        report("seal-and-open") { _ = seal.open(seal.seal(block, for: claim), for: claim) }
        report("scrypt") { _ = Scrypt.standard.key(of: claim, salt: claim, count: 32) }
        print(
            "\(Int(1_000_000 / best)) sign-ins a second of one processor, \(rounded(bestBare / best)) of the bare powers"
        )
    }

    private static func report(_ name: String, _ body: () -> Void) {
        report(name, (0..<5).map { _ in time(body) }.min() ?? 0)
    }

    private static func report(_ name: String, _ microseconds: Double) { print(name, rounded(microseconds)) }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    /// Of one round, of as many as take a fifth of a second.
    private static func time(_ body: () -> Void) -> Double {
        let start = processorMicroseconds
        var rounds = 0.0
        repeat {
            body()
            rounds += 1
        } while processorMicroseconds - start < 200_000
        return (processorMicroseconds - start) / rounds
    }

    private static var processorMicroseconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1_000
    }
}

/// The powers of a sign-in by OpenSSL alone, of random numbers of the same sizes.
private final class BarePowers {
    private let context = BN_CTX_new()
    private let modulus = BN_get_rfc3526_prime_3072(nil)
    private let generator = BN_new()
    private let verifier = BN_new()
    private let product = BN_new()
    private let secret = BN_new()
    private let scrambler = BN_new()
    private let result = BN_new()

    init?() {
        guard BN_set_word(generator, 2) == 1, BN_rand_range(verifier, modulus) == 1,
            BN_rand_range(product, modulus) == 1, BN_rand(secret, 256, -1, 0) == 1, BN_rand(scrambler, 256, -1, 0) == 1
        else { return nil }
    }

    func run() {
        BN_mod_exp(result, generator, secret, modulus, context)
        BN_mod_exp(result, verifier, scrambler, modulus, context)
        BN_mod_exp(result, product, secret, modulus, context)
    }

    /// Digits of a number below the modulus.
    var clientNumber: String {
        guard let digits = BN_bn2hex(product) else { return "" }
        defer { CRYPTO_free(digits, nil, 0) }
        return String(cString: digits)
    }
}
