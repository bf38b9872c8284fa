import Crypto
import Project
import Script

/// `node:buffer` and `node:crypto`, as far as programs of projects make names and keys of them. All else of these modules ends the program.
///
/// Bytes are handed to and fro as texts whose characters are bytes.
extension NodePrograms {
    static let buffer = "node:buffer"

    /// The bytes of a text whose characters are bytes.
    private static func bytes(_ units: [UInt16], _ realm: Realm) throws(Thrown) -> [UInt8] {
        try realm.spend(units.count >> 3)
        return units.map { UInt8(truncatingIfNeeded: $0) }
    }

    private static func value(_ bytes: [UInt8], _ realm: Realm) -> ProgramValue {
        realm.value(bytes.map { UInt16($0) })
    }

    /// The functions that the two programs call here.
    static func byteExports(_ realm: Realm) -> [(name: String, value: ProgramValue)] {
        let rows: [(String, NativeFunction.Body)] = [
            (
                "digest",
                { call throws(Thrown) in
                    let message = try bytes(try call.text(1).units, call.realm)
                    let name = try call.text(0).string
                    let digest: [UInt8] =
                        switch name {
                        case "md5": SpreadingDigest.of(message)
                        case "sha1": FormerDigest.of(message)
                        case "sha384": Digest.sha384.of(message)
                        case "sha512": Digest.sha512.of(message)
                        default: Digest.sha256.of(message)
                        }
                    return value(digest, call.realm)
                }
            ),
            (
                "encode",
                { call throws(Thrown) in
                    let text = try call.text(0)
                    try call.realm.spend(text.units.count >> 3)
                    return value(Array(text.string.utf8), call.realm)
                }
            ),
            (
                "decode",
                { call throws(Thrown) in
                    let decoded = try bytes(try call.text(0).units, call.realm)
                    return call.realm.value(String(decoding: decoded, as: UTF8.self))
                }
            ),
            (
                "random",
                { call in
                    call.realm.value([UInt16(UInt8.random(in: .min ... .max))])
                }
            ),
        ]
        return rows.map { name, body in (name, .object(realm.function(name, length: 2, body))) }
    }

