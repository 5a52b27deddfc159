/**
 * Settings that were called otherwise, by their old names. config.json is read with both, and the next start writes the new
 * ones into it (main/upgrade). A row goes together with a new format of the data folder, so that an older program says what is
 * wrong instead of calling the new name unknown.
 */
export const renamedSettings: Readonly<Record<string, string>> = {};

/** The entries under their names of today; where both stand, the new one counts. */
export function withNewNames<Value>(
  entries: readonly (readonly [string, Value])[],
  renamed: Readonly<Record<string, string>> = renamedSettings,
): (readonly [string, Value])[] {
  const given = new Set(entries.map(([name]) => name));
  return entries.flatMap(([name, value]) => {
    const today = Object.hasOwn(renamed, name) ? (renamed[name] ?? name) : name;
    return today !== name && given.has(today) ? [] : [[today, value] as const];
  });
}
