#include "CSystem.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <nmmintrin.h>
#endif

// What is left of each byte with so many zero bytes behind it, for the checksums that no library here knows.
typedef uint64_t remainders[8][256];

static remainders of_crc32c, of_crc64nvme;
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_table(remainders table, uint64_t polynomial) {
    for (int byte = 0; byte < 256; byte++) {
        uint64_t rest = (uint64_t)byte;
        for (int bit = 0; bit < 8; bit++) rest = (rest >> 1) ^ (polynomial & (0 - (rest & 1)));
        table[0][byte] = rest;
    }
    for (int zeros = 1; zeros < 8; zeros++)
        for (int byte = 0; byte < 256; byte++)
            table[zeros][byte] = table[0][table[zeros - 1][byte] & 255] ^ (table[zeros - 1][byte] >> 8);
}

static void make_tables(void) {
    make_table(of_crc32c, 0x82F63B78);
    make_table(of_crc64nvme, 0x9A6C9329AC4BC9B5);
}

static uint64_t little_endian(const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

// Eight bytes a step, each looked up for itself. The same for both lengths: what a shorter one has not got is zero.
static uint64_t by_table(const remainders table, uint64_t rest, const unsigned char *bytes, size_t count) {
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

__attribute__((target("sse4.2"))) static uint64_t by_instruction(uint64_t rest, const unsigned char *bytes, size_t count) {
    for (; count >= 8; bytes += 8, count -= 8) rest = _mm_crc32_u64(rest, little_endian(bytes));
    for (; count > 0; bytes++, count--) rest = _mm_crc32_u8((unsigned int)rest, *bytes);
    return rest;
}

static int has_instruction = 0;
static pthread_once_t instruction_once = PTHREAD_ONCE_INIT;

static void look_for_instruction(void) {
    unsigned int a = 0, b = 0, c = 0, d = 0;
    has_instruction = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

#endif

uint32_t homeport_crc32c_by_table(uint32_t checksum, const void *bytes, size_t count) {
    pthread_once(&tables_once, make_tables);
    return ~(uint32_t)by_table(of_crc32c, (uint32_t)~checksum, bytes, count);
}

uint32_t homeport_crc32c(uint32_t checksum, const void *bytes, size_t count) {
#if defined(__x86_64__)
    pthread_once(&instruction_once, look_for_instruction);
    if (has_instruction) return ~(uint32_t)by_instruction((uint32_t)~checksum, bytes, count);
#endif
    return homeport_crc32c_by_table(checksum, bytes, count);
}

uint64_t homeport_crc64nvme(uint64_t checksum, const void *bytes, size_t count) {
    pthread_once(&tables_once, make_tables);
    return ~by_table(of_crc64nvme, ~checksum, bytes, count);
}
