#include "CSystem.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <emmintrin.h>
#include <wmmintrin.h>
#endif

// A polynomial over two elements by which a checksum divides. All words here have their bits turned round: the lowest bit is
// the coefficient of the highest power.
struct divisor {
    // What is left of each byte with so many zero bytes behind it.
    uint64_t table[8][256];
    // What is left of the powers of x by which a block is moved over the next four blocks, and over the next one: for the
    // half of it that comes first, and for the other.
    uint64_t over_four[2], over_one[2];
};

static struct divisor divisors[3];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int can_multiply = 0;

static uint64_t times_x(uint64_t word, uint64_t polynomial) { return (word >> 1) ^ (polynomial & (0 - (word & 1))); }

// A word of as many bits as the checksum has, in the upper bits of one of 64.
static uint64_t power_of_x(int exponent, uint64_t polynomial, int bits) {
    uint64_t power = (uint64_t)1 << (bits - 1);
    while (exponent-- > 0) power = times_x(power, polynomial);
    return power << (64 - bits);
}

static void prepare(struct divisor *divisor, uint64_t polynomial, int bits) {
    for (int byte = 0; byte < 256; byte++) {
        uint64_t rest = (uint64_t)byte;
        for (int bit = 0; bit < 8; bit++) rest = times_x(rest, polynomial);
        divisor->table[0][byte] = rest;
    }
    for (int zeros = 1; zeros < 8; zeros++)
        for (int byte = 0; byte < 256; byte++) {
            uint64_t rest = divisor->table[zeros - 1][byte];
            divisor->table[zeros][byte] = divisor->table[0][rest & 255] ^ (rest >> 8);
        }
    // A product of turned words stands one bit too high, which is one power of x.
    divisor->over_four[0] = power_of_x(512 + 64 - 1, polynomial, bits);
    divisor->over_four[1] = power_of_x(512 - 1, polynomial, bits);
    divisor->over_one[0] = power_of_x(128 + 64 - 1, polynomial, bits);
    divisor->over_one[1] = power_of_x(128 - 1, polynomial, bits);
}

static void prepare_all(void) {
    prepare(&divisors[homeport_crc32], 0xEDB88320, 32);
    prepare(&divisors[homeport_crc32c], 0x82F63B78, 32);
    prepare(&divisors[homeport_crc64nvme], 0x9A6C9329AC4BC9B5, 64);
#if defined(__x86_64__)
    unsigned int a = 0, b = 0, c = 0, d = 0;
    can_multiply = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_PCLMUL);
#endif
}

static uint64_t little_endian(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

// Eight bytes a step, each looked up for itself. What a shorter checksum has not got is zero.
static uint64_t by_table(const struct divisor *divisor, uint64_t rest, const unsigned char *bytes, size_t count) {
    const uint64_t(*table)[256] = divisor->table;
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t word = rest ^ little_endian(bytes);
        rest = table[7][word & 255] ^ table[6][word >> 8 & 255] ^ table[5][word >> 16 & 255] ^
               table[4][word >> 24 & 255] ^ table[3][word >> 32 & 255] ^ table[2][word >> 40 & 255] ^
               table[1][word >> 48 & 255] ^ table[0][word >> 56];
    }
    for (; count > 0; bytes++, count--) rest = table[0][(rest ^ *bytes) & 255] ^ (rest >> 8);
    return rest;
}

#if defined(__x86_64__)

__attribute__((target("pclmul"))) static __m128i moved(__m128i block, __m128i powers) {
    return _mm_xor_si128(_mm_clmulepi64_si128(block, powers, 0x00), _mm_clmulepi64_si128(block, powers, 0x11));
}

// Four blocks of 16 bytes at once, each moved to where the block four further on stands, and added to it. What is left at
// the end is one block, and the bytes behind it.
__attribute__((target("pclmul"))) static uint64_t by_multiplying(const struct divisor *divisor, uint64_t rest,
                                                                 const unsigned char *bytes, size_t count) {
    __m128i over_four = _mm_loadu_si128((const __m128i *)divisor->over_four);
    __m128i over_one = _mm_loadu_si128((const __m128i *)divisor->over_one);
    __m128i blocks[4];
    for (int at = 0; at < 4; at++) blocks[at] = _mm_loadu_si128((const __m128i *)bytes + at);
    blocks[0] = _mm_xor_si128(blocks[0], _mm_cvtsi64_si128((long long)rest));
    for (bytes += 64, count -= 64; count >= 64; bytes += 64, count -= 64)
        for (int at = 0; at < 4; at++)
            blocks[at] = _mm_xor_si128(moved(blocks[at], over_four), _mm_loadu_si128((const __m128i *)bytes + at));
    for (int at = 1; at < 4; at++) blocks[at] = _mm_xor_si128(moved(blocks[at - 1], over_one), blocks[at]);
    unsigned char last[16];
    _mm_storeu_si128((__m128i *)last, blocks[3]);
    return by_table(divisor, by_table(divisor, 0, last, sizeof last), bytes, count);
}

#endif

static uint64_t ones(enum homeport_crc_kind kind) { return kind == homeport_crc64nvme ? ~(uint64_t)0 : 0xFFFFFFFF; }

uint64_t homeport_crc_by_table(enum homeport_crc_kind kind, uint64_t checksum, const void *bytes, size_t count) {
    pthread_once(&once, prepare_all);
    return by_table(&divisors[kind], checksum ^ ones(kind), bytes, count) ^ ones(kind);
}

uint64_t homeport_crc(enum homeport_crc_kind kind, uint64_t checksum, const void *bytes, size_t count) {
#if defined(__x86_64__)
    pthread_once(&once, prepare_all);
    if (can_multiply && count >= 64)
        return by_multiplying(&divisors[kind], checksum ^ ones(kind), bytes, count) ^ ones(kind);
#endif
    return homeport_crc_by_table(kind, checksum, bytes, count);
}
