/** Changes settings in the text of config.json, checks which changes are possible, and replaces the file atomically. */
import { randomUUID } from 'node:crypto';
import { open, realpath, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { applyEdits, modify, parseTree, findNodeAtLocation } from 'jsonc-parser/lib/esm/main.js';
import { parseConfig } from './config-file.ts';
import { SettingProblem } from './setting-problem.ts';
import { table, settingNames, type SettingName, type SettingRow } from './table.ts';
import { nearestName } from '../fields/nearest.ts';
import { notAllowedMessage } from './load.ts';
import type { RawSettings } from './raw-settings.ts';
import { renameWithRetry } from '../files/rename-with-retry.ts';

/** New values as an operator writes them; null removes the setting from the file. */
export type SettingChanges = ReadonlyMap<SettingName, string | null>;

/**
 * Returns the text with the changes applied. Everything else keeps its formatting. `path` is used only in messages.
 * @throws SettingProblem for text that is not a JSON object of settings, or that contains a changed setting twice
 */
export function changeConfig(path: string, text: string | undefined, changes: SettingChanges): string {
  // `touch` creates an empty file. It is refused here because the start refuses it too.
  parseConfig(path, text ?? '{}');
  const [byteOrderMark = ''] = /^\ufeff/.exec(text ?? '') ?? [];
  let changed = text === undefined ? '{}\n' : text.slice(byteOrderMark.length);
  for (const [name, value] of changes) {
    rejectDuplicate(path, changed, name);
    changed = applyEdits(
      changed,
      modify(changed, [name], asJson(changed, name, value), formattingOf(changed)),
    );
  }
  return byteOrderMark + changed;
}

/** Throws if the text contains the setting twice. JSON.parse uses the last entry, but jsonc-parser would change the first. */
function rejectDuplicate(path: string, text: string, name: SettingName): void {
  const matches = parseTree(text)?.children?.filter(({ children }) => children?.[0]?.value === name) ?? [];
  if (matches.length > 1)
    throw new SettingProblem(
      `${name} occurs ${matches.length} times in ${path}; keep only one of these entries.`,
    );
}

/**
 * Converts the new value to JSON: integers become numbers, and a setting that was an array remains an array. Returns undefined for
 * null, which removes the setting.
 */
function asJson(text: string, name: SettingName, value: string | null): unknown {
  if (value === null) return undefined;
  const row: SettingRow = table[name];
  if (row.kind.schema.type === 'integer') return Number(value);
  const root = parseTree(text);
  const oldValue = root && findNodeAtLocation(root, [name]);
  if (oldValue?.type !== 'array') return value;
  return value
    .split(',')
    .map((element) => element.trim())
    .filter((element) => element !== '');
}

/**
 * Returns the text with renamed settings under their current names. If both names are present, the entry with the current name is
 * kept. Returns undefined if nothing changes, also for text that cannot be parsed: functions that read the file report that.
 */
export function renameInConfig(text: string, renamed: Readonly<Record<string, string>>): string | undefined {
  const [byteOrderMark = ''] = /^\ufeff/.exec(text) ?? [];
  let changed = text.slice(byteOrderMark.length);
  for (const [old, name] of Object.entries(renamed)) {
    const keys = parseTree(changed)?.children?.flatMap(({ children }) => children?.[0] ?? []) ?? [];
    const key = keys.find(({ value }) => value === old);
    if (key === undefined) continue;
    changed = keys.some(({ value }) => value === name)
      ? applyEdits(changed, modify(changed, [old], undefined, formattingOf(changed)))
      : applyEdits(changed, [{ offset: key.offset, length: key.length, content: JSON.stringify(name) }]);
  }
  return byteOrderMark + changed === text ? undefined : byteOrderMark + changed;
}

function formattingOf(text: string) {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  ';
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    formattingOptions: { insertSpaces: !indent.startsWith('\t'), tabSize: indent.length, eol },
  };
}

/**
 * Writes the text to a temporary file, syncs it, and renames it over the old file. The file keeps its mode and owner, and a
 * symbolic link remains a link. A file that did not exist gets mode 0600, because it may contain keys.
 */
export async function replaceConfig(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const oldStats = await stat(target).catch(() => undefined);
  const temporaryFile = `${target}.${randomUUID()}.new`;
  try {
    const file = await open(temporaryFile, 'wx', 0o600);
    try {
      await file.writeFile(text);
      if (oldStats !== undefined) {
        // If this user may not change owners, the new file belongs to this user.
        await file.chown(oldStats.uid, oldStats.gid).catch(() => {});
        await file.chmod(oldStats.mode & 0o777);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await renameWithRetry(temporaryFile, target);
  } catch (problem) {
    await rm(temporaryFile, { force: true });
    throw problem;
  }
  await syncFolder(dirname(target));
}

/** Syncs the folder, so that the rename is durable too. Windows cannot open folders, but makes renames durable itself. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r').catch(() => undefined);
  await opened?.sync().catch(() => {});
  await opened?.close();
}

/**
 * Returns why the setting cannot be changed in config.json, as a sentence, or undefined if it can. The value null removes the
 * setting.
 */
export function changeProblem(
  name: string,
  value: string | null,
  rawSettings: RawSettings,
): string | undefined {
  if (!Object.hasOwn(table, name)) return unknownSettingMessage(name);
  if (name === 'data')
    return 'data cannot be changed here: config.json is inside that folder. Change it where the service is started.';
  const raw = rawSettings.get(name as SettingName);
  if (raw?.origin === 'flag' || raw?.origin === 'environment')
    return `${name} is set by the ${raw.origin === 'flag' ? 'flag' : 'variable'} ${raw.location}, which overrides config.json: change it where the service is started.`;
  const row: SettingRow = table[name as SettingName];
  if (value === null || row.kind.read(value) !== undefined) return undefined;
  return `${name}: ${notAllowedMessage(row, value)}.`;
}

function unknownSettingMessage(name: string): string {
  const suggestion = nearestName(name, settingNames);
  const hint = suggestion === undefined ? '.' : `; did you mean ${suggestion}?`;
  return `'${name.slice(0, 100)}' is not a known setting${hint}`;
}
