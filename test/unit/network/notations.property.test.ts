import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { displayUrl } from '../../../main/engine/requests/shown-address.ts';
import { withoutCredentials } from '../../../main/log/masking.ts';
import { classifyAddress, readAddress } from '../../../main/network/addresses.ts';
import { admit } from '../../../main/network/resolve-target.ts';
import {
  readHost,
  targetOfAuthority,
  targetOfUrl,
  type HostAndPort,
} from '../../../main/network/host-name.ts';
import { readHostPattern } from '../../../main/network/policy.ts';
import {
  dotted,
  internalAddresses,
  publicAddresses,
  spellings,
  reservedAddresses,
  embeddedInIpv6,
  type Bytes,
} from './notations.ts';
import { resolverFor, rules } from './rules.ts';

const publicOnly = rules('public');

async function isAdmitted(target: HostAndPort | undefined): Promise<boolean> {
  assert.ok(target);
  return (await admit({ rules: publicOnly, resolve: resolverFor({}) }, target)).kind === 'admitted';
}

/** Returns the host as the target of an http: URL, of a wss: URL and of a CONNECT line. */
const targets = (host: string) => [
  targetOfUrl(new URL(`http://${host}/`)),
  targetOfUrl(new URL(`wss://user@${host}:8443/x?y#z`)),
  targetOfAuthority(`${new URL(`http://${host}/`).hostname}:80`),
];

const written = (address: fc.Arbitrary<Bytes>) =>
  address.chain((bytes) => fc.oneof(spellings(bytes), embeddedInIpv6(bytes)));

describe('an address in any notation', () => {
  test('is refused if it is private', async () => {
    await fc.assert(
      fc.asyncProperty(written(internalAddresses), async (host) => {
        for (const target of targets(host)) assert.equal(await isAdmitted(target), false);
      }),
      { numRuns: 3000 },
    );
  });

  test('is refused if it is unassigned', async () => {
    await fc.assert(
      fc.asyncProperty(reservedAddresses.chain(spellings), async (host) => {
        for (const target of targets(host)) assert.equal(await isAdmitted(target), false);
      }),
      { numRuns: 1000 },
    );
  });

  test('is allowed if it is public', async () => {
    await fc.assert(
      fc.asyncProperty(written(publicAddresses), async (host) => {
        for (const target of targets(host)) assert.equal(await isAdmitted(target), true);
      }),
      { numRuns: 1000 },
    );
  });

  test('is refused if network-deny contains it', async () => {
    const same = publicAddresses.chain((bytes) =>
      fc.tuple(fc.constant(bytes), fc.oneof(spellings(bytes), embeddedInIpv6(bytes))),
    );
    await fc.assert(
      fc.asyncProperty(same, async ([bytes, host]) => {
        const denying = rules('public', { deny: dotted(bytes) });
        const target = targetOfUrl(new URL(`http://${host}/`));
        assert.ok(target);
        assert.equal((await admit({ rules: denying, resolve: resolverFor({}) }, target)).kind, 'refused');
      }),
      { numRuns: 500 },
    );
  });

  test('is not public if it embeds a private address in IPv6, with or without a zone', () => {
    const zone = fc.constantFrom('', '%1', '%eth0', '%..', '%%');
    fc.assert(
      fc.property(internalAddresses.chain(embeddedInIpv6), zone, (host, scope) => {
        assert.notEqual(classifyAddress(host.slice(1, -1)), 'public');
        assert.notEqual(classifyAddress(`${host.slice(1, -1)}${scope}`), 'public');
      }),
    );
  });
});

/** Random text, including strings that only some of the parsers accept. */
const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.webAuthority({ withIPv4: true, withIPv4Extended: true, withIPv6: true, withPort: true }),
  fc.domain(),
  fc.ipV6(),
  fc
    .array(
      fc.constantFrom(
        '0x7f',
        '127',
        '1',
        '.',
        '0',
        '。',
        '%2e',
        '[',
        ']',
        ':',
        '::',
        '@',
        'ß',
        'xn--',
        '-',
        '\\',
        '\t',
        'a',
      ),
      {
        maxLength: 9,
      },
    )
    .map((parts) => parts.join('')),
);

const canonical = (host: string) => readAddress(host)?.toString() ?? host;

/** Does not use URL.canParse: Node 20 returns a wrong result for ß once V8 has optimised it (as in nodejs/node#48816). */
function parsed(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
}

describe('any text as a host', () => {
  test('is read as by browsers (WHATWG URL), or refused', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const host = readHost(text);
        if (host === undefined) return;
        const url = `http://${text.includes(':') && !text.startsWith('[') ? `[${text.replace(/%.*$/, '')}]` : text}/`;
        const browsers = parsed(url)?.hostname.replace(/^\[|\]$|\.+$/g, '');
        assert.equal(canonical(host), browsers === undefined ? 'no host' : canonical(browsers));
      }),
      { numRuns: 5000, examples: [['[0x7f]']] },
    );
  });

  test('leads to the same address as with the URL parser', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom('http', 'https', 'ws', 'wss'), (text, scheme) => {
        const address = `${scheme}://${text}/`;
        const url = parsed(address);
        const target = url && targetOfUrl(url);
        if (target === undefined) return;
        assert.equal(canonical(target.host), canonical((url?.hostname ?? '').replace(/^\[|\]$|\.+$/g, '')));
        assert.ok(Number.isInteger(target.port) && target.port <= 65_535);
      }),
      { numRuns: 5000 },
    );
  });

  test('never makes the parsers of CONNECT lines and exceptions throw', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom('', ':80', ':0', ':65536', '/8', '/33', '/'), (text, more) => {
        const target = targetOfAuthority(text + more);
        if (target !== undefined) assert.equal(readHost(target.host), target.host);
        const pattern = readHostPattern(text + more);
        if (pattern?.port !== undefined) assert.ok(pattern.port > 0 && pattern.port <= 65_535);
      }),
      { numRuns: 3000, examples: [['0x7f..', ':80']] },
    );
  });
});

describe('a displayed address', () => {
  const secret = fc.stringMatching(/^[\w!$&'()*+,;=.~-]{6,20}$/);
  const scheme = fc.constantFrom('http', 'https', 'ws', 'wss', 'ftp', 'HTTP');

  test('contains neither the user name nor the password', () => {
    fc.assert(
      fc.property(scheme, secret, secret, fc.webUrl(), (kind, user, password, url) => {
        const address = `${kind}://us-${user}:pw-${password}@${url.replace(/^https?:\/\//, '')}`;
        for (const shown of [displayUrl(address), withoutCredentials(address)])
          assert.ok(!shown.includes(`us-${user}`) && !shown.includes(`pw-${password}`), shown);
      }),
    );
  });

  test('does not contain the value of a secret field in the query, fragment or path', () => {
    const field = fc.constantFrom(
      'token',
      'access_token',
      'X-Amz-Signature',
      'api_key',
      'PASSWORD',
      'sid',
      'client-secret',
    );
    const others = fc.webQueryParameters();
    fc.assert(
      fc.property(
        fc.webUrl(),
        field,
        secret,
        others,
        fc.constantFrom('?', '#', ';'),
        (url, name, value, rest, mark) => {
          const safeValue = value.replace(/[;&#?]/g, '_');
          const address = `${url}${mark}${name}=pw-${safeValue}&${rest}`;
          assert.ok(!displayUrl(address).includes(`pw-${safeValue}`), displayUrl(address));
        },
      ),
    );
  });
});
