/** A Vite plugin that copies the files that pdf.js loads at run time: character maps, fonts, image decoders, colour profiles. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../setup/project.mjs';

const folders = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];

/** A decoder that only browsers without WebAssembly need. */
const unneeded = ['openjpeg_nowasm_fallback.js'];

/** @returns {import('vite').Plugin} */
export function pdfjsFiles() {
  return {
    name: 'pdfjs-files',
    apply: 'build',
    generateBundle() {
      for (const { folder, name } of files()) {
        const source = readFileSync(join(root(), folder, name));
        this.emitFile({ type: 'asset', fileName: `console/assets/pdfjs/${folder}/${name}`, source });
      }
    },
  };
}

function files() {
  return folders.flatMap((folder) =>
    readdirSync(join(root(), folder))
      .filter((name) => !unneeded.includes(name))
      .map((name) => ({ folder, name })),
  );
}

function root() {
  return project('node_modules/pdfjs-dist');
}
