/** Reads the print reftests of web-platform-tests (WPT) from their archive, according to the rules of WPT's test runner. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Fuzzy {
  /** The maximum difference of a colour channel. */
  readonly difference: number;
  /** The maximum number of different pixels. */
  readonly pixels: number;
}

export interface Reftest {
  /** The path of the test in WPT. */
  readonly file: string;
  /** The paths of the references, and whether the test must equal the reference (`match`) or differ from it. */
  readonly references: readonly { readonly match: boolean; readonly file: string }[];
  readonly fuzzy: Fuzzy;
}

export interface Reftests {
  readonly root: string;
  readonly tests: readonly Reftest[];
  /** The paths of all tests and references. */
  readonly documents: readonly string[];
}

/** Unpacks the reftests into a folder. @throws Error with the message of tar */
export function unpackReftests(folder: string): Reftests {
  mkdirSync(folder, { recursive: true });
  const archive = join(import.meta.dirname, 'tests.tar.gz');
  const { status, stderr } = spawnSync('tar', ['xzf', archive, '-C', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tar: ${stderr}`);
  const root = join(folder, 'tests');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  const isTest = (file: string) => /-print\.(?:sub\.)?(?:html|htm|xht|xhtml|svg)$/.test(file);
  // Without the tests that are meant to fail: they test WPT's test runner.
  const named = files.filter((file) => isTest(file) && !file.includes('_fail-print'));
  const tests = named
    .map((file) => readReftest(root, file))
    .filter(({ references }) => references.length > 0);
  const documents = new Set(tests.flatMap((test) => [test.file, ...test.references.map(({ file }) => file)]));
  return { root, tests, documents: [...documents] };
}

function readReftest(root: string, file: string): Reftest {
  const html = readFileSync(join(root, file), 'utf8');
  const references = tags(html, 'link').flatMap((tag) => {
    const rel = attribute(tag, 'rel')?.toLowerCase();
    const href = attribute(tag, 'href');
    if (href === undefined || (rel !== 'match' && rel !== 'mismatch')) return [];
    const path = href === 'about:blank' ? 'common/blank.html' : pathFrom(file, href);
    return [{ match: rel === 'match', file: path }];
  });
  const [content] = metas(html, 'fuzzy');
  return { file, references, fuzzy: content === undefined ? { difference: 0, pixels: 0 } : fuzzyOf(content) };
}

function pathFrom(file: string, href: string): string {
  return decodeURIComponent(new URL(href, `http://wpt/${file}`).pathname.slice(1));
}

/** Returns a function that returns whether a page is compared, according to the document's meta element `reftest-pages`. */
export function countsPage(root: string, file: string): (page: number) => boolean {
  const [ranges] = metas(readFileSync(join(root, file), 'utf8'), 'reftest-pages');
  if (ranges === undefined || ranges.includes(':')) return () => true;
  const spans = ranges.split(',').map((range) => range.split('-').map((end) => end.trim()));
  return (page) =>
    spans.some(([from = '', to = from]) => page >= Number(from || 1) && page <= Number(to || Infinity));
}

/** Returns whether the document signals that it is ready by removing the class `reftest-wait`. */
export function waitsForSignal(root: string, file: string): boolean {
  const html = readFileSync(join(root, posix.normalize(file)), 'utf8');
  return /<(?:html|svg)[^>]*class\s*=\s*["']?[^"'>]*reftest-wait/i.test(html);
}

/** Parses `0-35;0-220` or `maxDifference=0-35;totalPixels=0-220`, optionally after `reference:`. Only the upper limits are used. */
function fuzzyOf(content: string): Fuzzy {
  const parts = content
    .replace(/^[^;=]*:(?=\s*(?:\d|max))/, '')
    .split(';')
    .map((part) => part.trim());
  const upper = (name: string, index: number) => {
    const part =
      parts.find((candidate) => candidate.startsWith(`${name}=`))?.slice(name.length + 1) ?? parts[index];
    return Number(part?.split('-').at(-1) ?? 0);
  };
  return { difference: upper('maxDifference', 0), pixels: upper('totalPixels', 1) };
}

function metas(html: string, name: string): string[] {
  return tags(html, 'meta')
    .filter((tag) => attribute(tag, 'name') === name)
    .flatMap((tag) => attribute(tag, 'content') ?? []);
}

function tags(html: string, name: string): readonly string[] {
  return html.match(new RegExp(`<(?:\\w+:)?${name}\\b[^>]*>`, 'gi')) ?? [];
}

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}
