/** Owns which packages go into the packaged application as they are: those outside the bundles, and all they need. */

export interface LockEntry {
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Ground {
  /** The `packages` of package-lock.json. */
  readonly lock: Readonly<Record<string, LockEntry>>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly isInstalled: (name: string) => boolean;
}

/** Names, sorted. `external` is what is outside the bundles. */
export function packagesToShip(external: readonly string[], ground: Ground): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    const entry = ground.lock[`node_modules/${name}`];
    if (entry === undefined || found.has(name) || isUnfit(name, ground)) return;
    if (entry.optional === true && !ground.isInstalled(name)) return;
    found.add(name);
    for (const other of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(other);
  };
  for (const name of external) add(name);
  return [...found].sort();
}

/**
 * Electron is beside it. On Linux it cannot hold sharp's native build (main/output/image/sharp.ts), nor can any processor that of
 * another; its WebAssembly build goes along.
 */
function isUnfit(name: string, { platform, arch }: Ground): boolean {
  const native = /^@img\/sharp-(?:libvips-)?(linux|linuxmusl|darwin|win32)-(\w+)$/.exec(name);
  if (native !== null) return platform === 'linux' || native[1] !== platform || native[2] !== arch;
  return name === 'electron';
}
