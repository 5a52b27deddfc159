import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Resolve } from '../../../main/network/name-resolver.ts';
import { admit } from '../../../main/network/resolve-target.ts';
import { targetOfUrl } from '../../../main/network/host-name.ts';
import {
  checkDestination,
  checkHostName,
  readHostPattern,
  type Policy,
} from '../../../main/network/policy.ts';
import { serviceEndpointsReader } from '../../../main/network/service-endpoints.ts';
import { resolverFor, rules } from './rules.ts';

const policies: readonly Policy[] = ['public', 'intranet', 'offline'];
const at = (address: string, host = address, port = 80) => ({ host, port, address });
const reaches = (policy: Policy, address: string) => checkDestination(rules(policy), at(address)).allowed;

describe('the policies', () => {
  test('public allows only public addresses, intranet allows public and private addresses, offline allows none', () => {
    assert.deepEqual(
      policies.map((policy) => reaches(policy, '8.8.8.8')),
      [true, true, false],
    );
    assert.deepEqual(
      policies.map((policy) => reaches(policy, '10.0.0.5')),
      [false, true, false],
    );
  });

  for (const address of [
    '127.0.0.1',
    '::1',
    '169.254.169.254',
    '224.0.0.1',
    '0.0.0.0',
    '192.0.2.2',
    '64:ff9b::7f00:1',
  ]) {
    test(`${address} is refused under every policy unless an exception names it`, () => {
      for (const policy of policies) {
        assert.equal(reaches(policy, address), false);
        assert.equal(checkDestination(rules(policy, { allow: address }), at(address)).allowed, true);
      }
    });
  }

  test('a name that resolves to a loopback address is refused under every policy', () => {
    for (const policy of policies) {
      assert.equal(checkDestination(rules(policy), at('127.0.0.1', 'rebind.example')).allowed, false);
    }
  });

  test('an allowed name is refused if its address cannot be parsed', () => {
    assert.equal(
      checkDestination(rules('intranet', { allow: 'a.example' }), at('nonsense', 'a.example')).allowed,
      false,
    );
  });
});

describe('exceptions', () => {
  test('network-deny takes precedence over network-allow, and both over the policy', () => {
    const both = rules('public', { allow: '10.0.0.0/8', deny: '10.0.0.5' });
    assert.equal(checkDestination(both, at('10.0.0.6')).allowed, true);
    assert.deepEqual(checkDestination(both, at('10.0.0.5')), {
      allowed: false,
      why: 'denied by the exception 10.0.0.5',
    });
  });

  test('a name in network-allow is allowed at every address that network-deny does not contain', () => {
    const named = rules('public', { allow: 'app.corp', deny: '10.9.0.0/16' });
    assert.equal(checkDestination(named, at('127.0.0.1', 'app.corp')).allowed, true);
    assert.equal(checkDestination(named, at('127.0.0.1', 'other.corp')).allowed, false);
    assert.equal(checkDestination(named, at('10.9.1.1', 'app.corp')).allowed, false);
  });

  test('network-deny also covers an address embedded in IPv6; network-allow covers only an IPv4-mapped one', () => {
    const denying = rules('intranet', { deny: '8.8.8.0/24' });
    const allowing = rules('offline', { allow: '8.8.8.0/24' });
    for (const wrapped of ['64:ff9b::808:808', '2002:808:808::', '::8.8.8.8']) {
      assert.equal(checkDestination(denying, at(wrapped)).allowed, false);
      assert.equal(checkDestination(allowing, at(wrapped)).allowed, false);
    }
    // A connection to an IPv4-mapped address goes to the IPv4 address.
    assert.equal(checkDestination(denying, at('::ffff:8.8.8.8')).allowed, false);
    assert.equal(checkDestination(allowing, at('::ffff:8.8.8.8')).allowed, true);
  });

  test('under offline a name without an exception is refused before it is resolved', () => {
    const offline = rules('offline', { allow: '10.0.0.0/8,*.corp' });
    assert.equal(checkHostName(offline, { host: 'secret.evil.example', port: 80 })?.allowed, false);
    assert.equal(checkHostName(offline, { host: 'app.corp', port: 80 }), undefined);
    assert.equal(checkHostName(offline, { host: '10.0.0.5', port: 80 }), undefined);
    assert.equal(checkDestination(offline, at('10.0.0.5')).allowed, true);
  });
});

