import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { completeBill, embedded } from '../../../build/packaging/bill.ts';
import { packagesToShip } from '../../../build/packaging/packages-to-ship.ts';
import { lockedPackages } from '../../support/package-lock.ts';

const packages = lockedPackages(fileURLToPath(new URL('../../..', import.meta.url)));

const listed = {
  bomFormat: 'CycloneDX',
  metadata: { component: { name: 'a-clone', type: 'library' } },
  components: ['express', '@img/sharp-linux-x64', '@napi-rs/canvas-linux-x64-gnu', '@img/sharp-wasm32'].map(
    (name) => ({
      'bom-ref': `${name}@1.0.0`,
      type: 'library',
      name,
      version: '1.0.0',
    }),
  ),
  dependencies: [
    { ref: 'platen@0.1.0', dependsOn: ['express@1.0.0', '@img/sharp-linux-x64@1.0.0'] },
    { ref: '@img/sharp-linux-x64@1.0.0', dependsOn: [] },
  ],
};

const application = {
  name: 'platen',
  version: '0.1.0',
  shipped: ['@img/sharp-wasm32'],
  versions: { electron: '45.4.1', chrome: '156.0.1.2', node: '24.1.0', v8: '15.6' },
  vips: { vips: '8.18.7' },
  files: { 'runtime/resources/app.asar': 'c0ffee' },
  date: new Date(0),
};

test('the bill of materials includes the runtime, libraries compiled into packages, and the files of Platen', () => {
  const bill = completeBill(listed, application);
  const found = (name: string) => bill.components.find((component) => component.name === name);
  assert.equal(found('chromium')?.cpe, 'cpe:2.3:a:google:chrome:156.0.1.2:*:*:*:*:*:*:*');
  for (const [name, version] of [
    ['electron', '45.4.1'],
    ['node', '24.1.0'],
    ['qpdf', '12.2.0'],
    ['vips', '8.18.7'],
  ] as const)
    assert.equal(found(name)?.version, version);
  assert.deepEqual(found('runtime/resources/app.asar')?.hashes, [{ alg: 'SHA-256', content: 'c0ffee' }]);
  assert.deepEqual(bill.metadata.component, {
    'bom-ref': 'platen@0.1.0',
    type: 'application',
    name: 'platen',
    version: '0.1.0',
  });
});

test('packages that are not shipped with the application are not in its bill of materials', () => {
  const bill = completeBill(listed, application);
  assert.doesNotMatch(JSON.stringify(bill), /sharp-linux-x64|canvas/);
  const references = bill.components.map((component) => component['bom-ref']);
  assert.equal(new Set(references).size, references.length, 'each part has a unique reference');
});

test('packages with compiled-in libraries have the versions for which the bill of materials lists the libraries', () => {
  for (const { in: holder } of embedded) {
    const [, name = '', version] = /^(.+)@(.+)$/.exec(holder) ?? [];
    assert.equal(
      packages[`node_modules/${name}`]?.version,
      version,
      `${name} has a new version: update its components in build/packaging/bill.ts`,
    );
  }
});

test('equal applications have equal bills of materials; another version has another serial number', () => {
  const first = completeBill(listed, application);
  const again = completeBill({ ...listed, serialNumber: 'by lot' }, application);
  assert.deepEqual(first, again);
  assert.match(
    first.serialNumber ?? '',
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  assert.equal(first.metadata.timestamp, '1970-01-01T00:00:00.000Z');
  const otherVersion = completeBill(listed, { ...application, version: '0.2.0' });
  assert.notEqual(otherVersion.serialNumber, first.serialNumber);
});

test('an unbundled package is included with its dependencies, without native code of other systems', () => {
  const lock = {
    'node_modules/sharp': {
      dependencies: { 'detect-libc': '1' },
      optionalDependencies: { '@img/sharp-linux-x64': '1', '@img/sharp-darwin-arm64': '1' },
    },
    'node_modules/detect-libc': { dependencies: { sharp: '1' } },
    'node_modules/@img/sharp-linux-x64': { optional: true },
    'node_modules/@img/sharp-darwin-arm64': { optional: true },
    'node_modules/express': {},
  };
  const shipped = (platform: NodeJS.Platform, arch: string, installed: boolean) =>
    packagesToShip(['electron', 'sharp'], { lock, platform, arch, isInstalled: () => installed });
  assert.deepEqual(shipped('linux', 'x64', true), ['detect-libc', 'sharp']);
  assert.deepEqual(shipped('darwin', 'arm64', true), ['@img/sharp-darwin-arm64', 'detect-libc', 'sharp']);
  assert.deepEqual(shipped('darwin', 'x64', true), ['detect-libc', 'sharp']);
  assert.deepEqual(shipped('darwin', 'arm64', false), ['detect-libc', 'sharp']);
});
