/** Checks the files of docs/cluster/ with the programs and schemas that will read them. test/api/cluster/ runs the load balancers. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import ts from 'typescript';
import { parseAllDocuments, parse } from 'yaml';
import { debianUnit } from '../../build/packaging/debian-unit.ts';
import { project } from '../support/service/service.ts';

const folder = join(project, 'docs', 'cluster');
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const temporary = mkdtempSync(join(tmpdir(), 'platen-cluster-files-'));
after(() => {
  rmSync(temporary, { recursive: true });
});

/** Returns why a test that needs this program is skipped, or false. */
function missing(program: string, debianPackage: string): string | false {
  const { error } = spawnSync(program, ['--version']);
  return error !== undefined && `${program} is not installed (Debian: apt-get install ${debianPackage})`;
}

describe('The systemd unit of a node', () => {
  const unit = textOf('platen@.service');

  test('is valid for systemd', { skip: missing('systemd-analyze', 'systemd') }, () => {
    const verify = (text: string) => {
      const path = join(temporary, 'platen@.service');
      // systemd-analyze wants an executable that exists.
      writeFileSync(path, text.replace('/opt/platen/platen', process.execPath));
      const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
      return (stdout + stderr).split('\n').filter((line) => line.includes('platen@'));
    };
    assert.deepEqual(verify(unit), []);
    assert.notDeepEqual(verify(unit.replace('LoadCredential=', 'LoadCredentials=')), []);
  });

  test('has all restrictions of the unit that platen service install writes', () => {
    const installed = debianUnit();
    const directives = (text: string) =>
      text.split('\n').filter((line) => /^\w+=/.test(line) && !/^(ExecStart|Description)=/.test(line));
    const ofInstance = unit.replaceAll('platen-%i', 'platen');
    assert.deepEqual(
      directives(installed).filter((line) => !directives(ofInstance).includes(line)),
      [],
    );
  });
});

describe('The Kubernetes manifest', () => {
  const typeOf: Readonly<Record<string, string>> = {
    Secret: 'core/v1',
    Deployment: 'apps/v1',
    Service: 'core/v1',
    PodDisruptionBudget: 'policy/v1',
  };

  /** Compiles the documents as literals of the types that kubernetes-types has from the OpenAPI schema of Kubernetes. */
  function problemsOf(text: string): readonly string[] {
    const statements = parseAllDocuments(text).map((document, index) => {
      const value = document.toJS() as { readonly kind: string };
      const type = `import('kubernetes-types/${typeOf[value.kind] ?? 'unknown'}').${value.kind}`;
      return `export const document${index}: ${type} = ${JSON.stringify(value, null, 1)};`;
    });
    const file = join(project, 'test', 'unit', 'manifest-of-test.ts');
    const source = statements.join('\n');
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      types: [],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    };
    const host = ts.createCompilerHost(options);
    host.fileExists = (path) => path === file || ts.sys.fileExists(path);
    host.getSourceFile = (path, target) => {
      const content = path === file ? source : ts.sys.readFile(path);
      return content === undefined ? undefined : ts.createSourceFile(path, content, target);
    };
    const program = ts.createProgram([file], options, host);
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  }

  const manifest = textOf('kubernetes.yaml');

  test('has only fields and values of the schema of Kubernetes', () => {
    assert.deepEqual(problemsOf(manifest), []);
  });

  test('would be refused with a misspelt, a missing or a mistyped field', () => {
    for (const [from, to] of [
      ['readinessProbe:', 'readynessProbe:'],
      ['mountPath: /data', 'path: /data'],
      ['replicas: 2', "replicas: 'two'"],
    ] as const) {
      assert.ok(manifest.includes(from));
      assert.equal(problemsOf(manifest.replace(from, to)).length, 1, to);
    }
  });

  test('selects the nodes of its deployment, and gives a drain enough time', () => {
    const [, deployment, service, budget] = parseAllDocuments(manifest).map(
      (document) => document.toJS() as KubernetesObject,
    );
    const pod = deployment?.spec.template;
    assert.deepEqual(pod?.metadata.labels, { app: 'platen' });
    assert.deepEqual(deployment?.spec.selector, { matchLabels: pod.metadata.labels });
    assert.deepEqual(service?.spec.selector, pod.metadata.labels);
    assert.deepEqual(budget?.spec.selector, { matchLabels: pod.metadata.labels });
    const [container] = pod.spec.containers;
    const drainSeconds = Number(/sleep (\d+)/.exec(container?.lifecycle.preStop.exec.command[2] ?? '')?.[1]);
    // queue-timeout and job-timeout; then 30 s for running jobs after SIGTERM.
    assert.ok(drainSeconds >= 90 && pod.spec.terminationGracePeriodSeconds >= drainSeconds + 45);
  });
});

