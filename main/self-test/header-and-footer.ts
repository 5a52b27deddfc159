/** Whether pages get their headers, footers and numbers, and what is finished stays sound. */
import { pageTexts } from '../output/reading/page-texts.ts';
import { convert, type Check } from './check.ts';

const html = `<!DOCTYPE html><style>p { break-after: page } p:last-child { break-after: auto }</style><p>First<p>Second`;
const numbers = '<span class="service-page-number"></span> of <span class="service-page-count"></span>';
const options = {
  header_html: `<p>Above ${numbers}`,
  footer_html: `<p>Below ${numbers}`,
};

export const headerAndFooter: Check = {
  name: 'header and footer',
  advice: 'Restart the service; if it stays so, install this version anew.',
  async run(trial) {
    const { bytes } = await convert(html, options, trial);
    const texts = await pageTexts(bytes);
    ['First', 'Second'].forEach((body, index) => {
      const number = `${index + 1}of2`;
      for (const text of [body, `Above${number}`, `Below${number}`])
        if (texts[index]?.includes(text) !== true)
          throw new Error(`page ${index + 1} of 2 lacks '${text}' and says '${texts[index]?.slice(0, 80)}'`);
    });
    return 'Each page has its header, its footer and its number in both.';
  },
};
