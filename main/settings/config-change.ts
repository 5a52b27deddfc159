/** config.json as a person left it, with some settings changed; and put in place so that no reader finds half of it. */
import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { applyEdits, modify, parseTree, findNodeAtLocation } from 'jsonc-parser/lib/esm/main.js';
import { parseConfig } from './config-file.ts';
import { SettingProblem } from './setting-problem.ts';
import { table, type SettingName, type SettingRow } from './table.ts';

/** Texts as an operator writes them; null: the file says nothing of it any more. */
export type SettingChanges = ReadonlyMap<SettingName, string | null>;

/**
 * The text with the changes in it: everything else stays as it is, to the blank. `path` is for the messages.
 * @throws SettingProblem for a text that is no JSON object of settings, or names one to be changed twice
 */
export function changeConfig(path: string, text: string | undefined, changes: SettingChanges): string {
  // An empty file is what `touch` makes; it is refused as the start refuses it.
  parseConfig(path, text ?? '{}');
  const [mark = ''] = /^\ufeff/.exec(text ?? '') ?? [];
  let changed = text === undefined ? '{}\n' : text.slice(mark.length);
  for (const [name, value] of changes) {
    refuseTwice(path, changed, name);
    changed = applyEdits(changed, modify(changed, [name], asJson(changed, name, value), styleOf(changed)));
  }
  return mark + changed;
}

/** JSON takes the last of a name, an editor would meet the first. */
function refuseTwice(path: string, text: string, name: SettingName): void {
  const named = parseTree(text)?.children?.filter(({ children }) => children?.[0]?.value === name) ?? [];
  if (named.length > 1)
    throw new SettingProblem(`${name} stands ${named.length} times in ${path}; leave one of them.`);
}

/** A list stays a list; what counts is a number. Undefined takes it out. */
function asJson(text: string, name: SettingName, value: string | null): unknown {
  if (value === null) return undefined;
  const row: SettingRow = table[name];
  if (row.kind.schema.type === 'integer') return Number(value);
  const root = parseTree(text);
  const before = root && findNodeAtLocation(root, [name]);
  if (before?.type !== 'array') return value;
  return value
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '');
}

/**
 * The text with its settings under their names of today; of two that became one the new one stays. Undefined when nothing
 * changes, also for a text that cannot be read: that is told where it is read.
 */
export function renameInConfig(text: string, renamed: Readonly<Record<string, string>>): string | undefined {
  const [mark = ''] = /^\ufeff/.exec(text) ?? [];
  let changed = text.slice(mark.length);
  for (const [old, name] of Object.entries(renamed)) {
    const keys = parseTree(changed)?.children?.flatMap(({ children }) => children?.[0] ?? []) ?? [];
    const key = keys.find(({ value }) => value === old);
    if (key === undefined) continue;
    changed = keys.some(({ value }) => value === name)
      ? applyEdits(changed, modify(changed, [old], undefined, styleOf(changed)))
      : applyEdits(changed, [{ offset: key.offset, length: key.length, content: JSON.stringify(name) }]);
  }
  return mark + changed === text ? undefined : mark + changed;
}

function styleOf(text: string) {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    formattingOptions: { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol },
  };
}

/**
 * The new text is on the disk before it takes the old one's place, whose rights and owner it gets; a link stays a link. A
 * new file is for its owner alone: it may hold keys.
 */
export async function replaceConfig(path: string, text: string): Promise<void> {
  const place = await realpath(path).catch(() => path);
  const before = await stat(place).catch(() => undefined);
  const made = `${place}.${randomUUID()}.new`;
  try {
    const file = await open(made, 'wx', 0o600);
    try {
      await file.writeFile(text);
      if (before !== undefined) {
        // Who may not give files away keeps it himself.
        await file.chown(before.uid, before.gid).catch(() => {});
        await file.chmod(before.mode & 0o777);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(made, place);
  } catch (problem) {
    await rm(made, { force: true });
    throw problem;
  }
  await settle(dirname(place));
}

/** The rename too; Windows does not open folders, and does so by itself. */
async function settle(folder: string): Promise<void> {
  const opened = await open(folder, 'r').catch(() => undefined);
  await opened?.sync().catch(() => {});
  await opened?.close();
}
