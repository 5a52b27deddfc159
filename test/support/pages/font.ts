/** Creates a font that is not installed on any machine: Liberation Sans with another name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../service/service.ts';

const real = 'Liberation';

/** Returns a TrueType font of the family `<name> Sans`. @throws Error if the name does not have ten letters */
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
