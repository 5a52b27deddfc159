/** Starts HAProxy and nginx with the configurations of docs/cluster/, in which only the addresses are replaced. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../postgres/server.ts';
import { project } from '../service/service.ts';
import { waitUntil } from '../wait-until.ts';

export interface LoadBalancer extends AsyncDisposable {
  readonly url: string;
  /** Marks nodes as down in the configuration and reloads it. The others remain. */
  readonly markDown: (ports: readonly number[]) => void;
}

export type BalancerName = 'haproxy' | 'nginx';

/** Returns why a balancer cannot be tested; undefined if it is installed. */
export function balancerMissing(name: BalancerName): string | undefined {
  const { error } = spawnSync(name, ['-v'], { env: programEnvironment });
  const debianPackage = { haproxy: 'haproxy', nginx: 'nginx-light' }[name];
  return error && `${name} is not installed (Debian: apt-get install ${debianPackage})`;
}

/** Debian installs servers in a folder that is not in the PATH of ordinary users. */
const programEnvironment = { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin` };

/** Starts a balancer on a free port of 127.0.0.1, in front of nodes on these ports of 127.0.0.1. */
export async function startBalancer(name: BalancerName, nodePorts: readonly number[]): Promise<LoadBalancer> {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  const port = await freePort();
  const configure = { haproxy: writeHaproxyFiles, nginx: writeNginxFiles }[name];
  const command = configure({ folder, port, nodePorts, downPorts: [] });
  const child = spawn(name, command, { env: programEnvironment, stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await waitUntil(`${name} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${errors}`);
    return await isListening(port);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    markDown(downPorts) {
      configure({ folder, port, nodePorts, downPorts });
      child.kill('SIGHUP');
    },
    async [Symbol.asyncDispose]() {
      process.off('exit', kill);
      await stop(child);
      rmSync(folder, { recursive: true });
    },
  };
}

interface BalancerConfiguration {
  readonly folder: string;
  readonly port: number;
  readonly nodePorts: readonly number[];
  readonly downPorts: readonly number[];
}

/** Writes the configuration and returns the arguments of the program. */
function writeHaproxyFiles({ folder, port, nodePorts, downPorts }: BalancerConfiguration): string[] {
  const isRoot = process.getuid?.() === 0;
  const text = configurationFile('haproxy.cfg')
    .replace(/^ {2}(user|group) .*\n/gm, (line) => (isRoot ? line : ''))
    .replace(/^ {2}bind :80$/m, `  bind 127.0.0.1:${port}`);
  const lineOf = (node: number, index: number) =>
    `  server node${index + 1} 127.0.0.1:${node}${downPorts.includes(node) ? ' disabled' : ''}`;
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, withNodes(text, / {2}server node\d .*\n/g, nodePorts.map(lineOf)));
  return ['-db', '-f', file];
}

function writeNginxFiles({ folder, port, nodePorts, downPorts }: BalancerConfiguration): string[] {
  const text = configurationFile('nginx.conf').replace(/^ {2}listen 80;$/m, `  listen 127.0.0.1:${port};`);
  const [, parameters = ''] = /^ {2}server 10\.[\d.:]+ (.*);$/m.exec(text) ?? [];
  const lineOf = (node: number) =>
    `  server 127.0.0.1:${node} ${downPorts.includes(node) ? 'down' : parameters};`;
  writeFileSync(
    join(folder, 'platen.conf'),
    withNodes(text, / {2}server 10\.[\d.:]+ .*\n/g, nodePorts.map(lineOf)),
  );
  const temporaryFolders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const main = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `daemon off; pid ${folder}/nginx.pid; error_log stderr;`,
    'events { worker_connections 1024; }',
    `http { access_log off; ${temporaryFolders.join(' ')} include ${folder}/platen.conf; }`,
  ];
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, main.join('\n'));
  return ['-c', file, '-p', folder];
}

function configurationFile(name: string): string {
  return readFileSync(join(project, 'docs', 'cluster', name), 'utf8');
}

/** Replaces the lines of the example nodes. @throws Error if there are none */
function withNodes(text: string, examples: RegExp, lines: readonly string[]): string {
  const found = text.match(examples) ?? [];
  if (found.length < 2) throw new Error('the configuration has no lines for two nodes');
  const [first = '', ...others] = found;
  const single = others.reduce((rest, line) => rest.replace(line, ''), text);
  return single.replace(first, `${lines.join('\n')}\n`);
}

/** Returns whether a program accepts connections on a port of 127.0.0.1. */
export async function isListening(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

/** Ends a balancer and its open connections. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
