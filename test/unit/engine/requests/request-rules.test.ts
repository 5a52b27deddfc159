import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAdHost } from '../../../../main/engine/requests/ad-hosts.ts';
import { maxLoadingMs, loadTimeoutLeft } from '../../../../main/engine/loading/load-timeout.ts';
import { requestRules, siteMatcher } from '../../../../main/engine/requests/request-rules.ts';
import type { Job } from '../../../../main/job/job.ts';
import type { Options } from '../../../../main/job/options.ts';
import { defaults } from '../../../../main/job/read-fields.ts';

const text: Job['input'] = { kind: 'text', html: '' };
const at = (url: string): Job['input'] => ({ kind: 'url', url: new URL(url) });
const withOptions = (options: Partial<Options>): Options => ({ ...(defaults as Options), ...options });
const rulesOf = (input: Job['input'], options: Partial<Options> = {}) =>
  requestRules({ input, options: withOptions(options) });

test('the site of a page is its host without a leading www., with all subdomains', () => {
  const belongs = siteMatcher(at('http://www.example.com:8080/a'));
  for (const host of ['www.example.com', 'example.com', 'cdn.example.com', 'a.b.example.com:99'])
    assert.ok(belongs(`http://${host}/x`), host);
  for (const host of ['badexample.com', 'example.com.evil.org', 'example.org', 'com'])
    assert.ok(!belongs(`http://${host}/`), host);
  const app = siteMatcher(at('http://app.example.com/'));
  assert.deepEqual([app('http://example.com/'), app('http://x.app.example.com/')], [false, true]);
});

test('IP addresses and names without a dot have no subdomains', () => {
  assert.ok(!siteMatcher(at('http://10.0.0.1/'))('http://1.10.0.0.1/'));
  assert.ok(siteMatcher(at('http://[::1]:1/'))('http://[::1]:2/'));
  assert.deepEqual(['http://www/', 'http://intranet/'].map(siteMatcher(at('http://www/'))), [true, false]);
});

test('the site of an https page excludes http and ws URLs, so that credentials are never sent unencrypted', () => {
  const belongs = siteMatcher(at('https://example.com/'));
  const addresses = [
    'https://example.com/',
    'wss://example.com/',
    'http://example.com/',
    'ws://example.com/',
  ];
  assert.deepEqual(addresses.map(belongs), [true, true, false, false]);
});

test('headers stay unchanged without header options', () => {
  const rules = rulesOf(text);
  assert.equal(rules.changeRequestHeaders('http://a.example/', { Cookie: 'a=1' }), undefined);
  assert.equal(rules.changeResponseHeaders('image', {}), undefined);
  assert.equal(rules.credentialsFor('http://a.example/'), undefined);
});

test("a caller's cookies are added to those of the server, which take precedence", () => {
  const cookies = [
    { name: 'a', value: 'old' },
    { name: 'b', value: '2' },
  ];
  const { changeRequestHeaders } = rulesOf(text, { cookies });
  assert.deepEqual(changeRequestHeaders('http://a.example/', { cookie: 'a=new; c=3' }), {
    Cookie: 'a=new; c=3; b=2',
  });
  assert.deepEqual(changeRequestHeaders('http://a.example/', {}), { Cookie: 'a=old; b=2' });
  assert.equal(changeRequestHeaders('platen://job/x', {}), undefined);
  assert.equal(
    rulesOf(at('http://a.example/'), { cookies }).changeRequestHeaders('http://a.example/', {}),
    undefined,
  );
});

test("a caller's header replaces the browser's header of the same name, regardless of case", () => {
  const { changeRequestHeaders } = rulesOf(text, {
    custom_http_header: { name: 'user-agent', value: 'mine' },
  });
  assert.deepEqual(changeRequestHeaders('http://a.example/', { 'User-Agent': 'Chrome', Accept: '*/*' }), {
    Accept: '*/*',
    'user-agent': 'mine',
  });
});

test('an uploaded document may use fonts of other sites, but a page loaded by URL obeys CORS', () => {
  const headers = { 'access-control-allow-origin': ['http://only.example'] };
  assert.deepEqual(rulesOf(text).changeResponseHeaders('font', headers), {
    'Access-Control-Allow-Origin': ['*'],
  });
  assert.equal(rulesOf(at('http://a.example/')).changeResponseHeaders('font', headers), undefined);
});

test('disable_image_loading adds a Content-Security-Policy to that of the page', () => {
  const { changeResponseHeaders } = rulesOf(text, { disable_image_loading: true });
  const policies = changeResponseHeaders('mainFrame', { 'content-security-policy': ["script-src 'none'"] });
  assert.deepEqual(policies, { 'Content-Security-Policy': ["script-src 'none'", "img-src 'none'"] });
});

test('disable_javascript adds a Content-Security-Policy to the page and its frames', () => {
  const { changeResponseHeaders, changesDocumentHeaders } = rulesOf(text, { disable_javascript: true });
  const expected = { 'Content-Security-Policy': ["script-src 'none'"] };
  assert.deepEqual(
    [changeResponseHeaders('mainFrame', {}), changeResponseHeaders('subFrame', {}), changesDocumentHeaders],
    [expected, expected, true],
  );
  assert.equal(changeResponseHeaders('image', {}), undefined);
});

test('load_iframes=same-origin blocks frames with another scheme, host or port', () => {
  const { blockingOption } = rulesOf(text, { load_iframes: 'same-origin' });
  const pageUrl = 'http://a.example/page';
  const forbidden = (url: string) =>
    blockingOption({ url, resourceType: 'subFrame', pageUrl }) === 'load_iframes';
  assert.deepEqual(['http://a.example/x?y', 'blob:http://a.example/uuid'].map(forbidden), [false, false]);
  const others = ['https://a.example/', 'http://a.example:81/', 'http://a.example.org/', 'data:text/html,x'];
  assert.deepEqual(others.map(forbidden), [true, true, true, true]);
  assert.equal(blockingOption({ url: 'http://b.example/', resourceType: 'image', pageUrl }), undefined);
});

test('block_ads blocks ad hosts and their subdomains, but neither hosts with the same ending nor the main page', () => {
  const hosts = ['doubleclick.net', 'ad.g.doubleclick.net', 'notdoubleclick.net', 'net', 'google.com', ''];
  assert.deepEqual(hosts.map(isAdHost), [true, true, false, false, false, false]);
  const { blockingOption } = rulesOf(text, { block_ads: true });
  const url = 'https://www.hotjar.com/';
  assert.equal(blockingOption({ url, resourceType: 'mainFrame', pageUrl: url }), undefined);
  assert.equal(blockingOption({ url, resourceType: 'script', pageUrl: url }), 'block_ads');
});

test('max_loading_time counts from the start of the job, and is limited to two thirds of the job timeout', () => {
  const job = { options: withOptions({ max_loading_time: 10 }) };
  assert.equal(maxLoadingMs(job, 60_000), 10_000);
  assert.equal(maxLoadingMs(job, 6000), 4000);
  assert.equal(loadTimeoutLeft({ job, jobTimeoutMs: 60_000 }, 4000, 1 / 2), 6000);
  assert.equal(loadTimeoutLeft({ job, jobTimeoutMs: 60_000 }, 11_000, 1 / 2), 0);
  assert.equal(
    loadTimeoutLeft({ job: { options: withOptions({}) }, jobTimeoutMs: 60_000 }, 11_000, 1 / 4),
    15_000,
  );
});