describe('the pattern', () => {
  const cases: readonly (readonly [pattern: string, hit: string, miss: string])[] = [
    ['example.com', 'example.com:80', 'www.example.com:80'],
    ['Bücher.DE.', 'xn--bcher-kva.de:80', 'bucher.de:80'],
    ['*.example.com', 'a.b.example.com:80', 'example.com:80'],
    ['*.example.com', 'www.example.com:80', 'badexample.com:80'],
    ['example.com:8080', 'example.com:8080', 'example.com:80'],
    ['*.example.com:443', 'www.example.com:443', 'www.example.com:80'],
    ['localhost', 'localhost:3000', 'localhost.example:3000'],
    ['10.0.0.5', '10.0.0.5:80', '10.0.0.6:80'],
    ['10.0.0.5:81', '10.0.0.5:81', '10.0.0.5:80'],
    ['10.0.0.0/8', '10.255.0.1:80', '11.0.0.1:80'],
    ['10.0.0.0/8:81', '10.255.0.1:81', '10.255.0.1:80'],
    ['::1', '::1:80', '::2:80'],
    ['[::1]', '::1:80', '::2:80'],
    ['[::1]:81', '::1:81', '::1:80'],
    ['fd00::/8', 'fd12::1:80', 'fe80::1:80'],
    ['[fd00::]/8:81', 'fd12::1:81', 'fd12::1:80'],
    ['fd00::/8:81', 'fd12::1:81', 'fd12::1:80'],
    ['::ffff:10.0.0.0/104', '10.1.1.1:80', '11.1.1.1:80'],
    ['127.1', '127.0.0.1:80', '127.0.0.2:80'],
  ];
  for (const [text, hit, miss] of cases) {
    test(`${text} matches ${hit} and not ${miss}`, () => {
      const allowed = [hit, miss].map((target) => {
        const colon = target.lastIndexOf(':');
        const host = target.slice(0, colon);
        const address = /^[\d.]+$|:/.test(host) ? host : '127.0.0.1';
        return checkDestination(
          rules('offline', { allow: text }),
          at(address, host, Number(target.slice(colon + 1))),
        ).allowed;
      });
      assert.deepEqual(allowed, [true, false]);
    });
  }

  for (const text of [
    '',
    '*',
    '*.',
    '*:80',
    'a.*.b',
    'http://a',
    'a/b',
    'a:0',
    'a:70000',
    '10.0.0.0/33',
    '::/129',
    'a..b',
    '*.1.2.3.4',
    'a b',
    ':80',
    '10.0.0.0/',
  ]) {
    test(`"${text}" is invalid`, () => {
      assert.equal(readHostPattern(text), undefined);
    });
  }
});

