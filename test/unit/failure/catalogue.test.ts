import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue } from '../../../main/failure/catalogue.ts';

/** The codes are part of the API; clients branch on them. */
const contract = {
  malformedRequest: '400.400',
  noInput: '400.301',
  bodyFormat: '400.302',
  unknownParameter: '400.303',
  notHtml: '400.305',
  tooComplex: '400.306',
  valueNotAllowed: '400.311',
  archiveUnusable: '400.312',
  dataInvalid: '400.313',
  urlInvalid: '400.320',
  pageNotLoaded: '400.321',
  addressRefused: '400.322',
  timedOut: '400.323',
  elementNotFound: '400.324',
  rendererLost: '400.326',
  scriptThrew: '400.327',
  standardNotMet: '400.328',
  notesRefused: '400.329',
  unauthorized: '401.106',
  noCredits: '403.105',
  operatorOnly: '403.402',
  originRefused: '403.403',
  notFound: '404.404',
  methodNotAllowed: '405.405',
  requestTimeout: '408.408',
  jobNotEnded: '409.330',
  outputGone: '410.331',
  uploadTooLarge: '413.413',
  idempotencyKeyReused: '422.332',
  tooManyRequests: '429.120',
  headersTooLarge: '431.431',
  internal: '500.500',
  unavailable: '503.503',
};

test('the catalogue of failures has exactly the status and reason codes of the API', () => {
  const numbers = Object.entries(catalogue).map(([kind, { status, reason }]) => [
    kind,
    `${status}.${reason}`,
  ]);
  assert.deepEqual(Object.fromEntries(numbers), contract);
});

test('every kind of failure says in one sentence when it occurs, and in one sentence what to change', () => {
  for (const [kind, { when, remedy }] of Object.entries(catalogue)) {
    for (const sentence of [when, remedy]) assert.match(sentence, /^\S.* .*\S\.$/, kind);
  }
});
