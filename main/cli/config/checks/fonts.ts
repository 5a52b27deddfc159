/** Whether there are fonts to draw text with. */
import { withFontsThere } from '../../../launch/own-fonts.ts';
import { runProgram } from '../../../launch/run-program.ts';
import { fontFolders } from '../../../settings/data-folder.ts';
import type { ConfigCheck } from '../check-of.ts';

/** By what fontconfig calls their languages. */
const scripts = [
  ['Chinese', 'zh-cn'],
  ['Japanese', 'ja'],
  ['Korean', 'ko'],
  ['Arabic', 'ar'],
  ['Hebrew', 'he'],
  ['emoji', 'und-zsye'],
] as const;

export const fonts: ConfigCheck = {
  name: 'fonts',
  async run({ settings: { data } }) {
    if (process.platform !== 'linux') return undefined;
    const environment = { ...process.env, ...withFontsThere(fontFolders(data), process.env) };
    const { code, out } = await runProgram(['fc-list', ':', 'file'], { environment });
    if (code === undefined)
      return { warning: 'fc-list is missing, so fonts were not looked at: apt-get install fontconfig.' };
    const count = linesIn(out);
    if (count === 0)
      throw new Error(
        `There are no fonts; install some: apt-get install fonts-liberation fonts-noto-core fonts-noto-color-emoji, or put font files into ${fontFolders(data).fonts}.`,
      );
    const without = await scriptsWithout(environment);
    if (without.length === 0) return `${count} fonts.`;
    return {
      warning: `${count} fonts, but none for ${without.join(', ')}; should documents have such text: apt-get install fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji.`,
    };
  },
};

async function scriptsWithout(environment: NodeJS.ProcessEnv): Promise<string[]> {
  const found = await Promise.all(
    scripts.map(async ([name, language]) => {
      const { out } = await runProgram(['fc-list', `:lang=${language}`, 'file'], { environment });
      return linesIn(out) === 0 ? [name] : [];
    }),
  );
  return found.flat();
}

function linesIn(text: string): number {
  return text.split('\n').filter((line) => line !== '').length;
}