interface KubernetesObject {
  readonly spec: {
    readonly selector: object;
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly {
          readonly lifecycle: {
            readonly preStop: { readonly exec: { readonly command: readonly string[] } };
          };
        }[];
      };
    };
  };
}

/** The metrics in docs/metrics.md with their labels. */
function documentedMetrics(): ReadonlyMap<string, readonly string[]> {
  const page = readFileSync(join(project, 'docs', 'metrics.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(platen_\w+)` \| (\w+) \| (.*?) \|/gm)];
  return new Map(
    rows.map(([, name = '', , labels = '']) => [
      name,
      [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
    ]),
  );
}

/** Returns the series and labels in a PromQL expression that no node has. */
function unknownSeries(expression: string): readonly string[] {
  const metrics = documentedMetrics();
  /** Added by Prometheus, and by a node that shares its database. */
  const always = ['job', 'instance', 'node', 'le'];
  return [
    ...expression.matchAll(/\b(platen_\w+?)(?:_bucket|_sum|_count)?(?:\{([^}]*)\}|(?=[^\w"]|$))/g),
  ].flatMap(([, name = '', selector = '']) => {
    const labels = metrics.get(name);
    if (labels === undefined) return [name];
    const used = [...selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label);
    return used.filter((label) => !labels.includes(label) && !always.includes(label));
  });
}

interface AlertRule {
  readonly alert: string;
  readonly expr: string;
}

describe('The alerting rules', () => {
  const { groups } = parse(textOf('prometheus-alerts.yml')) as {
    readonly groups: readonly { readonly rules: readonly AlertRule[] }[];
  };

  test('use only metrics and labels that exist', () => {
    const rules = groups.flatMap(({ rules }) => rules);
    assert.ok(rules.length > 10);
    assert.deepEqual(
      rules.flatMap(({ expr }) => unknownSeries(expr)),
      [],
    );
  });

  test('fire when a node, the database or jobs fail', { skip: missing('promtool', 'prometheus') }, () => {
    cpSync(join(folder, 'prometheus-alerts.yml'), join(temporary, 'prometheus-alerts.yml'));
    cpSync(join(project, 'test/fixtures/prometheus/alert-tests.yml'), join(temporary, 'alert-tests.yml'));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'alert-tests.yml'], {
      cwd: temporary,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stdout + stderr);
  });
});

interface DashboardPanel {
  readonly id: number;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string }[];
}

describe('The Grafana dashboard', () => {
  const { panels } = JSON.parse(textOf('grafana-dashboard.json')) as {
    readonly panels: readonly DashboardPanel[];
  };
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

  test('shows every metric of a node, and only metrics and labels that exist', () => {
    assert.deepEqual(expressions.flatMap(unknownSeries), []);
    const shown = expressions.join('\n');
    const names = [...documentedMetrics().keys()];
    assert.deepEqual(
      names.filter((name) => !shown.includes(name)),
      [],
    );
  });

  test('has valid queries', { skip: missing('promtool', 'prometheus') }, () => {
    const rules = expressions.map((expr, index) => ({
      record: `query${index}`,
      expr: expr.replaceAll('$job', 'platen').replaceAll('$node', '.*'),
    }));
    const file = join(temporary, 'queries.yml');
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  });

  test('has panels that do not overlap', () => {
    const cells = panels.flatMap(({ title, gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => ({
        title,
        cell: `${x + (cell % w)},${y + Math.floor(cell / w)}`,
      })),
    );
    assert.equal(new Set(cells.map(({ cell }) => cell)).size, cells.length);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    assert.ok(panels.every(({ gridPos: { x, w } }) => x + w <= 24));
  });
});
