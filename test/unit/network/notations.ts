/** Generates addresses, and the different notations of the same address in a URL. */
import fc from 'fast-check';

export type Bytes = readonly [number, number, number, number];

const byte = fc.nat(255);
const among = (...[a, b, c, d]: readonly fc.Arbitrary<number>[]): fc.Arbitrary<Bytes> =>
  fc.tuple(a ?? byte, b ?? byte, c ?? byte, d ?? byte);
const between = (min: number, max: number) => fc.integer({ min, max });
const fixed = (...bytes: readonly number[]) => among(...bytes.map((byte) => fc.constant(byte)));

/** Internal addresses that may have a listener: private, loopback, link-local, multicast, and the metadata addresses of clouds. */
export const internalAddresses: fc.Arbitrary<Bytes> = fc.oneof(
  fixed(127),
  fixed(127, 0, 0, 1),
  fixed(10),
  among(fc.constant(100), between(64, 127)),
  fixed(169, 254),
  fixed(169, 254, 169, 254),
  among(fc.constant(172), between(16, 31)),
  fixed(192, 168),
  among(between(224, 239)),
  fixed(100, 100, 100, 200),
  fixed(168, 63, 129, 16),
);

/** Reserved addresses: this host, tests, documentation, future use, broadcast. */
export const reservedAddresses: fc.Arbitrary<Bytes> = fc.oneof(
  fixed(0),
  fixed(0, 0, 0, 0),
  fixed(192, 0, 2),
  fixed(198, 51, 100),
  fixed(203, 0, 113),
  among(fc.constant(198), between(18, 19)),
  among(between(240, 255)),
  fixed(255, 255, 255, 255),
);

/** First bytes of addresses that contain a block of IANA's special-purpose registry. */
const special = new Set([0, 10, 100, 127, 168, 169, 172, 192, 198, 203]);
/** Public addresses. */
export const publicAddresses: fc.Arbitrary<Bytes> = among(
  between(1, 223).filter((first) => !special.has(first)),
);

export const dotted = (bytes: Bytes): string => bytes.join('.');

/** Generates notations of an IPv4 address as the host of a URL (WHATWG URL, IPv4 parser). */
export function spellings(bytes: Bytes): fc.Arbitrary<string> {
  const parts = between(1, 4).map((count) => [
    ...bytes.slice(0, count - 1),
    bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0),
  ]);
  return parts
    .chain((numbers) => fc.tuple(...numbers.map(numeral)))
    .chain((numerals) => fc.tuple(fc.constant(numerals), fc.constantFrom('.', '。', '．', '｡', '%2e'), end))
    .chain(([numerals, dot, last]) => disguised(numerals.join(dot) + last));
}

const end = fc.constantFrom('', '', '.', '%2E');

function numeral(value: number): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom(8, 10, 16), fc.nat(3), fc.boolean()).map(([base, zeros, upper]) => {
    const digits = value.toString(base);
    const start = base === 10 ? '' : `0${base === 16 ? 'x' : ''}${'0'.repeat(zeros)}`;
    return upper ? `${start}${digits}`.toUpperCase() : `${start}${digits}`;
  });
}

/**
 * Replaces some characters with percent codes, which the URL parser decodes, or with full-width forms, which IDNA maps to ASCII
 * (UTS #46).
 */
function disguised(host: string): fc.Arbitrary<string> {
  const characters = host.match(/%..|[^%]/gu) ?? [];
  const each = characters.map((character) =>
    /^[\da-z]$/i.test(character)
      ? fc.constantFrom(character, character, coded(character), fullWidth(character))
      : fc.constant(character),
  );
  return fc.tuple(...each).map((written) => written.join(''));
}

function coded(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}

function fullWidth(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0);
}

/** Generates IPv6 addresses that embed the IPv4 address, in any notation, in brackets. */
export function embeddedInIpv6(
  bytes: Bytes,
  noise: fc.Arbitrary<number> = fc.nat(0xffff),
): fc.Arbitrary<string> {
  const high = bytes[0] * 256 + bytes[1];
  const low = bytes[2] * 256 + bytes[3];
  const groups = fc
    .tuple(noise, noise, fc.integer({ min: 0, max: 6 }))
    .map(([firstNoise, secondNoise, kind]) => {
      const kinds = [
        [0, 0, 0, 0, 0, 0xffff, high, low],
        [0, 0, 0, 0, 0, 0, high, low],
        [0, 0, 0, 0, 0xffff, 0, high, low],
        [0x64, 0xff9b, 0, 0, 0, 0, high, low],
        [0x2002, high, low, firstNoise, secondNoise, firstNoise, secondNoise, firstNoise],
        [0x2001, 0, high, low, 0, firstNoise, 0xf7f7, 0xf7f7],
        [0x2001, 0, 0x808, 0x808, 0, firstNoise, high ^ 0xffff, low ^ 0xffff],
      ];
      return kinds[kind] ?? [];
    });
  return groups.chain(spelled);
}

/** Generates notations: groups in either case, with or without leading zeros, a trailing IPv4 part, and zero compression. */
function spelled(groups: readonly number[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean())
    .map(([upper, padded, v4, short]) => {
      const written = groups.map((group) => group.toString(16).padStart(padded ? 4 : 1, '0'));
      const [high = 0, low = 0] = groups.slice(6);
      const tail = v4 ? [[high >> 8, high & 255, low >> 8, low & 255].join('.')] : written.slice(6);
      const whole = [...written.slice(0, 6), ...tail].join(':');
      // All of these addresses start with a run of zeros.
      const text = short ? whole.replace(/^(0+:){2,}/, '::') : whole;
      return `[${upper ? text.toUpperCase() : text}]`;
    });
}
