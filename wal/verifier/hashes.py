"""CRC32C, and XXH3 of 64 bits, which the index by identifier in a checkpoint hashes with. Both are
written from their descriptions: RFC 3720, appendix B.4, and the specification in the repository of
xxHash (github.com/Cyan4973/xxHash).
"""

import struct


def crc32c_table():
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


CRC32C_TABLE = crc32c_table()


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ CRC32C_TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


MASK = 2**64 - 1
PRIME32_1, PRIME32_2, PRIME32_3 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
PRIME64_1, PRIME64_2, PRIME64_3 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9
PRIME64_4, PRIME64_5 = 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
PRIME_MX1, PRIME_MX2 = 0x165667919E3779F9, 0x9FB21C651E98DF25
STRIPE = 64
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
    "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")


def u32(data, at):
    return struct.unpack_from("<I", data, at)[0]


def u64(data, at):
    return struct.unpack_from("<Q", data, at)[0]


def swapped(value, size):
    return int.from_bytes(value.to_bytes(size, "little"), "big")


def rotated(value, bits):
    return (value << bits | value >> 64 - bits) & MASK


def folded(a, b):
    product = a * b
    return (product ^ product >> 64) & MASK


def avalanche(value):
    value = (value ^ value >> 37) * PRIME_MX1 & MASK
    return value ^ value >> 32


def avalanche_64(value):
    value = (value ^ value >> 33) * PRIME64_2 & MASK
    value = (value ^ value >> 29) * PRIME64_3 & MASK
    return value ^ value >> 32


def of_3(data, seed):
    """1 to 3 bytes."""
    length = len(data)
    combined = data[0] << 16 | data[length >> 1] << 24 | data[-1] | length << 8
    return avalanche_64(combined ^ (u32(SECRET, 0) ^ u32(SECRET, 4)) + seed & MASK)


def of_8(data, seed):
    """4 to 8 bytes."""
    seed ^= swapped(seed & 0xFFFFFFFF, 4) << 32
    joined = u32(data, len(data) - 4) + (u32(data, 0) << 32)
    value = joined ^ (u64(SECRET, 8) ^ u64(SECRET, 16)) - seed & MASK
    value ^= rotated(value, 49) ^ rotated(value, 24)
    value = value * PRIME_MX2 & MASK
    value ^= (value >> 35) + len(data)
    value = value * PRIME_MX2 & MASK
    return value ^ value >> 28


def of_16(data, seed):
    """9 to 16 bytes."""
    low = (u64(SECRET, 24) ^ u64(SECRET, 32)) + seed & MASK ^ u64(data, 0)
    high = (u64(SECRET, 40) ^ u64(SECRET, 48)) - seed & MASK ^ u64(data, len(data) - 8)
    return avalanche(len(data) + swapped(low, 8) + high + folded(low, high) & MASK)


def mixed(data, at, secret, seed):
    return folded(u64(data, at) ^ u64(SECRET, secret) + seed & MASK,
                  u64(data, at + 8) ^ u64(SECRET, secret + 8) - seed & MASK)


def of_128(data, seed):
    """17 to 128 bytes."""
    length = len(data)
    total = length * PRIME64_1
    for i in range((length - 1) // 32 + 1):
        total += mixed(data, 16 * i, 32 * i, seed)
        total += mixed(data, length - 16 * (i + 1), 32 * i + 16, seed)
    return avalanche(total & MASK)


def of_240(data, seed):
    """129 to 240 bytes."""
    length = len(data)
    total = length * PRIME64_1
    for i in range(8):
        total += mixed(data, 16 * i, 16 * i, seed)
    total = avalanche(total & MASK)
    for i in range(8, length // 16):
        total += mixed(data, 16 * i, 16 * (i - 8) + 3, seed)
    total += mixed(data, length - 16, 136 - 17, seed)
    return avalanche(total & MASK)


def seeded_secret(seed):
    secret = bytearray()
    for at in range(0, len(SECRET), 16):
        secret += struct.pack("<QQ", u64(SECRET, at) + seed & MASK,
                              u64(SECRET, at + 8) - seed & MASK)
    return bytes(secret)


def accumulate(lanes, data, at, secret, key_at):
    for i in range(8):
        value = u64(data, at + 8 * i)
        keyed = value ^ u64(secret, key_at + 8 * i)
        lanes[i ^ 1] = lanes[i ^ 1] + value & MASK
        lanes[i] = lanes[i] + (keyed & 0xFFFFFFFF) * (keyed >> 32) & MASK


def of_more(data, seed):
    secret = seeded_secret(seed)
    lanes = [PRIME32_3, PRIME64_1, PRIME64_2, PRIME64_3, PRIME64_4, PRIME32_2, PRIME64_5, PRIME32_1]
    length = len(data)
    of_block = (len(secret) - STRIPE) // 8
    for stripe in range((length - 1) // STRIPE):
        place = stripe % of_block
        accumulate(lanes, data, stripe * STRIPE, secret, 8 * place)
        if place == of_block - 1:
            for i in range(8):
                value = lanes[i] ^ lanes[i] >> 47 ^ u64(secret, len(secret) - STRIPE + 8 * i)
                lanes[i] = value * PRIME32_1 & MASK
    accumulate(lanes, data, length - STRIPE, secret, len(secret) - STRIPE - 7)
    total = length * PRIME64_1
    for i in range(4):
        total += folded(lanes[2 * i] ^ u64(secret, 11 + 16 * i),
                        lanes[2 * i + 1] ^ u64(secret, 11 + 16 * i + 8))
    return avalanche(total & MASK)


def xxh3_64(data, seed):
    length = len(data)
    if length == 0:
        return avalanche_64(seed ^ u64(SECRET, 56) ^ u64(SECRET, 64))
    for most, part in ((3, of_3), (8, of_8), (16, of_16), (128, of_128), (240, of_240)):
        if length <= most:
            return part(data, seed)
    return of_more(data, seed)
