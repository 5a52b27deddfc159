/**
 * Selects the npm packages that the application contains in node_modules: the packages that esbuild does not bundle, and all their
 * dependencies.
 */

export interface LockEntry {
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface PackageSources {
  /** The property `packages` of package-lock.json. */
  readonly lock: Readonly<Record<string, LockEntry>>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly isInstalled: (name: string) => boolean;
}

/** Returns the package names, sorted. `external`: the packages that esbuild does not bundle (build/setup/compile.mjs). */
export function packagesToShip(external: readonly string[], sources: PackageSources): string[] {
  const found = new Set<string>();
  const add = (name: string) => {
    const entry = sources.lock[`node_modules/${name}`];
    if (entry === undefined || found.has(name) || isUnfit(name, sources)) return;
    if (entry.optional === true && !sources.isInstalled(name)) return;
    found.add(name);
    for (const other of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) add(other);
  };
  for (const name of external) add(name);
  return [...found].sort();
}

/**
 * Returns whether a package must not be shipped: Electron, which is copied separately, and sharp's native builds for other
 * platforms or processors. On Linux none of sharp's native builds is shipped, because they do not work in Electron
 * (main/output/image/sharp.ts); sharp's WebAssembly build does.
 */
function isUnfit(name: string, { platform, arch }: PackageSources): boolean {
  const native = /^@img\/sharp-(?:libvips-)?(linux|linuxmusl|darwin|win32)-(\w+)$/.exec(name);
  if (native !== null) return platform === 'linux' || native[1] !== platform || native[2] !== arch;
  return name === 'electron';
}
