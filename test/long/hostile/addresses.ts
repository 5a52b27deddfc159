/** Attacks that use an unusual notation of a URL: number formats, host names, embedded addresses, and inconsistent parsing. */
import type { Attack } from './attack.ts';

const image = (by: string, host: string): Attack => ({
  by,
  page: ({ port, path }) => `<img src="http://${host}:${port}${path}">`,
});

export const notations: readonly Attack[] = [
  ...[
    '127.1',
    '127.0.1',
    '0x7f.1',
    '0x7F.0x0.0x0.0x1',
    '0177.0.0.1',
    '00000177.0.0.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
  ].map((host) => image(`the number ${host}`, host)),
  image('digits of full width', '１２７.０.０.１'),
  image('digits in circles', '①②⑦.⓪.⓪.①'),
  image('full stops of full width', '127。0｡0．1'),
  image('percent-encoded digits', '%31%32%37.0.0.1'),
  image('a trailing dot', '127.0.0.1.'),
  image('another loopback address', '127.0.0.2'),
  image('the last loopback address', '127.255.255.254'),
  image('the unspecified address', '0.0.0.0'),
  image('zero', '0'),
  image('the loopback address of IPv6', '[::1]'),
  image('the loopback address of IPv6 at full length', '[0000:0000:0000:0000:0000:0000:0000:0001]'),
  image('the unspecified address of IPv6', '[::]'),
  image('an IPv4 address mapped into IPv6', '[::ffff:127.0.0.1]'),
  image('an IPv4 address mapped into IPv6 in hexadecimal', '[::ffff:7f00:1]'),
  image('localhost, which resolves to loopback', 'localhost'),
  image('localhost in capitals', 'LOCALHOST'),
  image('localhost with a trailing dot', 'localhost.'),
];

const canaryOnly = (by: string, host: string, refused = host): Attack => ({
  by,
  page: () => `<img src="http://${host}/">`,
  refusedHost: refused,
  canaryOnly: true,
});

export const reservedAddresses: readonly Attack[] = [
  canaryOnly('the metadata address of cloud machines', '169.254.169.254'),
  canaryOnly('the metadata address of cloud machines as a number', '2852039166', '169.254.169.254'),
  canaryOnly(
    'the metadata address of cloud machines mapped into IPv6',
    '[::ffff:a9fe:a9fe]',
    '::ffff:a9fe:a9fe',
  ),
  canaryOnly("Amazon's metadata address of IPv6", '[fd00:ec2::254]', 'fd00:ec2::254'),
  canaryOnly("Alibaba's metadata address", '100.100.100.200'),
  canaryOnly("Azure's platform address", '168.63.129.16'),
  canaryOnly("Oracle's metadata address", '192.0.0.192'),
  canaryOnly('a link-local address', '169.254.1.1'),
  canaryOnly('a link-local address of IPv6', '[fe80::1]', 'fe80::1'),
  canaryOnly('a multicast address', '224.0.0.251'),
  canaryOnly('a multicast address of IPv6', '[ff02::1]', 'ff02::1'),
  canaryOnly('the broadcast address', '255.255.255.255'),
  canaryOnly('an IPv4-compatible address', '[::127.0.0.1]', '::7f00:1'),
  canaryOnly('a NAT64 address', '[64:ff9b::7f00:1]', '64:ff9b::7f00:1'),
  canaryOnly('a 6to4 address', '[2002:7f00:1::]', '2002:7f00:1::'),
  canaryOnly('a Teredo address', '[2001:0:7f00:1::]', '2001:0:7f00:1::'),
];

/** An image whose URL seems to have another host than the browser's parser finds. */
const confusing = (
  by: string,
  address: (host: string, path: string, allowedHost: string) => string,
  barred?: true,
): Attack => ({
  by,
  page: ({ host, path, ran }) => `<img src="${address(host, path, new URL(ran).host)}"><img src="${ran}">`,
  ...(barred && { blockedByBrowser: barred }),
});

export const confusions: readonly Attack[] = [
  confusing(
    'an allowed host as the user name',
    (host, path, mine) => `http://${mine.replace(':', '%3A')}@${host}${path}`,
    true,
  ),
  confusing(
    'an allowed host as name and password',
    (host, path, mine) => `http://${mine}@${host}${path}`,
    true,
  ),
  confusing('an allowed host in the fragment', (host, path, mine) => `http://${host}${path}#@${mine}/`),
  confusing(
    'an allowed host after a backslash',
    (host, path, mine) => `http://${host}\\@${mine}/../..${path}`,
  ),
  confusing(
    'tabs and line breaks in the URL',
    (host, path) => `h\tt\ntp:/\r/${host.slice(0, 5)}\t${host.slice(5)}${path}`,
  ),
  confusing('spaces before a scheme in capitals', (host, path) => `  HTTP://${host}${path}`),
  confusing('a scheme with one slash', (host, path) => `http:/${host}${path}`),
  confusing('additional slashes', (host, path) => `http:////${host}${path}`),
];

/** Notations of the URL of the page itself. */
export const pageAddresses: readonly Attack[] = [
  ...[
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    'localhost',
    'LOCALHOST.',
  ].map((host): Attack => ({
    by: `the url http://${host}/`,
    fields: ({ port, path }) => ({ url: `http://${host}:${port}${path}` }),
    failsJob: true,
  })),
  {
    by: 'a url over TLS',
    fields: ({ host, path }) => ({ url: `https://${host}${path}`, verify_ssl_certificates: false }),
    failsJob: true,
  },
  {
    by: 'a url with a user name',
    fields: ({ host, path }) => ({ url: `http://example.com@${host}${path}` }),
    failsJob: true,
  },
];
