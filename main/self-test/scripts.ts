/** Whether there are glyphs for the scripts that documents are written in. */
import { loadPage } from '../engine/load-page.ts';
import { runInPage } from '../engine/in-page.ts';
import { withProgram } from '../engine/page-program.ts';
import { lendOwn, ownDocument } from '../own-job.ts';
import { ownJob, type Check, type Trial, type Warned } from './check.ts';
import { listed } from './fonts.ts';

interface Script {
  readonly name: string;
  readonly sample: string;
  /** Debian's package of a font that has it. */
  readonly fonts: string;
}

/** Without it no document comes out right. */
const latin: Script = { name: 'Latin', sample: 'AZazÄÖÜßéñçğłőžșţ0123456789€', fonts: 'fonts-liberation' };

const scripts: readonly Script[] = [
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
  async run(trial) {
    const missing = await missingIn(trial);
    const lacking = scripts.filter(({ sample }) =>
      Array.from(sample).some((character) => missing.has(character)),
    );
    if (lacking.includes(latin)) throw new Error('no font has all Latin letters');
    if (lacking.length > 0) return warningOf(lacking);
    return `There are glyphs for ${listed(scripts.map(({ name }) => name))}.`;
  },
};

function warningOf(lacking: readonly Script[]): Warned {
  const there = scripts.filter((script) => !lacking.includes(script));
  const packages = [...new Set(lacking.map(({ fonts }) => fonts))];
  const where = process.platform === 'linux' ? ` (Debian: apt-get install ${packages.join(' ')})` : '';
  return {
    warning: `There are glyphs for ${listed(there.map(({ name }) => name))}, but not for ${listed(lacking.map(({ name }) => name))}, which show as boxes; install fonts that have them${where} and restart the service.`,
  };
}

/** Of all samples, the characters that no font has a glyph for. */
async function missingIn(trial: Trial): Promise<ReadonlySet<string>> {
  const characters = Array.from(scripts.map(({ sample }) => sample).join(''));
  const style = `{ font: '20px sans-serif', unusual: new Map(${JSON.stringify(characters)}.map((one) => [one, { count: 1 }])) }`;
  const code = await withProgram(
    'look',
    `program.missingGlyphs([${style}]).map(({ character }) => character)`,
  );
  const source = ownDocument('<!DOCTYPE html><p>Scripts', { scripts: false, strips: {} });
  const missing = await lendOwn({ ...ownJob(trial), source }, trial, async (window, run) => {
    await loadPage(window, source, run);
    return await runInPage<string[]>(window.contents, code);
  });
  return new Set(missing);
}
