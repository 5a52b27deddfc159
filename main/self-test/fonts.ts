/** Which fonts text is drawn with when a page asks for none. */
import type { PlatformFont } from '../engine/platform-fonts.ts';
import { loadPage } from '../engine/load-page.ts';
import { lendOwn, ownDocument } from '../own-job.ts';
import { ownJob, type Check } from './check.ts';

const generic = ['serif', 'sans-serif', 'monospace'] as const;
const html = `<!DOCTYPE html>${generic.map((family) => `<p style="font-family: ${family}">Quick fox</p>`).join('')}`;

export const fonts: Check = {
  name: 'fonts',
  advice:
    'Install fonts (Debian: apt-get install fonts-liberation fonts-noto-core), then restart the service.',
  async run(trial) {
    const source = ownDocument(html, { scripts: false, strips: {} });
    const used = await lendOwn({ ...ownJob(trial), source }, trial, async (window, run) => {
      await loadPage(window, source, run);
      return await window.cdp.fontsOf('p', generic.length);
    });
    return `${listed(generic.map((family, index) => `${family} is ${fontIn(used[index], family)}`))}.`;
  },
};

function fontIn(used: readonly PlatformFont[] | undefined, family: string): string {
  const [font] = used ?? [];
  if (font === undefined || font.family === '') throw new Error(`there is no font for ${family} text`);
  return font.family;
}

/** `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.slice(-1).join()}`;
}
