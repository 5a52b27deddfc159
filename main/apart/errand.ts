/**
 * What goes between the service and a program that runs apart, in both directions: what it is about as JSON, and bytes. Of no
 * runtime's own format, because the two may be of different versions.
 */

export interface Parcel {
  /** What JSON can say. */
  readonly about: unknown;
  readonly bytes: Uint8Array;
}

const lengthBytes = 4;

/** The length of the JSON, the JSON, the bytes: to be written one after the other. */
export function packed({ about, bytes }: Parcel): readonly Uint8Array[] {
  const json = Buffer.from(JSON.stringify(about), 'utf8');
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(json.length);
  return [length, json, bytes];
}

/** @throws Error for what is none, or cut off */
export function unpacked(parcel: Buffer): Parcel {
  const end = parcel.length < lengthBytes ? Infinity : lengthBytes + parcel.readUInt32BE();
  if (parcel.length < end) throw new Error('The parcel is cut off.');
  const about: unknown = JSON.parse(parcel.toString('utf8', lengthBytes, end));
  return { about, bytes: parcel.subarray(end) };
}
