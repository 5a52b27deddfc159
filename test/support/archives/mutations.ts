/** Generates random damage to bytes: flipped bits, truncation, repeated pieces, wrong numbers. */
import fc from 'fast-check';

/** Returns damaged bytes; accepts any length. */
export type Mutation = (bytes: Buffer) => Buffer;

const position = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const offsetOf = (bytes: Buffer, where: number) => Math.floor(where * bytes.length);

const flip = fc
  .tuple(position, fc.integer({ min: 1, max: 255 }))
  .map(([where, mask]): Mutation => (bytes) => {
    const changed = Buffer.from(bytes);
    changed[offsetOf(bytes, where)] = (bytes[offsetOf(bytes, where)] ?? 0) ^ mask;
    return changed;
  });

const cut = position.map(
  (where): Mutation =>
    (bytes) =>
      bytes.subarray(0, offsetOf(bytes, where)),
);

const splice = fc.tuple(position, position, fc.nat(200)).map(([from, to, length]): Mutation => (bytes) => {
  const piece = bytes.subarray(offsetOf(bytes, from), offsetOf(bytes, from) + length);
  return Buffer.concat([bytes.subarray(0, offsetOf(bytes, to)), piece, bytes.subarray(offsetOf(bytes, to))]);
});

/** Overwrites four bytes at a random position with an extreme value, such as a wrong length, offset or count. */
const number = fc
  .tuple(position, fc.constantFrom(0, 1, 0x7f, 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff))
  .map(([where, value]): Mutation => (bytes) => {
    const changed = Buffer.concat([bytes, Buffer.alloc(4)]);
    changed.writeUInt32LE(value, offsetOf(bytes, where));
    return changed.subarray(0, bytes.length);
  });

/** Overwrites bytes with octal digits or a binary number, in the formats of numbers in tar headers. */
const digits = fc
  .tuple(position, fc.stringMatching(/^[0-7]{1,11}$|^\x80[\0\xff]{7}$/))
  .map(([where, text]): Mutation => (bytes) => {
    const changed = Buffer.from(bytes);
    changed.write(text, offsetOf(bytes, Math.floor(where * 20) / 20), 'latin1');
    return changed;
  });

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.oneof(flip, flip, cut, splice, number, digits),
  {
    minLength: 1,
    maxLength: 4,
  },
);

export function mutate(bytes: Buffer, damages: readonly Mutation[]): Buffer {
  return damages.reduce((changed, damage) => damage(changed), bytes);
}