    static let bufferText = #"""
        import { refuse, encode, decode } from 'homeport:node';
        const sizeMax = 65536;
        const encodings = {
          utf8: 'utf8', 'utf-8': 'utf8', hex: 'hex', base64: 'base64', base64url: 'base64url', latin1: 'latin1', binary: 'latin1', ascii: 'ascii',
        };
        const others = ['ucs2', 'ucs-2', 'utf16le', 'utf-16le'];
        function encodingOf(name) {
          const lower = String(name ?? 'utf8').toLowerCase();
          if (Object.hasOwn(encodings, lower)) return encodings[lower];
          if (others.includes(lower)) refuse(`the encoding ${lower} is not known here`, 'Use utf8, hex, base64, base64url or latin1.');
          throw Object.assign(new TypeError(`Unknown encoding: ${name}`), { code: 'ERR_UNKNOWN_ENCODING' });
        }
        function unhex(text) {
          let bytes = '';
          for (let at = 0; at + 1 < text.length; at += 2) {
            const pair = text.slice(at, at + 2);
            if (!/^[0-9a-fA-F]{2}$/.test(pair)) break;
            bytes += String.fromCharCode(parseInt(pair, 16));
          }
          return bytes;
        }
        function unbase64(text) {
          let plain = text.replace(/-/g, '+').replace(/_/g, '/').replace(/=[^]*$/, '').replace(/[^A-Za-z0-9+/]/g, '');
          if (plain.length % 4 === 1) plain = plain.slice(0, -1);
          return atob(plain + '='.repeat((4 - plain.length % 4) % 4));
        }
        function bytesOf(text, encoding) {
          switch (encodingOf(encoding)) {
            case 'utf8': return encode(text);
            case 'hex': return unhex(text);
            case 'base64': case 'base64url': return unbase64(text);
            default: return Array.from({ length: text.length }, (_, at) => String.fromCharCode(text.charCodeAt(at) & 255)).join('');
          }
        }
        function textOf(bytes, encoding) {
          switch (encodingOf(encoding)) {
            case 'utf8': return decode(bytes);
            case 'hex': return Array.from({ length: bytes.length }, (_, at) => bytes.charCodeAt(at).toString(16).padStart(2, '0')).join('');
            case 'base64': return btoa(bytes);
            case 'base64url': return btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
            case 'ascii': return Array.from({ length: bytes.length }, (_, at) => String.fromCharCode(bytes.charCodeAt(at) & 127)).join('');
            default: return bytes;
          }
        }
        function wrong(name, value, expected) {
          return Object.assign(new TypeError(`The "${name}" argument must be ${expected}. Received ${typeof value}`), { code: 'ERR_INVALID_ARG_TYPE' });
        }
        const made = Symbol('made');
        export class Buffer {
          #bytes;
          constructor(mark, bytes) {
            if (mark !== made) refuse('new Buffer() is not known here', 'Use Buffer.from().');
            if (bytes.length > sizeMax) refuse(`a Buffer has at most ${sizeMax} bytes here`, 'Use a shorter text.');
            this.#bytes = bytes;
            for (let at = 0; at < bytes.length; at++) Object.defineProperty(this, at, { value: bytes.charCodeAt(at), enumerable: true });
            Object.freeze(this);
          }
          static from(value, encoding, length) {
            if (typeof value === 'string') return new Buffer(made, bytesOf(value, encoding));
            if (value instanceof Buffer) return new Buffer(made, value.#bytes);
            if (value?.type === 'Buffer' && Array.isArray(value.data)) return Buffer.from(value.data);
            if (typeof value !== 'object' || value === null || typeof value.length !== 'number')
              throw wrong('first', value, 'of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object');
            return new Buffer(made, Array.from(value, (byte) => String.fromCharCode(Number(byte) & 255)).join(''));
          }
          static alloc(size, fill = 0) {
            if (typeof size !== 'number') throw wrong('size', size, 'of type number');
            if (typeof fill !== 'number') refuse('Buffer.alloc() with a text is not known here', 'Use Buffer.from().');
            if (size > sizeMax) refuse(`a Buffer has at most ${sizeMax} bytes here`, 'Use a shorter one.');
            return new Buffer(made, String.fromCharCode(fill & 255).repeat(size));
          }
          static concat(list) { return new Buffer(made, list.map((part) => part.#bytes).join('')); }
          static byteLength(value, encoding) { return typeof value === 'string' ? bytesOf(value, encoding).length : value.length; }
          static isBuffer(value) { return value instanceof Buffer; }
          static isEncoding(name) { return Object.hasOwn(encodings, String(name).toLowerCase()) || others.includes(String(name).toLowerCase()); }
          static compare(one, other) { return one.compare(other); }
          get length() { return this.#bytes.length; }
          get byteLength() { return this.#bytes.length; }
          toString(encoding, start = 0, end = this.#bytes.length) { return textOf(this.#bytes.slice(Math.max(0, start), Math.max(0, end)), encoding); }
          toJSON() { return { type: 'Buffer', data: [...this] }; }
          equals(other) { return this.#bytes === other.#bytes; }
          compare(other) { return this.#bytes < other.#bytes ? -1 : this.#bytes > other.#bytes ? 1 : 0; }
          slice(start, end) { return new Buffer(made, this.#bytes.slice(start, end)); }
          subarray(start, end) { return this.slice(start, end); }
          at(place) { return this[place < 0 ? this.length + place : place]; }
          *[Symbol.iterator]() { for (let at = 0; at < this.#bytes.length; at++) yield this.#bytes.charCodeAt(at); }
          *values() { yield* this; }
          *keys() { for (let at = 0; at < this.#bytes.length; at++) yield at; }
          *entries() { for (let at = 0; at < this.#bytes.length; at++) yield [at, this.#bytes.charCodeAt(at)]; }
          get [Symbol.toStringTag]() { return 'Uint8Array'; }
        }
        function refused(object, names, owner) {
          for (const name of names.split(' '))
            Object.defineProperty(object, name, { get() { refuse(`${owner}.${name} is not defined here, and Node.js has it`, 'Write the value itself.'); } });
        }
        refused(Buffer, 'allocUnsafe allocUnsafeSlow copyBytesFrom of poolSize', 'Buffer');
        refused(Buffer.prototype, 'fill write copy swap16 swap32 swap64 buffer byteOffset parent indexOf lastIndexOf includes map filter forEach reduce '
          + 'every some find findIndex findLast join reverse set sort with toSorted toReversed readUInt8 readUInt16BE readUInt16LE readUInt32BE readUInt32LE '
          + 'readUint8 readInt8 readInt16BE readInt16LE readInt32BE readInt32LE readBigInt64BE readBigUInt64BE readDoubleBE readFloatBE readUIntBE readIntBE '
          + 'writeUInt8 writeUInt16BE writeUInt32BE writeInt8 writeInt32BE writeDoubleBE writeUIntBE', 'Buffer.prototype');
        export default { Buffer };
        """#

    static let cryptoText = #"""
        import { Buffer } from 'node:buffer';
        import { digest, random, refuse } from 'homeport:node';
        const blocks = { md5: 64, sha1: 64, sha256: 64, sha384: 128, sha512: 128 };
        function known(algorithm) {
          const name = String(algorithm).toLowerCase().replace('-', '');
          if (!Object.hasOwn(blocks, name)) refuse(`the digest ${algorithm} is not made here`, 'Use sha256, sha384, sha512, sha1 or md5.');
          return name;
        }
        function bytes(value, encoding) {
          if (typeof value === 'string') return Buffer.from(value, encoding).toString('latin1');
          if (Buffer.isBuffer(value)) return value.toString('latin1');
          throw Object.assign(
            new TypeError(`The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${typeof value}`),
            { code: 'ERR_INVALID_ARG_TYPE' });
        }
        function shown(made, encoding) {
          const buffer = Buffer.from(made, 'latin1');
          return encoding === undefined || encoding === 'buffer' ? buffer : buffer.toString(encoding);
        }
        class Hash {
          #name; #end; #data = ''; #isDone = false;
          constructor(name, end) { this.#name = name; this.#end = end; }
          update(data, encoding) {
            if (this.#isDone) throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
            this.#data += bytes(data, encoding);
            return this;
          }
          digest(encoding) {
            if (this.#isDone) throw Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
            this.#isDone = true;
            return shown(this.#end(this.#data), encoding);
          }
          copy() { return new Hash(this.#name, this.#end).update(this.#data, 'latin1'); }
        }
        export const createHash = (algorithm) => { const name = known(algorithm); return new Hash(name, (data) => digest(name, data)); };
        export const createHmac = (algorithm, key) => {
          const name = known(algorithm);
          let block = bytes(key, 'utf8');
          if (block.length > blocks[name]) block = digest(name, block);
          block = block.padEnd(blocks[name], '\0');
          const padded = (byte) => Array.from(block, (unit) => String.fromCharCode(unit.charCodeAt(0) ^ byte)).join('');
          return new Hash(name, (data) => digest(name, padded(0x5c) + digest(name, padded(0x36) + data)));
        };
        export const hash = (algorithm, data, encoding = 'hex') => createHash(algorithm).update(data).digest(encoding);
        export const randomUUID = () => crypto.randomUUID();
        export const randomBytes = (count) => {
          if (typeof count !== 'number' || !(count >= 0)) throw Object.assign(new TypeError('The "size" argument must be of type number.'), { code: 'ERR_INVALID_ARG_TYPE' });
          if (count > 65536) refuse('more than 65536 random bytes are not made here', 'Ask for fewer.');
          return Buffer.from(Array.from({ length: count }, random).join(''), 'latin1');
        };
        export const randomInt = (least, end) => {
          if (end === undefined) [least, end] = [0, least];
          return least + Math.floor(Math.random() * (end - least));
        };
        export const timingSafeEqual = (one, other) => {
          if (one.length !== other.length) throw Object.assign(new RangeError('Input buffers must have the same byte length'), { code: 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH' });
          return one.equals(other);
        };
        const missing = (name) => () => refuse(`${name}() of "node:crypto" is not known here, and Node.js has it`, 'Write the value itself.');
        export const createCipheriv = missing('createCipheriv'), createDecipheriv = missing('createDecipheriv'), createSign = missing('createSign'),
          createVerify = missing('createVerify'), generateKeyPairSync = missing('generateKeyPairSync'), pbkdf2Sync = missing('pbkdf2Sync'),
          scryptSync = missing('scryptSync'), createPublicKey = missing('createPublicKey'), createPrivateKey = missing('createPrivateKey'),
          getHashes = missing('getHashes'), sign = missing('sign'), verify = missing('verify'), hkdfSync = missing('hkdfSync'),
          randomFillSync = missing('randomFillSync');
        export default {
          createHash, createHmac, hash, randomUUID, randomBytes, randomInt, timingSafeEqual, createCipheriv, createDecipheriv, createSign, createVerify,
          generateKeyPairSync, pbkdf2Sync, scryptSync, createPublicKey, createPrivateKey, getHashes, sign, verify, hkdfSync, randomFillSync,
          get webcrypto() { return refuse('webcrypto of "node:crypto" is not known here, and Node.js has it', 'Use createHash.'); },
        };
        """#
}
