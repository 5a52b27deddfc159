/**
 * Generates pages of docs/ (with the modules in build/pages/) and types of the client (with the modules in build/client/) from the
 * tables in main/, and the table of the platform's promises from WebIDL (with the modules in build/webidl/). With --check, it only
 * reports outdated files.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientAnswers } from './client/answers.ts';
import { clientOptions } from './client/options.ts';
import { compatibilityPage } from './pages/compatibility.ts';
import { errorsPage } from './pages/errors.ts';
import { featureVersions } from './pages/feature-versions.ts';
import { metricsPage } from './pages/metrics.ts';
import { optionsPage } from './pages/options.ts';
import { settingsPage } from './pages/settings.ts';
import { platformPromisesTable } from './webidl/table.ts';

const generated: Readonly<Record<string, () => string>> = {
  'docs/options.md': optionsPage,
  'docs/errors.md': errorsPage,
  'docs/settings.md': settingsPage,
  'docs/metrics.md': metricsPage,
  'docs/compatibility.md': compatibilityPage,
  'main/log/findings/feature-versions.ts': featureVersions,
  'client/generated/options.ts': clientOptions,
  'client/generated/answers.ts': clientAnswers,
  'main/engine/page-scripts/settling/generated/platform-promises.ts': platformPromisesTable,
};

const stale = Object.entries(generated).filter(([name, page]) => {
  const path = join(import.meta.dirname, '..', name);
  if (!process.argv.includes('--check')) writeFileSync(path, page());
  return readFileSync(path, 'utf8') !== page();
});
for (const [name] of stale) console.error(`${name} is outdated; run: npm run generate`);
process.exitCode = stale.length === 0 ? 0 : 1;
