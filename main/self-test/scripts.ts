/** The check that the installed fonts have glyphs for common scripts (writing systems). */
import { loadPage } from '../engine/loading/load-page.ts';
import { callPageScript } from '../engine/devtools/evaluate.ts';
import { withInternalWindow, inlineSource } from '../converter/internal-job.ts';
import { internalJob, type Check, type CheckContext, type CheckWarning } from './check.ts';
import { listed } from './fonts.ts';

interface WritingSystem {
  readonly name: string;
  readonly sample: string;
  /** Debian package of a font for the script. */
  readonly fonts: string;
}

/** The check fails without Latin letters, because every document needs them. Other missing scripts are only a warning. */
const latin: WritingSystem = {
  name: 'Latin',
  sample: 'AZazÄÖÜßéñçğłőžșţ0123456789€',
  fonts: 'fonts-liberation',
};

const scripts: readonly WritingSystem[] = [
  latin,
  { name: 'Cyrillic', sample: 'ЖЩЮЯжщюяіїєґђњ', fonts: 'fonts-liberation' },
  { name: 'Greek', sample: 'ΓΔΘΨαβγδθώ', fonts: 'fonts-liberation' },
  { name: 'Hebrew', sample: 'אבגדשת', fonts: 'fonts-noto-core' },
  { name: 'Arabic', sample: 'ابتثجعفقکگی', fonts: 'fonts-noto-core' },
  { name: 'Devanagari', sample: 'अकखगनम', fonts: 'fonts-noto-core' },
  { name: 'Thai', sample: 'กขคงจฉ', fonts: 'fonts-noto-core' },
  { name: 'Chinese', sample: '中文简体繁體發', fonts: 'fonts-noto-cjk' },
  { name: 'Japanese', sample: 'あいうアイウ日本語', fonts: 'fonts-noto-cjk' },
  { name: 'Korean', sample: '한국어', fonts: 'fonts-noto-cjk' },
  { name: 'emoji', sample: '😀👍🎉', fonts: 'fonts-noto-color-emoji' },
];

export const scriptsWithGlyphs: Check = {
  name: 'scripts',
  advice:
    'Install fonts (Debian: apt-get install fonts-liberation fonts-noto-core), then restart the service.',
  async run(context) {
    const missing = await missingCharacters(context);
    const missingScripts = scripts.filter(({ sample }) =>
      Array.from(sample).some((character) => missing.has(character)),
    );
    if (missingScripts.includes(latin)) throw new Error('the installed fonts lack Latin letters');
    if (missingScripts.length > 0) return warningOf(missingScripts);
    return `Installed fonts have glyphs for ${listed(scripts.map(({ name }) => name))}.`;
  },
};

function warningOf(missingScripts: readonly WritingSystem[]): CheckWarning {
  const covered = scripts.filter((script) => !missingScripts.includes(script));
  const packages = [...new Set(missingScripts.map(({ fonts }) => fonts))];
  const where = process.platform === 'linux' ? ` (Debian: apt-get install ${packages.join(' ')})` : '';
  return {
    warning: `Installed fonts have glyphs for ${listed(covered.map(({ name }) => name))}, but not for ${listed(missingScripts.map(({ name }) => name))}, whose text shows as boxes; install fonts for them${where} and restart the service.`,
  };
}

/** Returns the characters of all samples for which no font has a glyph. */
async function missingCharacters(context: CheckContext): Promise<ReadonlySet<string>> {
  const characters = scripts.map(({ sample }) => sample).join('');
  const source = inlineSource('<!DOCTYPE html><p>Scripts', { scripts: false, headerFooter: {} });
  const missing = await withInternalWindow(
    { ...internalJob(context), source },
    context,
    async (window, run) => {
      await loadPage(window, source, run);
      return await callPageScript(window.contents, 'examine.charactersWithoutGlyph', characters);
    },
  );
  return new Set(missing);
}
