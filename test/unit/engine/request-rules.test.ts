import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAdHost } from '../../../main/engine/ad-hosts.ts';
import { longestLoading, patienceLeft } from '../../../main/engine/patience.ts';
import { requestRules, siteOf } from '../../../main/engine/request-rules.ts';
import type { Job } from '../../../main/job/job.ts';
import type { Options } from '../../../main/job/options.ts';
import { defaults } from '../../../main/job/read-fields.ts';

const text: Job['input'] = { kind: 'text', html: '' };
const at = (url: string): Job['input'] => ({ kind: 'url', url: new URL(url) });
const withOptions = (options: Partial<Options>): Options => ({ ...(defaults as Options), ...options });
const rulesOf = (input: Job['input'], options: Partial<Options> = {}) =>
  requestRules({ input, options: withOptions(options) });

test("a page's site is its host, what is below, and for www. the host without it", () => {
  const belongs = siteOf(at('http://www.example.com:8080/a'));
  for (const host of ['www.example.com', 'example.com', 'cdn.example.com', 'a.b.example.com:99'])
    assert.ok(belongs(`http://${host}/x`), host);
  for (const host of ['badexample.com', 'example.com.evil.org', 'example.org', 'com'])
    assert.ok(!belongs(`http://${host}/`), host);
  const app = siteOf(at('http://app.example.com/'));
  assert.deepEqual([app('http://example.com/'), app('http://x.app.example.com/')], [false, true]);
});

test('nothing is below an address, and a name without a dot is itself', () => {
  assert.ok(!siteOf(at('http://10.0.0.1/'))('http://1.10.0.0.1/'));
  assert.ok(siteOf(at('http://[::1]:1/'))('http://[::1]:2/'));
  assert.deepEqual(['http://www/', 'http://intranet/'].map(siteOf(at('http://www/'))), [true, false]);
});

test('what belongs to an https page is never sent unencrypted', () => {
  const belongs = siteOf(at('https://example.com/'));
  const addresses = [
    'https://example.com/',
    'wss://example.com/',
    'http://example.com/',
    'ws://example.com/',
  ];
  assert.deepEqual(addresses.map(belongs), [true, true, false, false]);
});

test('without such options no header is touched', () => {
  const rules = rulesOf(text);
  assert.equal(rules.sent('http://a.example/', { Cookie: 'a=1' }), undefined);
  assert.equal(rules.taken('image', {}), undefined);
  assert.equal(rules.credentialsFor('http://a.example/'), undefined);
});

test("a caller's cookies join those the server has set, which are newer", () => {
  const cookies = [
    { name: 'a', value: 'old' },
    { name: 'b', value: '2' },
  ];
  const { sent } = rulesOf(text, { cookies });
  assert.deepEqual(sent('http://a.example/', { cookie: 'a=new; c=3' }), { Cookie: 'a=new; c=3; b=2' });
  assert.deepEqual(sent('http://a.example/', {}), { Cookie: 'a=old; b=2' });
  assert.equal(sent('platen://job/x', {}), undefined);
  assert.equal(rulesOf(at('http://a.example/'), { cookies }).sent('http://a.example/', {}), undefined);
});

test("a caller's header takes the place of the browser's own, however it is spelled", () => {
  const { sent } = rulesOf(text, { custom_http_header: { name: 'user-agent', value: 'mine' } });
  assert.deepEqual(sent('http://a.example/', { 'User-Agent': 'Chrome', Accept: '*/*' }), {
    Accept: '*/*',
    'user-agent': 'mine',
  });
});

test('fonts may be used by a document that was sent, and the page at an address keeps to the rules of its site', () => {
  const headers = { 'access-control-allow-origin': ['http://only.example'] };
  assert.deepEqual(rulesOf(text).taken('font', headers), { 'Access-Control-Allow-Origin': ['*'] });
  assert.equal(rulesOf(at('http://a.example/')).taken('font', headers), undefined);
});

test("the policy against images stands beside the page's own", () => {
  const { taken } = rulesOf(text, { disable_image_loading: true });
  const policies = taken('mainFrame', { 'content-security-policy': ["script-src 'none'"] });
  assert.deepEqual(policies, { 'Content-Security-Policy': ["script-src 'none'", "img-src 'none'"] });
});

test('a policy forbids the scripts of a page and of its frames where they are disabled', () => {
  const { taken, changesDocuments } = rulesOf(text, { disable_javascript: true });
  const wanted = { 'Content-Security-Policy': ["script-src 'none'"] };
  assert.deepEqual([taken('mainFrame', {}), taken('subFrame', {}), changesDocuments], [wanted, wanted, true]);
  assert.equal(taken('image', {}), undefined);
});

test('frames of another scheme, host or port are of another origin', () => {
  const { forbiddenBy } = rulesOf(text, { load_iframes: 'same-origin' });
  const page = 'http://a.example/page';
  const forbidden = (url: string) => forbiddenBy({ url, resourceType: 'subFrame', page }) === 'load_iframes';
  assert.deepEqual(['http://a.example/x?y', 'blob:http://a.example/uuid'].map(forbidden), [false, false]);
  const others = ['https://a.example/', 'http://a.example:81/', 'http://a.example.org/', 'data:text/html,x'];
  assert.deepEqual(others.map(forbidden), [true, true, true, true]);
  assert.equal(forbiddenBy({ url: 'http://b.example/', resourceType: 'image', page }), undefined);
});

test('an advertising host is known with what is below it, and no other host that ends alike', () => {
  const hosts = ['doubleclick.net', 'ad.g.doubleclick.net', 'notdoubleclick.net', 'net', 'google.com', ''];
  assert.deepEqual(hosts.map(isAdHost), [true, true, false, false, false, false]);
  const { forbiddenBy } = rulesOf(text, { block_ads: true });
  const url = 'https://www.hotjar.com/';
  assert.equal(forbiddenBy({ url, resourceType: 'mainFrame', page: url }), undefined);
  assert.equal(forbiddenBy({ url, resourceType: 'script', page: url }), 'block_ads');
});

test('max_loading_time counts from the beginning of the job and leaves a third of its limit', () => {
  const job = { options: withOptions({ max_loading_time: 10 }) };
  assert.equal(longestLoading(job, 60_000), 10_000);
  assert.equal(longestLoading(job, 6000), 4000);
  assert.equal(patienceLeft({ job, limit: 60_000 }, 4000, 1 / 2), 6000);
  assert.equal(patienceLeft({ job, limit: 60_000 }, 11_000, 1 / 2), 0);
  assert.equal(patienceLeft({ job: { options: withOptions({}) }, limit: 60_000 }, 11_000, 1 / 4), 15_000);
});
