/**
 * The catalogue of all a caller may be told. It knows no subject, only names, numbers and sentences;
 * `docs/errors.md` and the OpenAPI document are made from it.
 *
 * `known` numbers are those of the API's public twin; the others are ours.
 */
export interface CatalogueEntry {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Value of `x-service-reason-code`. */
  readonly reason: number;
  /** When it is answered: one line for the documentation. */
  readonly when: string;
  /** What the caller should change. */
  readonly remedy: string;
}

export const catalogue = {
  malformedRequest: {
    status: 400,
    reason: 400,
    when: 'The request is not sound HTTP, or could be read in two ways.',
    remedy: 'Let an HTTP library write the request.',
  },
  noInput: {
    status: 400,
    reason: 301,
    when: 'No input was given.',
    remedy: 'Send one of url, file or text.',
  },
  bodyFormat: {
    status: 400,
    reason: 302,
    when: 'The content type does not match the body, or is neither multipart/form-data nor application/x-www-form-urlencoded; or a file field is not a file.',
    remedy:
      'Send the form as multipart/form-data when it carries a file, and let the HTTP library write the header.',
  },
  unknownParameter: {
    status: 400,
    reason: 303,
    when: 'A parameter is not known.',
    remedy: 'Correct the name; the message names the nearest known one.',
  },
  notHtml: {
    status: 400,
    reason: 305,
    when: 'The HTML is missing, empty or not HTML.',
    remedy: 'Send an HTML document.',
  },
  tooComplex: {
    status: 400,
    reason: 306,
    when: 'The document is too complex or too large to convert.',
    remedy: 'Split the document, or make the picture smaller.',
  },
  valueNotAllowed: {
    status: 400,
    reason: 311,
    when: "A parameter's value is not allowed.",
    remedy: 'Use one of the values the message names.',
  },
  archiveUnusable: {
    status: 400,
    reason: 312,
    when: 'The archive cannot be used.',
    remedy: 'Send a sound archive with an HTML file at its top.',
  },
  templateInvalid: {
    status: 400,
    reason: 313,
    when: 'The template or its data is invalid.',
    remedy: 'Correct the place the message names.',
  },
  urlInvalid: {
    status: 400,
    reason: 320,
    when: 'The URL is not valid, or its scheme is neither http nor https.',
    remedy: 'Send a complete address such as https://example.com/invoice.html.',
  },
  pageNotLoaded: {
    status: 400,
    reason: 321,
    when: 'The page could not be loaded: its name was not found, the connection was refused, TLS failed, and the like.',
    remedy: 'Open the address in a browser on the machine where the service runs.',
  },
  addressRefused: {
    status: 400,
    reason: 322,
    when: 'The network policy refuses this address.',
    remedy: 'Ask the operator to allow it (network-allow).',
  },
  timedOut: {
    status: 400,
    reason: 323,
    when: 'The job ran out of time.',
    remedy: 'Make the page lighter, wait for less, or ask the operator for a longer job-timeout.',
  },
  elementNotFound: {
    status: 400,
    reason: 324,
    when: 'No element matched wait_for_element in time, or element_to_convert when the page was ready.',
    remedy: 'Check the selector, or that the page shows the element without being clicked.',
  },
  rendererCrashed: {
    status: 400,
    reason: 326,
    when: "The page's renderer crashed twice.",
    remedy: 'Simplify the page.',
  },
  scriptThrew: {
    status: 400,
    reason: 327,
    when: 'custom_javascript or on_load_javascript threw an error.',
    remedy: 'Correct the script; the message holds its error.',
  },
  unauthorized: {
    status: 401,
    reason: 106,
    when: 'No credentials, or wrong ones.',
    remedy: 'Send the account name and its key by HTTP Basic authentication.',
  },
  noCredits: {
    status: 403,
    reason: 105,
    when: 'The account has no credits left, or fewer than the output costs.',
    remedy: 'Ask the operator for more credits.',
  },
  operatorOnly: {
    status: 403,
    reason: 402,
    when: 'The service was asked for what only operators may do.',
    remedy: 'Use the account of an operator; `platen account change NAME --operator on` makes one.',
  },
  originRefused: {
    status: 403,
    reason: 403,
    when: 'A web page of another origin asks, from a browser.',
    remedy: 'Ask the operator to name the origin of the page in cors-origins.',
  },
  notFound: {
    status: 404,
    reason: 404,
    when: 'There is nothing at this path.',
    remedy: 'Conversions are posted to /convert/24.04/.',
  },
  methodNotAllowed: {
    status: 405,
    reason: 405,
    when: 'The path does not take this method.',
    remedy: 'Use a method the Allow header names.',
  },
  requestTimeout: {
    status: 408,
    reason: 408,
    when: 'The request took too long to arrive, or nothing of it came for too long.',
    remedy: 'Send it over a faster line, or ask the operator for a longer upload-timeout.',
  },
  uploadTooLarge: {
    status: 413,
    reason: 413,
    when: 'The request is larger than the upload limit.',
    remedy: 'Send less, or ask the operator for a larger max-upload.',
  },
  tooManyRequests: {
    status: 429,
    reason: 120,
    when: 'Too many requests for this account, or too many wrong credentials from this address.',
    remedy: 'Wait as long as Retry-After says.',
  },
  headersTooLarge: {
    status: 431,
    reason: 431,
    when: "The request's headers are larger than 16 kB, or are more than 100.",
    remedy: 'Send parameters in the body, not in headers or in the address.',
  },
  internal: {
    status: 500,
    reason: 500,
    when: "A fault of the service's own.",
    remedy: 'Give the job id to the operator, whose log holds the cause.',
  },
  unavailable: {
    status: 503,
    reason: 503,
    when: 'All windows are busy and the queue is full, the wait was too long, the service is starting, stopping or paused by its operator, its record of jobs cannot be written, or it has no room for its files.',
    remedy: 'Try again after the seconds that Retry-After names.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type FailureKind = keyof typeof catalogue;
