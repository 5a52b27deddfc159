/** Checks colour spaces (ISO 19005-2, 6.2.4). The output intent of a document defines the device colours RGB and grey, not CMYK. */
import type { PdfFile } from '../../pdf-reader/pdf-file.ts';
import type { PdfValue } from '../../pdf-reader/pdf-syntax.ts';

const cmyk = 'it uses CMYK colours without a profile; convert the watermark or background to RGB';

/** Deeper nesting than any real colour space has. */
const maxDepth = 8;

/** Returns why a colour space is not allowed; empty if it is allowed. */
export function checkColourSpace(file: PdfFile, value: PdfValue, depth = 0): readonly string[] {
  const space = file.resolve(value);
  if (space === 'DeviceCMYK') return [cmyk];
  if (!Array.isArray(space) || depth > maxDepth) return [];
  const check = (nested: PdfValue | undefined) =>
    nested === undefined ? [] : checkColourSpace(file, nested, depth + 1);
  const family = file.resolve(space[0]);
  if (family === 'DeviceCMYK') return [cmyk];
  if (family === 'ICCBased') return checkProfile(file, space[1]);
  if (family === 'Indexed' || family === 'Pattern') return check(space[1]);
  return family === 'Separation' || family === 'DeviceN' ? check(space[2]) : [];
}

/** The header of an ICC profile (ICC.1:2004-10, 7.2): offsets of the version, the class and the colour space. */
const header = { length: 128, version: 8, class: 12, colourSpace: 16 } as const;
const classes = new Set(['prtr', 'mntr', 'scnr', 'spac']);
const componentsBySpace: Readonly<Record<string, number>> = { GRAY: 1, 'RGB ': 3, 'Lab ': 3, CMYK: 4 };

function checkProfile(file: PdfFile, reference: PdfValue | undefined): readonly string[] {
  const dict = file.resolve(reference);
  const components = dict instanceof Map ? file.resolve(dict.get('N')) : undefined;
  const profile = Buffer.from(file.stream(reference));
  const word = (at: number) => profile.toString('latin1', at, at + 4);
  const isUsable =
    profile.length >= header.length &&
    (profile[header.version] ?? 0) < 5 &&
    classes.has(word(header.class)) &&
    componentsBySpace[word(header.colourSpace)] === components;
  return isUsable
    ? []
    : [
        'a colour profile is damaged or too new (version 5); save the watermark or background with another profile',
      ];
}
