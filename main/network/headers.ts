/** Owns which headers a proxy passes on. */
import { validateHeaderName, validateHeaderValue } from 'node:http';

/**
 * Raw headers (names and values in turn, as Node's `rawHeaders`) without those that concern one connection only (RFC 9110, 7.6.1), without
 * `drop` (lower case), and without such as Node would refuse to write: browsers shrug at what old servers send.
 */
export function endToEnd(raw: readonly string[], drop: readonly string[] = []): string[] {
  const pairs = pairsOf(raw);
  const dropped = new Set([...HOP_BY_HOP, ...drop, ...namedByConnection(pairs)]);
  return pairs.filter(([name, value]) => !dropped.has(name.toLowerCase()) && isWritable(name, value)).flat();
}

function pairsOf(raw: readonly string[]): readonly (readonly [name: string, value: string])[] {
  const pairs: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) pairs.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return pairs;
}

function namedByConnection(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) =>
      value
        .toLowerCase()
        .split(',')
        .map((name) => name.trim()),
    );
}

function isWritable(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
