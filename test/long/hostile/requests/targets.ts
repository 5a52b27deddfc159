/** Requests with hostile request targets or credentials. */
import { request, shop, type BadRequest } from './bad-request.ts';

const auth = `Authorization: ${shop}`;

const target = (line: string, expected: RegExp, headers = [auth]): BadRequest => ({
  what: line.length > 70 ? `${line.slice(0, 70)}...` : line,
  request: request(line, headers),
  expected,
});

export const targets: readonly BadRequest[] = [
  target('GET /convert/../metrics', /^404 404\.404 - /),
  target('GET /convert/..%2fmetrics', /^404 404\.404 - /),
  target('GET /convert%2f24.04%2f', /^404 404\.404 - /),
  target('POST //convert//24.04//', /^404 404\.404 - /),
  target('GET /debug-log/../../../../etc/passwd', /^401 401\.106 - /, []),
  target('GET /debug-log/..%2f..%2f..%2f..%2fetc%2fpasswd', /^404 404\.404 - /, []),
  target('GET /debug-log/..%5c..%5cconfig.json', /^404 404\.404 - /, []),
  target('GET /debug-log/%2e%2e', /^40[14] 40[14]\./, []),
  target('GET /debug-log/', /^40[14] 40[14]\./, []),
  target('GET /debug-log/a%00b', /^404 404\.404 - /, []),
  target('GET /debug-log/*', /^404 404\.404 - /, []),
  target(`GET /debug-log/${'a'.repeat(8000)}`, /^404 404\.404 - /, []),
  target('GET /debug-log/%c0%ae%c0%ae%c0%af', /^404 404\.404 - /, []),
  target('GET /jobs/%27%20OR%201=1--', /^404 404\.404 - /),
  target('GET /jobs?before=%27%20OR%201=1--', /^400 400\.311 - /),
  target('GET /jobs?account=demo', /^400 400\.311 - /),
  target('GET /jobs?limit=9e99', /^400 400\.311 - /),
  target('GET /jobs?__proto__=1&limit=1', /^400 400\.303 - /),
  target('GET /jobs?limit=1&limit=2', /^400 400\.311 - /),
  target('GET /nothing?errfmt=JSON', /^404 \{"status_code":404,"reason_code":404,"message":"[^"]*"\}$/),
  target('GET /nothing?errfmt[]=json', /^404 404\.404 - /),
  target('GET /nothing?errfmt=%3Cscript%3E', /^404 404\.404 - /),
  target('GET /%3Cscript%3Ealert(1)%3C/script%3E', /^404 404\.404 - /),
  target('GET /nothing%0d%0aX-Evil:%201', /^404 404\.404 - /),
  target('OPTIONS *', /^40[0145] 40/),
];

const credential = (what: string, value: string, expected = /^401 401\.106 - /): BadRequest => ({
  what: `credentials ${what}`,
  request: request('GET /jobs', [`Authorization: ${value}`]),
  expected,
});

const coded = (bytes: string) => `Basic ${Buffer.from(bytes, 'latin1').toString('base64')}`;

export const credentials: readonly BadRequest[] = [
  {
    ...credential('of an account in another case', coded('SHOP:key')),
    expected: /^(401 401\.106 - |200 )/,
    status: 200,
  },
  credential('with a key in another case', coded('shop:KEY')),
  credential('with a space after the key', coded('shop:key ')),
  credential('with a NUL after the user', coded('shop\0:key')),
  credential('with a NUL after the key', coded('shop:key\0')),
  credential('with an empty user and key', coded(':')),
  credential('without a colon', coded('shop')),
  credential('that are not UTF-8', coded('sh\xf6p:key')),
  credential('with SQL', coded("' OR '1'='1:key")),
  credential('named __proto__', coded('__proto__:key')),
  credential('of 10,000 characters', coded(`${'a'.repeat(5000)}:${'b'.repeat(2000)}`)),
  credential('with the Bearer scheme', `Bearer ${Buffer.from('shop:key').toString('base64')}`),
  credential('with the Digest scheme', 'Digest username="shop", realm="Platen", uri="/jobs", response="x"'),
  credential('that are not base64', 'Basic !!!!'),
];
