import Testing

@testable import Crypto

@Suite("Big numbers")
struct ModulusTests {
    @Test("bytes come back as the fewest, or as many as are asked for")
    func bytes() {
        for (bytes, fewest): ([UInt8], [UInt8]) in [([], []), ([0], []), ([0, 1, 0], [1, 0]), ([255, 0], [255, 0])] {
            let number = BigNumber(bytes)
            #expect(number.bytes == fewest)
            #expect(number.isZero == fewest.isEmpty)
            #expect(number.bytes(count: 4) == [UInt8](repeating: 0, count: 4 - fewest.count) + fewest)
            if fewest.count > 1 { #expect(number.bytes(count: 1) == nil) }
        }
    }

    @Test("remainders, sums, products and powers are right for every pair below small moduli")
    func small() throws {
        for modulus in [3, 9, 35, 255] {
            let ring = try #require(Modulus([UInt8(modulus)]))
            for left in stride(from: 0, to: modulus, by: 1 + modulus / 16) {
                #expect(ring.remainder(of: BigNumber([1, UInt8(left)])).value == (256 + left) % modulus)
                for right in stride(from: 0, to: modulus, by: 1 + modulus / 20) {
                    let one = BigNumber([UInt8(left)])
                    let other = BigNumber([UInt8(right)])
                    #expect(ring.sum(one, other).value == (left + right) % modulus)
                    #expect(ring.product(one, other).value == left * right % modulus)
                    let power = (0..<right).reduce(1) { power, _ in power * left % modulus }
                    #expect(ring.power(of: one, known: other).value == power)
                    #expect(ring.power(of: one, secret: other).value == power)
                }
            }
        }
    }

    @Test("there is no modulus that is even, 0 or 1")
    func noModulus() {
        for bytes: [UInt8] in [[], [0], [1], [2], [0, 1], [1, 0]] { #expect(Modulus(bytes) == nil) }
        #expect(Modulus([3])?.byteCount == 1)
    }

    @Test("the prime of RFC 3526 has 384 bytes, and powers by what is one below it are 1")
    func prime() {
        let prime = Modulus.modp3072
        #expect(prime.byteCount == 384)
        #expect(prime.bytes.prefix(12) == [255, 255, 255, 255, 255, 255, 255, 255, 0xC9, 0x0F, 0xDA, 0xA2])
        var exponent = prime.bytes
        exponent[383] -= 1
        let isBelow = [exponent, prime.bytes].map { prime.exceeds(BigNumber($0)) }
        #expect(isBelow == [true, false])
        for base: [UInt8] in [[2], [3], exponent] {
            #expect(prime.power(of: BigNumber(base), known: BigNumber(exponent)).bytes == [1])
            #expect(prime.power(of: BigNumber(base), secret: BigNumber(exponent)).bytes == [1])
        }
    }

    @Test("powers of a fixed base are the powers", arguments: [2, 3, 0xFFFF])
    func fixedBase(base: UInt16) throws {
        let bytes = withUnsafeBytes(of: base.bigEndian) { Array($0) }
        let smaller = try #require(
            Modulus(
                Hexadecimal.bytes(
                    of: """
                        eeaf0ab9adb38dd69c33f80afa8fc5e86072618775ff3c0b9ea2314c9c256576d674df7496ea81d3383b4813d692c6\
                        e0e0d5d8e250b98be48e495c1d6089dad15dc7d7b46154d6b6ce8ef4ad69b15d4982559b297bcf1885c529f566660e\
                        57ec68edbc3c05726cc02fd4cbf4976eaa9afd5138fe8376435b9fc61d2fc0eb06e3
                        """.utf8) ?? []))
        var exponents: [[UInt8]] = [[], [0], [1], [2], [UInt8](repeating: 255, count: 32)]
        for bit in 0..<256 { exponents.append([UInt8(1 << (bit % 8))] + [UInt8](repeating: 0, count: bit / 8)) }
        for count in 1...32 { exponents.append(RandomBytes.make(count: count)) }
        for modulus in [Modulus.modp3072, smaller] {
            let fixed = try #require(FixedBase(bytes, modulus: modulus))
            for exponent in exponents {
                let expected = modulus.power(of: BigNumber(bytes), known: BigNumber(exponent)).bytes
                #expect(fixed.power(secret: exponent).bytes == expected, "\(exponent)")
            }
        }
    }

    @Test("there is no fixed base without an inverse, or without powers that fill words")
    func noFixedBase() throws {
        #expect(FixedBase([0], modulus: .modp3072) == nil)
        #expect(FixedBase([1], modulus: .modp3072) == nil)
        let square = try #require(Modulus([1, 0, 0, 0, 0, 0, 0, 225]))
        #expect(FixedBase([], modulus: square) == nil)
        #expect(try FixedBase([2], modulus: #require(Modulus([35]))) == nil)
    }

    @Test("digits are read to the letter")
    func hexadecimal() {
        for (text, bytes): (String, [UInt8]?) in [
            ("", []), ("0", [0]), ("aF9", [0x0A, 0xF9]), ("00ff", [0, 255]), ("g", nil), (" 1", nil), ("+1", nil),
            ("1\u{0}", nil), ("/:", nil), ("@G", nil), ("`g", nil), ("٠", nil),
        ] {
            #expect(Hexadecimal.bytes(of: text.utf8) == bytes, "\(text)")
        }
    }
}

extension BigNumber {
    fileprivate var value: Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
