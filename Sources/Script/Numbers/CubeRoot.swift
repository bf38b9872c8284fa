/// `Math.cbrt` by the algorithm of FreeBSD's C library, which V8 uses: the error is below two thirds of the last place, and
/// cubes of integers have exact roots.
enum CubeRoot {
    static func of(_ value: Double) -> Double {
        guard value.isFinite, value != 0 else { return value }
        let sign = value.bitPattern & 1 << 63
        // A third of the exponent is a first guess, corrected by a constant for what the halves of the bits add.
        var high = UInt32(truncatingIfNeeded: value.magnitude.bitPattern >> 32)
        if high < 0x0010_0000 {
            high = UInt32(truncatingIfNeeded: (value.magnitude * 0x1p54).bitPattern >> 32)
            high = high / 3 &+ 696_219_795
        } else {
            high = high / 3 &+ 715_094_163
        }
        var root = Double(bitPattern: sign | UInt64(high) << 32)
        // To 23 bits by a polynomial of the relation between the guess and the value.
        let ratio = (root * root) * (root / value)
        let low = 1.87595182427177009643 + ratio * (-1.88497979543377169875 + ratio * 1.621429720105354466140)
        let top = ((ratio * ratio) * ratio) * (-0.758397934778766047437 + ratio * 0.145996192886612446982)
        root *= low + top
        root = Double(bitPattern: (root.bitPattern &+ 0x8000_0000) & 0xFFFF_FFFF_C000_0000)
        // One step of Newton's to all bits.
        let quotient = value / (root * root)
        return root + root * ((quotient - root) / (root + root + quotient))
    }
}
