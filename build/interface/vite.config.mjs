/** Owns how renderer/ becomes the files that the service shows: one page, its program, and what is loaded later. */
import { defineConfig } from 'vite';
import { output, project } from '../setup/project.mjs';
import { pdfjsFiles } from './pdfjs-files.mjs';

export default defineConfig({
  root: project('renderer'),
  base: './',
  plugins: [pdfjsFiles()],
  clearScreen: false,
  logLevel: 'warn',
  // The oldest Chromium it is shown in is that of Electron 33.
  build: {
    outDir: output('renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    // The service serves this folder under /console/assets/, and the page itself under /.
    assetsDir: 'console/assets',
    // The content policy allows no data: for scripts, and one file less is not worth another rule.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    sourcemap: false,
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
});
