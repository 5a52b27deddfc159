/** Checks the links of the documentation; test/api/clients/documentation.test.ts runs its examples. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { optionNames, table } from '../../main/job/options.ts';
import { documentationPages } from '../support/clients/documentation.ts';
import { project } from '../support/service/service.ts';

const textOf = (page: string) => readFileSync(join(project, page), 'utf8');

test('every link in the documentation leads to an existing file and heading', () => {
  const broken = documentationPages().flatMap((page) => {
    const text = withoutCode(textOf(page));
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    return links
      .filter((link) => !/^[a-z]+:/.test(link) && !targetExists(page, link))
      .map((link) => `${page}: ${link}`);
  });
  assert.deepEqual(broken, []);
});

test('the guide to the API links to every group of options', () => {
  const guide = textOf('docs/api-guide.md');
  const groups = [...new Set(optionNames.map((name) => table[name].group))];
  const missing = groups.filter((group) => !guide.includes(`](options.md#${anchorOf(group)})`));
  assert.deepEqual(missing, []);
});

test('the list of options marks those that affect only PDF or only images', () => {
  const page = textOf('docs/options.md');
  const unmarked = optionNames.filter((name) => {
    const mark = { both: 'PDF, image', pdf: 'PDF only', image: 'image only' }[table[name].output];
    return !page.includes(`| \`${name}\` | ${mark} |`);
  });
  assert.deepEqual(unmarked, []);
});

test('the descriptions of content_viewport_height and screenshot_height mention each other', () => {
  assert.match(table.content_viewport_height.description, /screenshot_height/);
  assert.match(table.screenshot_height.description, /content_viewport_height/);
});

function targetExists(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const file = path === '' ? join(project, page) : resolve(project, dirname(page), decodeURIComponent(path));
  if (!existsSync(file)) return false;
  return anchor === undefined || anchor === '' || anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ +(.*?) *#*$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** Returns GitHub's anchor for a heading whose text occurs once on its page. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** Removes fenced code blocks, whose links and headings do not count. */
function withoutCode(text: string): string {
  return text.replaceAll(/^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1/gm, '');
}
