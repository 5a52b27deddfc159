/**
 * Finds files whose names an archive contains in an undeclared encoding: programs of Windows write the code page of the user's
 * language. The caller's spelling of a name decides which encoding it is, so nothing has to be guessed.
 */
import { nextTurn } from '../../async/yielding.ts';
import { normalized } from '../../fields/normalized.ts';
import type { UnpackedArchive } from './tree.ts';

export interface LegacyName {
  /** The path of the file among the archive's entries. */
  readonly entry: string;
  /** Such as `gb18030`. */
  readonly encoding: string;
}

/** Code pages of Windows and its console, then encodings of Unix and of Macintosh, as iconv-lite names them. */
const encodings =
  'gb18030 cp932 cp949 cp950 cp437 cp850 cp852 cp855 cp857 cp858 cp860 cp861 cp862 cp863 cp864 cp865 cp866 cp869 cp737 cp775 cp720 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 koi8-r koi8-u euc-jp iso8859-2 iso8859-5 iso8859-7 iso8859-9 iso8859-15 macintosh maccyrillic macgreek maccenteuro macturkish'.split(
    ' ',
  );

const nonAscii = /[^\0-\x7f]/;

/** Paths of Windows, whose programs write such names, have 260 characters. */
const maxNameLength = 500;

/** Returns a function that finds the entry with a name; undefined if there is none. */
export function legacyNames({
  rawNames = [],
}: Pick<UnpackedArchive, 'rawNames'>): (name: string) => Promise<LegacyName | undefined> {
  // The key is never a text of digits, for which V8 has no secret hash: names could be chosen to collide.
  const entries = new Map(rawNames.map(([raw, entry]) => [`/${raw}`, entry]));
  return async (name) => {
    if (entries.size === 0 || name.length > maxNameLength || !nonAscii.test(name)) return undefined;
    const { default: iconv } = await import('iconv-lite');
    const composed = normalized(name);
    for (const encoding of encodings) {
      // Reading the table of an encoding takes up to 40 ms, and a page may request thousands of names.
      await nextTurn();
      const bytes = iconv.encode(composed, encoding);
      const entry = entries.get(`/${bytes.toString('latin1')}`);
      // A character that the encoding lacks becomes a question mark.
      if (entry !== undefined && iconv.decode(bytes, encoding) === composed) return { entry, encoding };
    }
    return undefined;
  };
}
