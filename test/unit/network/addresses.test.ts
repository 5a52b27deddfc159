import assert from 'node:assert/strict';
import { test } from 'node:test';
import { classifyAddress, type AddressClass } from '../../../main/network/addresses.ts';
import { authorityOf, readHost, targetOfAuthority, targetOfUrl } from '../../../main/network/host-name.ts';

const addressesByClass: Readonly<Record<AddressClass, readonly string[]>> = {
  public: [
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    '64:ff9b:1::808:808',
    '64:ff9b:1:fffe::808:808',
    '2002:808:808::1',
    '2001:0:808:808:0:0:f7f7:f7f7',
  ],
  private: [
    '10.0.0.5',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    'fd00::2',
    'fec0::1',
    '::ffff:10.0.0.5',
    '64:ff9b::10.0.0.5',
    '2002:a00:5::',
    // A /48 prefix of RFC 8215 with a private address; the last 32 bits, which a /96 prefix would use, are a public address.
    '64:ff9b:1:a00:0:500:808:808',
  ],
  loopback: [
    '127.0.0.1',
    '127.255.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    // Teredo writes the client's address inverted.
    '2001:0:808:808:0:0:80ff:fffe',
  ],
  'link-local': [
    '169.254.1.1',
    '169.254.169.254',
    'fe80::1',
    'fe80::1%eth0',
    'fe80::1%eth-0.1',
    'fd00:ec2::254',
    '100.100.100.200',
    '::ffff:100.100.100.200',
    '168.63.129.16',
    '64:ff9b::a9fe:a9fe',
  ],
  multicast: ['224.0.0.1', '239.1.2.3', 'ff02::1'],
  unspecified: ['0.0.0.0', '0.1.2.3', '255.255.255.255', '::', '::ffff:0.0.0.0', '64:ff9b::'],
  reserved: ['192.0.2.2', '198.18.0.1', '203.0.113.9', '240.0.0.1', '2001:db8::1', '100::1', '4000::1'],
};

for (const [kind, addresses] of Object.entries(addressesByClass)) {
  for (const address of addresses) {
    test(`${address} is a ${kind} address`, () => {
      assert.equal(classifyAddress(address), kind);
    });
  }
}

for (const text of [
  '',
  'example.com',
  '127.1',
  '2130706433',
  '[::1]',
  '1.2.3.4%eth0',
  '1.2.3.4.5',
  '010.0.0.1',
]) {
  test(`"${text}" is not an address`, () => {
    assert.equal(classifyAddress(text), undefined);
  });
}

const notations = [
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0x7f000001/',
  'http://127.1/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://①②⑦.0.0.1/',
  'http:\\\\127.0.0.1\\x',
];
for (const notation of notations) {
  test(`${notation} leads to 127.0.0.1`, () => {
    assert.deepEqual(targetOfUrl(new URL(notation)), { host: '127.0.0.1', port: 80 });
  });
}

test('a host is normalised to lower-case punycode, without trailing dot, brackets or zone', () => {
  const spellings = ['EXAMPLE.com.', 'bücher.de', '[::1]', 'fe80::1%eth0', '0x7f.1', 'foo_bar'];
  const expected = ['example.com', 'xn--bcher-kva.de', '::1', 'fe80::1', '127.0.0.1', 'foo_bar'];
  assert.deepEqual(spellings.map(readHost), expected);
});

test('text that is not a host is rejected', () => {
  for (const text of ['', '.', 'a b', 'foo/bar', 'user@host', '256.1.1.1', 'a:b']) {
    assert.equal(readHost(text), undefined, text);
  }
});

test('the target of a CONNECT line is read in any notation', () => {
  assert.deepEqual(targetOfAuthority('EXAMPLE.com:443'), { host: 'example.com', port: 443 });
  assert.deepEqual(targetOfAuthority('[::1]:80'), { host: '::1', port: 80 });
  assert.deepEqual(targetOfAuthority('0x7f.1:80'), { host: '127.0.0.1', port: 80 });
  for (const text of ['example.com', 'example.com:', ':80', 'a:99999', 'a/b:80']) {
    assert.equal(targetOfAuthority(text), undefined, text);
  }
  assert.equal(authorityOf({ host: '::1', port: 80 }), '[::1]:80');
});

test('the port of a target is that of its URL, or the default of its scheme', () => {
  assert.equal(targetOfUrl(new URL('wss://a'))?.port, 443);
  assert.equal(targetOfUrl(new URL('http://a:0/'))?.port, 0);
  assert.equal(targetOfUrl(new URL('file:///etc/passwd')), undefined);
});