describe('a target', () => {
  const admission = (policy: Policy, url: string, resolve: Resolve) => {
    const target = targetOfUrl(new URL(url));
    assert.ok(target);
    return admit({ rules: rules(policy), resolve }, target);
  };

  test('is refused if it is 127.0.0.1 in any notation, without a DNS lookup', async () => {
    const resolve = resolverFor({});
    for (const url of [
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::ffff:127.0.0.1]/',
      'http://127.0.0.1.:80/',
    ]) {
      assert.equal((await admission('intranet', url, resolve)).kind, 'refused');
    }
    assert.deepEqual(resolve.lookups, []);
  });

  test('is refused if one address of its name is refused, with the exact reason', async () => {
    const resolve = resolverFor({ 'a.example': ['8.8.8.8', '127.0.0.1'] });
    assert.deepEqual(await admission('intranet', 'https://A.example./x', resolve), {
      kind: 'refused',
      refusal: {
        host: 'a.example',
        port: 443,
        address: '127.0.0.1',
        why: 'the policy intranet does not allow loopback addresses',
      },
    });
    assert.deepEqual(resolve.lookups, ['a.example']);
  });

  test('whose name does not resolve is not refused, so that the load reports the real error', async () => {
    assert.equal((await admission('intranet', 'http://no.example/', resolverFor({}))).kind, 'unresolved');
  });

  test('is refused under offline without a DNS lookup', async () => {
    const resolve = resolverFor({ 'a.example': ['8.8.8.8'] });
    assert.equal((await admission('offline', 'http://a.example/', resolve)).kind, 'refused');
    assert.deepEqual(resolve.lookups, []);
  });
});

describe('a request to the service itself', () => {
  const ownEndpoints = {
    addresses: new Set(['10.0.0.7', 'fd00::7']),
    guards: new Set([4001]),
    service: 8080,
  };
  const decisionFor = (destination: ReturnType<typeof at>, allow = '') =>
    checkDestination(rules('intranet', { allow }), destination, ownEndpoints).allowed;

  test('is refused at every address of the machine; other ports and other machines are allowed', () => {
    for (const address of ['10.0.0.7', '::ffff:10.0.0.7', 'fd00::7', '64:ff9b::a00:7'])
      assert.equal(decisionFor(at(address, address, 8080)), false, address);
    assert.equal(decisionFor(at('10.0.0.8', '10.0.0.8', 8080)), true);
    assert.equal(decisionFor(at('10.0.0.7', '10.0.0.7', 80)), true);
  });

  test('is allowed by an exception for its address, port or name, but not by an exception for a network or domain', () => {
    const there = at('10.0.0.7', 'app.corp', 8080);
    for (const allow of ['10.0.0.7', '10.0.0.0/8:8080', 'app.corp', '*.corp:8080', '*.corp,app.corp'])
      assert.equal(decisionFor(there, allow), true, allow);
    for (const allow of ['10.0.0.0/8', '*.corp', '*.corp:80,10.0.0.0/8'])
      assert.equal(decisionFor(there, allow), false, allow);
    assert.equal(decisionFor(at('10.0.0.7', 'app.corp', 8081), '*.corp'), true);
    assert.equal(decisionFor(at('127.0.0.1', '127.0.0.1', 8080), '127.0.0.0/8'), false);
    assert.equal(decisionFor(at('127.0.0.1', '127.0.0.1', 8080), '127.0.0.1'), true);
    assert.equal(decisionFor(at('127.0.0.1', '127.0.0.1', 8081), '127.0.0.0/8'), true);
  });

  test('is never allowed to the ports of the network guards', () => {
    for (const allow of ['127.0.0.1', '127.0.0.1:4001', 'localhost', '0.0.0.0'])
      for (const address of ['127.0.0.1', '::1', '10.0.0.7', '0.0.0.0'])
        assert.equal(decisionFor(at(address, 'localhost', 4001), allow), false, `${address} with ${allow}`);
    assert.equal(decisionFor(at('127.0.0.1', 'localhost', 4002), 'localhost'), true);
  });

  test('is also refused at an address that the machine gets later', () => {
    let time = 0;
    let addresses = ['10.0.0.7'];
    const endpoints = serviceEndpointsReader(
      { guards: new Set(), service: () => 8080 },
      () => addresses,
      () => time,
    );
    assert.deepEqual([...endpoints().addresses], ['10.0.0.7']);
    addresses = ['10.0.0.9', 'fe80::1%eth0'];
    time += 10_000;
    assert.deepEqual([...endpoints().addresses], ['10.0.0.9', 'fe80::1']);
  });
});
