/** The Vite configuration that builds the user interface in renderer/. */
import { defineConfig } from 'vite';
import { output, project } from '../setup/project.mjs';
import { pdfjsFiles } from './pdfjs-files.mjs';

export default defineConfig({
  root: project('renderer'),
  base: './',
  plugins: [pdfjsFiles()],
  clearScreen: false,
  logLevel: 'warn',
  build: {
    outDir: output('renderer'),
    emptyOutDir: true,
    // The oldest supported Chromium is that of Electron 33.
    target: 'chrome130',
    // The service serves this folder under /console/assets/, and the page itself under /.
    assetsDir: 'console/assets',
    // The content security policy forbids data: URLs of scripts, so no asset is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1500,
    sourcemap: false,
  },
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
});
