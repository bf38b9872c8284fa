/// Numbers counted round an odd modulus, without OpenSSL: the second opinion on its arithmetic. Slow, and in no constant time.
struct ReferenceModulus: Sendable {
    /// Both the lowest 32 bits first.
    private let limbs: [UInt32]
    private let negatedInverse: UInt32
    /// The square of 2 to the power of all bits.
    private let square: [UInt32]
    private let bytes: Int

    init(_ number: [UInt8]) {
        bytes = number.count
        limbs = Self.limbs(number, count: (number.count + 3) / 4)
        var inverse: UInt32 = 1
        for _ in 0..<5 { inverse = inverse &* (2 &- limbs[0] &* inverse) }
        negatedInverse = 0 &- inverse
        var square = Self.limbs([1], count: limbs.count)
        for _ in 0..<limbs.count * 64 { square = Self.doubled(square, limbs) }
        self.square = square
    }

    func power(_ base: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
        let base = form(base)
        var result = form([1])
        for byte in exponent {
            for bit in 0..<8 {
                result = product(result, result)
                if byte >> (7 - bit) & 1 == 1 { result = product(result, base) }
            }
        }
        return bytes(of: result)
    }

    func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        bytes(of: product(form(left), form(right)))
    }

    /// `left - right`, both below the modulus.
    func difference(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        let (left, right) = (Self.limbs(left, count: limbs.count), Self.limbs(right, count: limbs.count))
        var (difference, isNegative) = Self.difference(left, right)
        if isNegative {
            var carry: UInt64 = 0
            for index in limbs.indices {
                carry += UInt64(difference[index]) + UInt64(limbs[index])
                difference[index] = UInt32(truncatingIfNeeded: carry)
                carry >>= 32
            }
        }
        return Self.bytes(of: difference, count: bytes)
    }

    private func form(_ number: [UInt8]) -> [UInt32] { product(Self.limbs(number, count: limbs.count), square) }

    private func bytes(of form: [UInt32]) -> [UInt8] {
        Self.bytes(of: product(form, Self.limbs([1], count: limbs.count)), count: bytes)
    }

    /// Montgomery's product.
    private func product(_ left: [UInt32], _ right: [UInt32]) -> [UInt32] {
        let count = limbs.count
        var sum = [UInt32](repeating: 0, count: count + 2)
        sum.withUnsafeMutableBufferPointer { sum in
            right.withUnsafeBufferPointer { right in
                limbs.withUnsafeBufferPointer { limbs in
                    for limb in left {
                        Self.add(right, times: limb, to: sum)
                        Self.add(limbs, times: sum[0] &* negatedInverse, to: sum)
                        for index in 0...count { sum[index] = sum[index + 1] }
                        sum[count + 1] = 0
                    }
                }
            }
        }
        let (difference, isNegative) = Self.difference(Array(sum[..<count]), limbs)
        return isNegative && sum[count] == 0 ? Array(sum[..<count]) : difference
    }

    private static func add(
        _ number: UnsafeBufferPointer<UInt32>, times factor: UInt32, to sum: UnsafeMutableBufferPointer<UInt32>
    ) {
        var carry: UInt64 = 0
        let factor = UInt64(factor)
        var index = 0
        while index < number.count {
            carry &+= UInt64(sum[index]) &+ UInt64(number[index]) &* factor
            sum[index] = UInt32(truncatingIfNeeded: carry)
            carry >>= 32
            index &+= 1
        }
        carry += UInt64(sum[index])
        sum[index] = UInt32(truncatingIfNeeded: carry)
        sum[index + 1] += UInt32(carry >> 32)
    }

    private static func doubled(_ number: [UInt32], _ modulus: [UInt32]) -> [UInt32] {
        var doubled = number
        var carry: UInt32 = 0
        for index in number.indices {
            doubled[index] = number[index] << 1 | carry
            carry = number[index] >> 31
        }
        let (difference, isNegative) = difference(doubled, modulus)
        return isNegative && carry == 0 ? doubled : difference
    }

    private static func difference(_ left: [UInt32], _ right: [UInt32]) -> ([UInt32], isNegative: Bool) {
        var difference = left
        var borrow: Int64 = 0
        for index in left.indices {
            borrow += Int64(left[index]) - Int64(right[index])
            difference[index] = UInt32(truncatingIfNeeded: borrow)
            borrow >>= 32
        }
        return (difference, borrow < 0)
    }

    private static func limbs(_ bytes: [UInt8], count: Int) -> [UInt32] {
        var limbs = [UInt32](repeating: 0, count: count)
        for (index, byte) in bytes.reversed().enumerated() where index / 4 < count {
            limbs[index / 4] |= UInt32(byte) << (index % 4 * 8)
        }
        return limbs
    }

    private static func bytes(of limbs: [UInt32], count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: limbs[$0 / 4] >> ($0 % 4 * 8)) }
    }
}
