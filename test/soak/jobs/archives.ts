/** Archives with a style sheet and an image. The job with image output checks that both were loaded. */
import { gzipSync } from 'node:zlib';
import { htmlFile } from '../../support/service/convert.ts';
import { tar } from '../../support/archives/tar-writer.ts';
import { zip } from '../../support/archives/zip-writer.ts';
import type { MakeJob } from '../job.ts';
import { cssColour } from '../job-markers.ts';

const shown = { output_format: 'png', screenshot_width: 400, screenshot_height: 300 };

export const archives: Readonly<Record<string, MakeJob>> = {
  zip: ({ word, colour }) => ({
    fields: { file: htmlFile(new Uint8Array(zip(filesOf(word, cssColour(colour)))), 'site.zip') },
    expected: [{ kind: 'pdf', pages: 1 }],
  }),

  'tar.gz': ({ word, colour }) => ({
    fields: {
      file: htmlFile(new Uint8Array(gzipSync(tar(filesOf(word, cssColour(colour))))), 'site.tar.gz'),
    },
    expected: [{ kind: 'pdf', pages: 1 }],
  }),

  'image of an archive': ({ word, colour }) => ({
    fields: { file: htmlFile(new Uint8Array(zip(filesOf(word, cssColour(colour)))), 'site.zip'), ...shown },
    expected: [{ kind: 'image', format: 'png', width: 400, height: 300, spots: [{ x: 50, y: 250, colour }] }],
  }),
};

function filesOf(word: string, colour: string) {
  return [
    {
      name: 'index.html',
      contents: `<link rel="stylesheet" href="css/style.css"><h1>${word}</h1><img src="img/square.svg">`,
    },
    {
      name: 'css/style.css',
      contents: 'body { margin: 0 } h1 { margin: 0; height: 100px } img { display: block }',
    },
    {
      name: 'img/square.svg',
      contents: `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="200"><rect width="400" height="200" fill="${colour}"/></svg>`,
    },
  ];
}
