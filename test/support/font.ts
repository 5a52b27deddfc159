/** A font that no machine has installed: Liberation Sans under another name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './service.ts';

const real = 'Liberation';

/** A TrueType font of the family `<name> Sans`; the name must have ten letters. */
export function fontNamed(name: string): Buffer {
  if (name.length !== real.length) throw new Error(`${name} must have ${real.length} letters`);
  const font = readFileSync(
    join(project, 'node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf'),
  );
  for (const [from, to] of [
    [Buffer.from(real, 'latin1'), Buffer.from(name, 'latin1')],
    [Buffer.from(real, 'utf16le').swap16(), Buffer.from(name, 'utf16le').swap16()],
  ] as const)
    for (let at = font.indexOf(from); at >= 0; at = font.indexOf(from, at)) to.copy(font, at);
  return font;
}
