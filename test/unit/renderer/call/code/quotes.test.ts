import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import {
  inCSharp,
  inJava,
  inJavaScript,
  inPhp,
  inPowerShell,
  inPython,
  inShell,
} from '../../../../../renderer/call/code/quotes.ts';

/** Texts that users may enter, one for each pitfall of quoting. */
const texts = [
  '',
  'plain',
  '@file',
  '<file',
  `"'"`,
  `it's "quoted" \`here\` $HOME \${x} $(id) %PATH% !x \\n \\`,
  'two\nlines\n',
  '\n"""\n""""quoted"\n\'\'\' \\ ${x} `y`\n"',
  'ends with a backslash\\',
  'ends\nwith quotes""',
  'é ß 漢字 😀 \u2028 \u0085',
  '‘typographic’ “quotes”',
  'carriage\r\nreturn\rtab\t escape\x1b',
  '{{ name }} <?php ?> #{x} */ //',
];

describe('A value as a string literal', () => {
  // On Windows, bash.exe may be the one of the Windows Subsystem for Linux, and arguments pass its quoting rules.
  const noBash = process.platform === 'win32' && 'Windows has no bash';
  const noPython = spawnSync('python3', ['--version']).status !== 0 && 'python3 is not installed';
  test('of the shell is read back unchanged by bash', { skip: noBash }, () => {
    for (const text of texts) {
      const { stdout } = spawnSync('bash', ['-c', `printf %s ${inShell(text)}`], { encoding: 'utf8' });
      assert.equal(stdout, text);
    }
  });

  test('of Python is read back unchanged by Python', { skip: noPython }, () => {
    const program = `import json\nprint(json.dumps([${texts.map(inPython).join(',\n')}]))`;
    const { stdout, stderr } = spawnSync('python3', ['-'], {
      input: program,
      encoding: 'utf8',
      // On Windows, Python reads standard input in the code page of the system.
      env: { ...process.env, PYTHONUTF8: '1' },
    });
    assert.deepEqual(JSON.parse(stdout || stderr), texts);
  });

  test('of JavaScript is read back unchanged by Node.js', () => {
    const program = `process.stdout.write(JSON.stringify([${texts.map(inJavaScript).join(',\n')}]))`;
    const { stdout, stderr } = spawnSync(process.execPath, ['-'], { input: program, encoding: 'utf8' });
    assert.deepEqual(JSON.parse(stdout || stderr), texts);
  });

  test('of PowerShell doubles all its apostrophe characters, and escapes control characters', () => {
    assert.equal(inPowerShell(`it's ‘so’ $HOME \`n`), `'it''s ‘‘so’’ $HOME \`n'`);
    assert.equal(inPowerShell('a\r\nb'), `('a' + [char]13 + '\nb')`);
  });

  test('of PHP is escaped', () => {
    assert.equal(inPhp(`it's $HOME \\ "x"`), `'it\\'s $HOME \\\\ "x"'`);
    assert.equal(inPhp('a\r"$b\\'), `"a\\r\\"\\$b\\\\"`);
  });

  test('of C# has more quotation marks around it than in it', () => {
    assert.equal(inCSharp('a "b" \\ {c}'), `"a \\"b\\" \\\\ {c}"`);
    assert.equal(inCSharp('a\n"""b\\'), `""""\na\n"""b\\\n""""`);
    assert.equal(inCSharp('a\n\u2028'), `"a\\n\\u2028"`);
  });

  test('of Java is ASCII, with a literal for each line', () => {
    assert.equal(inJava('a "b"\n\\u0041 é\n'), `"a \\"b\\"\\n" +\n            "\\\\u0041 \\u00e9\\n"`);
    for (const text of texts) assert.match(inJava(text), /^[\n\x20-\x7e]*$/);
  });
});
