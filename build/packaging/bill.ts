/** Builds the bill of materials in CycloneDX 1.5 from npm's list of packages, and adds the components that are not npm packages. */

import { createHash } from 'node:crypto';

export interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl?: string;
  readonly cpe?: string;
  readonly licenses?: readonly {
    readonly license?: { readonly id?: string; readonly name?: string };
    readonly expression?: string;
  }[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

export interface Bill {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component?: object };
  readonly components: readonly Component[];
  readonly dependencies?: readonly Dependency[];
}

export interface BillInput {
  readonly name: string;
  readonly version: string;
  /** The names of the npm packages in node_modules of app.asar. */
  readonly shipped: readonly string[];
  /** `process.versions` of the runtime. */
  readonly versions: Readonly<Record<string, string>>;
  /** The libraries in sharp's WebAssembly build, with versions. */
  readonly vips: Readonly<Record<string, string>>;
  /** The SHA-256 of each of our files, in hexadecimal. */
  readonly files: Readonly<Record<string, string>>;
  /** The timestamp of all packaged files. */
  readonly date: Date;
}

/** The CycloneDX property that names the package into which a component was compiled. */
export const compiledInto = 'platen:compiled-into';

/** Libraries that are compiled into npm packages but missing from their dependencies. The versions were read from the binaries. */
export const embedded = [
  { in: '@neslinesli93/qpdf-wasm@0.3.0', name: 'qpdf', version: '12.2.0', licence: 'Apache-2.0' },
  { in: '@neslinesli93/qpdf-wasm@0.3.0', name: 'libjpeg-turbo', version: '2.1.1', licence: 'IJG' },
  { in: '@photostructure/sqlite@1.2.1', name: 'sqlite', version: '3.53.0', licence: 'blessing' },
] as const;

/** Electron and the parts of it that vulnerability databases list separately. `key`: the name in `process.versions`. */
const runtimeParts = [
  { key: 'electron', name: 'electron', licence: 'MIT', cpe: 'electronjs:electron' },
  { key: 'chrome', name: 'chromium', licence: 'BSD-3-Clause', cpe: 'google:chrome' },
  { key: 'node', name: 'node', licence: 'MIT', cpe: 'nodejs:node.js' },
  { key: 'v8', name: 'v8', licence: 'BSD-3-Clause', cpe: 'google:v8' },
] as const;

/** Returns the complete bill. `listed`: the bill that npm creates. */
export function completeBill(listed: Bill, made: BillInput): Bill {
  const { name, version, shipped, versions, vips, files } = made;
  const root = `${name}@${version}`;
  const components = [
    ...listed.components.filter((component) => !isNative(component.name) || shipped.includes(component.name)),
    ...runtimeParts.map((part) => runtimePart(part, versions[part.key] ?? 'unknown')),
    ...embedded.map((part) => embeddedPart(part)),
    ...Object.entries(vips).map((part) =>
      embeddedPart({ in: '@img/sharp-wasm32', name: part[0], version: part[1] }),
    ),
    ...Object.entries(files).map(([file, hash]) => ownFile(file, version, hash)),
  ];
  const refs = new Set([root, ...components.map((component) => component['bom-ref'])]);
  const component = { ...listed.metadata.component, 'bom-ref': root, type: 'application', name, version };
  const metadata = { ...listed.metadata, timestamp: made.date.toISOString(), component };
  const dependencies = dependenciesAmong(refs, listed.dependencies ?? []);
  const bill = { ...listed, metadata, components, dependencies };
  return { ...bill, serialNumber: serialNumberOf(bill) };
}

/**
 * Derives the serial number from the content, so that equal bills are identical; npm's number is random. A UUID of version 8 may
 * contain any data (RFC 9562, 5.8).
 */
function serialNumberOf(bill: Bill): string {
  const hash = createHash('sha256')
    .update(JSON.stringify({ ...bill, serialNumber: undefined }))
    .digest('hex');
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}

/**
 * Returns whether a package contains native code for one platform. @napi-rs/canvas is not shipped: pdf.js needs it only outside
 * browsers.
 */
function isNative(name: string): boolean {
  return /^(@img\/sharp-(?!wasm32)|@napi-rs\/canvas)/.test(name);
}

function runtimePart({ name, licence, cpe }: (typeof runtimeParts)[number], version: string): Component {
  return {
    'bom-ref': `runtime:${name}@${version}`,
    type: name === 'electron' ? 'framework' : 'library',
    name,
    version,
    purl: `pkg:generic/${name}@${version}`,
    cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
    licenses: [{ license: { id: licence } }],
  };
}

interface EmbeddedPart {
  readonly in: string;
  readonly name: string;
  readonly version: string;
  readonly licence?: string;
}

function embeddedPart({ in: holder, name, version, licence }: EmbeddedPart): Component {
  return {
    'bom-ref': `${holder}:${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:generic/${name}@${version}`,
    ...(licence !== undefined && { licenses: [{ license: { id: licence } }] }),
    properties: [{ name: compiledInto, value: holder }],
  };
}

function ownFile(file: string, version: string, content: string): Component {
  const hashes = [{ alg: 'SHA-256', content }];
  return { 'bom-ref': `file:${file}`, type: 'file', name: file, version, hashes };
}

function dependenciesAmong(refs: ReadonlySet<string>, all: readonly Dependency[]): Dependency[] {
  return all
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
}
