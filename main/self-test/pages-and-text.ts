/** Whether a document has its pages, and each page its text. */
import { pageTexts } from '../output/reading/page-texts.ts';
import { convert, type Check } from './check.ts';

const words = ['Alabaster', 'Bergamot', 'Cinnabar'];
const html = `<!DOCTYPE html><title>Self-test</title><style>section { break-after: page } section:last-child { break-after: auto }</style>
${words.map((word) => `<section><h1>${word}</h1><p>The quick brown fox jumps over the lazy dog, 0123456789.</section>`).join('')}`;

export const pagesAndText: Check = {
  name: 'pages and text',
  advice:
    'See that fonts are installed (Debian: fonts-liberation); else this version of Electron prints wrongly.',
  async run(trial) {
    const { bytes, pages } = await convert(html, {}, trial);
    const texts = await pageTexts(bytes);
    if (pages?.total !== words.length || texts.length !== words.length)
      throw new Error(`a document of ${words.length} pages came out with ${texts.length}`);
    words.forEach((word, index) => {
      if (texts[index] !== `${word}Thequickbrownfoxjumpsoverthelazydog,0123456789.`)
        throw new Error(`page ${index + 1} of a document says '${texts[index]?.slice(0, 80)}'`);
    });
    return `A document has its ${words.length} pages, and each page its text.`;
  },
};
