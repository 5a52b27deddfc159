import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ESLint } from 'eslint';

const project = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns the rules that a pattern in a script of the build violates. */
async function violated(pattern: string): Promise<string[]> {
  const lint = new ESLint({ cwd: project });
  const results = await lint.lintText(`export const pattern = ${pattern};\n`, {
    filePath: join(project, 'build', 'lint', 'example.mjs'),
  });
  return results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId ?? 'no rule'));
}

describe('npm run check', () => {
  const ambiguous = [
    String.raw`/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*|<!doctype svg[^>]*>\s*)*<svg[\s>]/i`,
    String.raw`/^\s*((?:"(?:[^"]|"")*"|[^"\r\n])+)[\r\n]/`,
    String.raw`/^\s*([\w-]+)\s*:\s*([^\r\n\0]+?)\s*$/`,
    String.raw`/\{\{\s*([^{}]+?)\s*\}\}/g`,
    String.raw`/(\n\s+at .*)+\s*$/`,
    String.raw`/^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/`,
    String.raw`/\s*;.*$/s`,
    String.raw`/<title[^>]*>([^<]+)/i`,
    String.raw`/(a|a)*b/`,
    String.raw`/^(\w+ ?)*$/`,
    String.raw`new RegExp('^(a+)+$')`,
    'new RegExp(`${process.argv[2]}+`)',
  ];
  for (const pattern of ambiguous)
    test(`refuses ${pattern}`, async () => {
      assert.match((await violated(pattern)).join(), /platen\/linear-pattern|regexp\/no-super-linear/);
    });

  test('allows patterns that take linear time', async () => {
    const linear = [
      String.raw`/^\s*[+-]?\d{1,15}\s*$/`,
      String.raw`/(?<![. ])[. ]+$/`,
      String.raw`/\{\{([^{}]+)\}\}/g`,
      String.raw`/[?&;#](?:[\w.-]*(?:pwd|token)|pass)=[^&#;?\s]*/gi`,
      String.raw`/\s+|<\?xml[^>]*>|<!--.*?-->/isy`,
    ];
    for (const pattern of linear) assert.deepEqual(await violated(pattern), [], pattern);
  });
});
