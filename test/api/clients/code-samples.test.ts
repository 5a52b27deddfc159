import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import type { RunForm } from '../../../renderer/bridge/bridge.ts';
import { codeRequestOf } from '../../../renderer/call/code/code-request.ts';
import {
  codeLanguageNames,
  codeLanguages,
  type CodeLanguage,
} from '../../../renderer/call/code/languages.ts';
import { attachmentsOf } from '../../support/output/attachments.ts';
import { pdfText } from '../../support/output/pdf.ts';
import { defaultService } from '../../support/service/default-service.ts';
import type { Service } from '../../support/service/service.ts';

interface SampleRunner {
  readonly file: string;
  readonly run: readonly string[];
  /** Matches the output of `versionCommand` if this machine can run the program. */
  readonly versionPattern?: RegExp;
  readonly versionCommand?: readonly string[];
}

const isWindows = process.platform === 'win32';
/** File names cannot contain double quotes on Windows. */
const quote = isWindows ? "'" : '"';

/** For each language, the file to which the sample is saved and the command that runs it. */
const runners: Partial<Record<CodeLanguage, SampleRunner>> = {
  // On Windows, bash.exe belongs to the Windows Subsystem for Linux.
  ...(!isWindows && { curl: { file: 'convert.sh', run: ['bash', 'convert.sh'] } }),
  python: {
    file: 'convert.py',
    run: ['python3', 'convert.py'],
    versionCommand: ['--version'],
    versionPattern: /^Python 3/,
  },
  node: { file: 'convert.mjs', run: [process.execPath, 'convert.mjs'] },
  java: {
    file: 'Convert.java',
    run: ['java', 'Convert.java'],
    versionCommand: ['--list-modules'],
    versionPattern: /jdk\.compiler@(1[7-9]|[2-9]\d)/,
  },
  php: {
    file: 'convert.php',
    run: ['php', 'convert.php'],
    versionCommand: ['-m'],
    versionPattern: /^curl$/m,
  },
  powershell: {
    file: 'convert.ps1',
    run: ['pwsh', 'convert.ps1'],
    versionCommand: ['-v'],
    versionPattern: /PowerShell [7-9]/,
  },
};

describe('The code sample of the console', () => {
  let service: Service;
  let folder: string;
  before(async () => {
    service = await defaultService();
    folder = mkdtempSync(join(tmpdir(), 'platen-samples-'));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const run = async (language: CodeLanguage, form: RunForm) => {
    const runner = runners[language] ?? assert.fail(language);
    const facts = { baseUrl: service.url, account: 'demo', key: 'demo', form };
    const [program = '', ...parameters] = runner.run;
    writeFileSync(join(folder, runner.file), codeLanguages[language].write(codeRequestOf(facts)));
    const child = spawn(program, parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [errors, status] = await Promise.all([text(child.stderr), ended]);
    return { errors, status };
  };
  const outputOf = async (language: CodeLanguage, form: RunForm, name = 'document.pdf') => {
    const { errors, status } = await run(language, form);
    assert.equal(status, 0, errors);
    const output = readFileSync(join(folder, name));
    rmSync(join(folder, name));
    return output;
  };

  const nasty = `it's "double" $HOME \`id\` $(id) %PATH% \\n \\ \${x} !! äß 'two' """ ends\\`;
  const page = `<meta charset="utf-8">\n<pre id="x">\n${nasty.replaceAll('<', '&lt;')}</pre>\n<p id="y">"</p><p>漢😀`;
  const script = `document.querySelector('#y').textContent = "@ ' \\" \\\\ $" +\n  \`\${1 + 1}\``;
  const upload = (content: string, name: string) => {
    writeFileSync(join(folder, name), content);
    return new File([content], name);
  };

  for (const language of codeLanguageNames.filter((name) => runs(runners[name]))) {
    const { label } = codeLanguages[language];

    test(`in ${label} sends every character unchanged`, async () => {
      const fields = [
        ['text', page],
        ['custom_javascript', script],
        ['title', '@<title> it\'s; "x" \\ $1'],
        ['output_name', `it's ${quote}50 %${quote}.pdf`],
      ] as const;
      const pdf = await outputOf(language, { fields, files: [] }, `it's ${quote}50 %${quote}.pdf`);
      assert.equal(pdfText(pdf), `${nasty} @ ' " \\ $2 漢😀`);
      assert.equal(titleOf(pdf), '@<title> it\'s; "x" \\ $1');
    });

    test(`in ${label} sends a string that begins with @ or < as text, not as the name of a file`, async () => {
      for (const first of ['@', '<'])
        assert.match(
          pdfText(await outputOf(language, { fields: [['text', `${first}b>bold`]], files: [] })),
          first === '@' ? /@b>bold/ : /^bold/,
        );
    });

    test(`in ${label} uploads files with any name`, async () => {
      const file = upload('<p>from a file', `my, page; ${quote}1${quote}.html`);
      const data = upload('{"name": "Zoë"}', 'data.json');
      const template = upload('<p>Hello {{ name }}', 'template.html');
      assert.equal(
        pdfText(await outputOf(language, { fields: [], files: [{ name: 'file', file }] })),
        'from a file',
      );
      const files = [
        { name: 'file', file: template },
        { name: 'data_file', file: data },
      ];
      assert.equal(pdfText(await outputOf(language, { fields: [['page_size', 'A5']], files })), 'Hello Zoë');
    });

    test(`in ${label} attaches several files, each with its description`, async () => {
      const files = ['Terms', 'Prices'].map((content) => ({
        name: 'attachment',
        file: upload(content, `${content}.txt`),
      }));
      const fields = [
        ['text', '<p>two files'],
        ['attachment_description', ''],
        ['attachment_description', `The ${quote}prices${quote}`],
      ] as const;
      const pdf = await outputOf(language, { fields, files });
      assert.equal(pdfText(pdf), 'two files');
      assert.deepEqual(await attachmentsOf(pdf), [
        { filename: 'Prices.txt', description: `The ${quote}prices${quote}`, content: 'Prices' },
        { filename: 'Terms.txt', description: '', content: 'Terms' },
      ]);
    });

    test(`in ${label} reads long HTML from the file page.html`, async () => {
      upload(`<p>long${'<!-- ä -->'.repeat(4000)}`, 'page.html');
      const fields = [['text', readFileSync(join(folder, 'page.html'), 'utf8')]] as const;
      assert.equal(pdfText(await outputOf(language, { fields, files: [] })), 'long');
    });

    test(`in ${label} prints the error of the service, and leaves no output`, async () => {
      const { errors, status } = await run(language, {
        fields: [
          ['text', '<p>x'],
          ['margin_top', 'wide'],
        ],
        files: [],
      });
      assert.notEqual(status, 0);
      assert.match(errors, /400\.311 - .*wide.*margin_top/);
      assert.ok(!existsSync(join(folder, 'document.pdf')));
      assert.ok(!existsSync(join(folder, 'document.pdf.part')));
    });
  }
});

function titleOf(pdf: Buffer): string {
  const info = spawnSync('pdfinfo', ['-'], { input: pdf, encoding: 'utf8' }).stdout;
  return /^Title:\s+(.*)$/m.exec(info)?.[1] ?? '';
}

function runs(runner: SampleRunner | undefined): boolean {
  if (runner?.versionPattern === undefined) return runner !== undefined;
  const { stdout } = spawnSync(runner.run[0] ?? '', runner.versionCommand ?? [], { encoding: 'utf8' });
  return runner.versionPattern.test(stdout);
}
