/** The Vite configuration of renderer/: one page, its script, and the chunks it loads later. */
import { defineConfig } from 'vite';
import { output, project } from '../setup/project.mjs';
import { pdfjsFiles } from './pdfjs-files.mjs';

export default defineConfig({
  root: project('renderer'),
  base: './',
  plugins: [pdfjsFiles()],
  clearScreen: false,
  logLevel: 'warn',
  // The oldest supported Chromium is that of Electron 33.
  build: {
    outDir: output('renderer'),
    emptyOutDir: true,
    target: 'chrome130',
    // The service serves this folder under /console/assets/, and the page itself under /.
    assetsDir: 'console/assets',
    // The content security policy forbids data: scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    sourcemap: false,
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
});
