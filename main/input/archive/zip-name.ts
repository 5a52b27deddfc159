/** Names in zip files, which say in three ways, or not at all, how they are spelled. */
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';

export interface RawZipName {
  readonly bytes: Buffer;
  /** General purpose flags. */
  readonly flags: number;
  /** The upper byte is the system the entry was made on. */
  readonly made: number;
  /** The extra fields, raw. */
  readonly extra: Buffer;
}

/**
 * Says what the archive says, and else guesses: valid UTF-8 is UTF-8, since macOS and many libraries write it without the
 * flag and no name in another encoding happens to be valid. The rest is Latin-1 from Unix, where names were the bytes the
 * user's locale had, and CP437 from DOS and Windows, as the format prescribes.
 */
export function decodeZipName({ bytes, flags, made, extra }: RawZipName): string {
  const unicode = unicodePath(bytes, extra);
  if (unicode !== undefined) return unicode;
  if ((flags & utf8Flag) !== 0 || isUtf8(bytes)) return bytes.toString('utf8');
  return unixes.includes(made >> 8) ? new TextDecoder('windows-1252').decode(bytes) : fromCp437(bytes);
}

const utf8Flag = 0x0800;
/** Unix and macOS, in the numbering of APPNOTE 4.4.2.2. */
const unixes = [3, 19];

/** Info-ZIP's Unicode Path (0x7075): version 1, the CRC of the plain name it belongs to, the name in UTF-8. */
function unicodePath(bytes: Buffer, extra: Buffer): string | undefined {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    if (extra.readUInt16LE(at) !== 0x7075 || field.length < 6 || field[0] !== 1) continue;
    const name = field.subarray(5);
    // Who renamed the entry without knowing the field has left it stale.
    if (field.readUInt32LE(1) === crc32(bytes) && isUtf8(name)) return name.toString('utf8');
  }
  return undefined;
}

/** 0x80 to 0xff. */
const upperCp437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

function fromCp437(bytes: Buffer): string {
  return Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : upperCp437[byte - 0x80],
  ).join('');
}
