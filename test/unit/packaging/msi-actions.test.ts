import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import { project } from '../../support/service/service.ts';

const { msiProjectCreated, withPlatenActions } = createRequire(import.meta.url)(
  join(project, 'build', 'packaging', 'windows', 'msi-actions.cjs'),
) as {
  readonly msiProjectCreated: (file: string) => void;
  readonly withPlatenActions: (wixProject: string) => string;
};
const folder = mkdtempSync(join(tmpdir(), 'platen-wix-'));
after(() => {
  rmSync(folder, { recursive: true });
});

/** The template of electron-builder (app-builder-lib, MIT), without the statements and variables of its template language. */
const template = readFileSync(
  join(project, 'test', 'fixtures', 'electron-builder', 'msi-template-26.17.0.xml'),
  'utf8',
)
  .replace(/\{\{[\s\S]*?\}\}/g, '')
  .replaceAll(/\$\{\w+\}/g, 'x');

interface Action {
  readonly Id: string;
  readonly Execute?: string;
  readonly Return?: string;
}

describe("the actions in electron-builder's WiX project", () => {
  const file = join(folder, 'project.wxs');
  writeFileSync(file, template);
  msiProjectCreated(file);
  const text = readFileSync(file, 'utf8');
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });
  const { Wix } = parser.parse(text) as {
    readonly Wix: {
      readonly Product: {
        readonly MajorUpgrade: { readonly Schedule: string };
        readonly CustomAction: readonly Action[];
        readonly Property: readonly { readonly Id: string; readonly Secure?: string }[];
      };
    };
  };

  test('include the removal of the old version in the transaction', () => {
    assert.equal(Wix.Product.MajorUpgrade.Schedule, 'afterInstallInitialize');
  });

  test('undo a stop, a start and a new service if the installation fails later', () => {
    const rollbacks = Wix.Product.CustomAction.filter(({ Execute }) => Execute === 'rollback');
    assert.deepEqual(
      rollbacks.map(({ Id }) => Id),
      ['PlatenUndoSuspend', 'PlatenUndoResume', 'PlatenUndoService'],
    );
  });

  test('accept the public properties from an administrator who is not elevated', () => {
    const secure = Wix.Product.Property.filter(
      ({ Id, Secure }) => Id.startsWith('PLATEN_') && Secure === 'yes',
    );
    assert.deepEqual(
      secure.map(({ Id }) => Id),
      ['PLATEN_SERVICE', 'PLATEN_PORT', 'PLATEN_HOST', 'PLATEN_DATA', 'PLATEN_FIREWALL'],
    );
  });

  test('are refused for a project with another structure', () => {
    assert.throws(() => withPlatenActions('<Wix></Wix>'), /no MajorUpgrade or no Product/);
  });
});
