/** Generates damaged bytes: flipped bits, missing or repeated pieces, wrong numbers. */
import fc from 'fast-check';

/** A damage for bytes of any length. */
export type Damage = (bytes: Buffer) => Buffer;

const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const at = (bytes: Buffer, where: number) => Math.floor(where * bytes.length);

const flip = fc.tuple(place, fc.integer({ min: 1, max: 255 })).map(([where, mask]): Damage => (bytes) => {
  const changed = Buffer.from(bytes);
  changed[at(bytes, where)] = (bytes[at(bytes, where)] ?? 0) ^ mask;
  return changed;
});

const cut = place.map(
  (where): Damage =>
    (bytes) =>
      bytes.subarray(0, at(bytes, where)),
);

const splice = fc.tuple(place, place, fc.nat(200)).map(([from, to, length]): Damage => (bytes) => {
  const piece = bytes.subarray(at(bytes, from), at(bytes, from) + length);
  return Buffer.concat([bytes.subarray(0, at(bytes, to)), piece, bytes.subarray(at(bytes, to))]);
});

/** Replaces lengths, offsets and counts of four bytes by wrong values. */
const number = fc
  .tuple(place, fc.constantFrom(0, 1, 0x7f, 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff))
  .map(([where, value]): Damage => (bytes) => {
    const changed = Buffer.concat([bytes, Buffer.alloc(4)]);
    changed.writeUInt32LE(value, at(bytes, where));
    return changed.subarray(0, bytes.length);
  });

/** Replaces numbers in tar's octal digits by wrong values. */
const digits = fc
  .tuple(place, fc.stringMatching(/^[0-7]{1,11}$|^\x80[\0\xff]{7}$/))
  .map(([where, text]): Damage => (bytes) => {
    const changed = Buffer.from(bytes);
    changed.write(text, at(bytes, Math.floor(where * 20) / 20), 'latin1');
    return changed;
  });

export const damages: fc.Arbitrary<readonly Damage[]> = fc.array(
  fc.oneof(flip, flip, cut, splice, number, digits),
  {
    minLength: 1,
    maxLength: 4,
  },
);

export function damaged(bytes: Buffer, damages: readonly Damage[]): Buffer {
  return damages.reduce((changed, damage) => damage(changed), bytes);
}
