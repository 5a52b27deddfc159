/** The check that reports which fonts are used for the generic families (serif, sans-serif, monospace). */
import type { PlatformFont } from '../engine/devtools/platform-fonts.ts';
import { loadPage } from '../engine/loading/load-page.ts';
import { withInternalWindow, inlineSource } from '../converter/internal-job.ts';
import { internalJob, type Check } from './check.ts';

const generic = ['serif', 'sans-serif', 'monospace'] as const;
const html = `<!DOCTYPE html>${generic.map((family) => `<p style="font-family: ${family}">Quick fox</p>`).join('')}`;

export const fonts: Check = {
  name: 'fonts',
  advice:
    'Install fonts (Debian: apt-get install fonts-liberation fonts-noto-core), then restart the service.',
  async run(context) {
    const source = inlineSource(html, { scripts: false, headerFooter: {} });
    const usedFonts = await withInternalWindow(
      { ...internalJob(context), source },
      context,
      async (window, run) => {
        await loadPage(window, source, run);
        return await window.cdp.fontsOf('p', generic.length);
      },
    );
    return `${listed(generic.map((family, index) => `${family} is ${familyOf(usedFonts[index], family)}`))}.`;
  },
};

function familyOf(used: readonly PlatformFont[] | undefined, family: string): string {
  const [font] = used ?? [];
  if (font === undefined || font.family === '') throw new Error(`no installed font matches ${family}`);
  return font.family;
}

/** Returns the parts as `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.slice(-1).join()}`;
}
