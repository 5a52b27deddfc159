/**
 * The catalogue of all failures that callers can see, with their status, reason code and documentation.
 * `docs/errors.md` and the OpenAPI document are generated from this catalogue.
 *
 * Where Pdfcrowd publishes a reason code, that code is used; the other codes are specific to Platen.
 */
export interface CatalogueEntry {
  /** HTTP status of the response. */
  readonly status: number;
  /** Value of `x-service-reason-code`. */
  readonly reason: number;
  /** When the service sends this failure: one line for the documentation. */
  readonly when: string;
  /** What the caller should change. */
  readonly remedy: string;
}

export const catalogue = {
  malformedRequest: {
    status: 400,
    reason: 400,
    when: 'The request is not valid HTTP, or is ambiguous.',
    remedy: 'Send the request with an HTTP library.',
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
    remedy: 'Send a form with a file as multipart/form-data, and let the HTTP library write the header.',
  },
  unknownParameter: {
    status: 400,
    reason: 303,
    when: 'The request contains an unknown parameter.',
    remedy: 'Correct the name. The message suggests the nearest known one.',
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
    remedy: 'Split the document, or make the image smaller.',
  },
  valueNotAllowed: {
    status: 400,
    reason: 311,
    when: "A parameter's value is not allowed.",
    remedy: 'Use one of the values in the message.',
  },
  archiveUnusable: {
    status: 400,
    reason: 312,
    when: 'The archive cannot be used.',
    remedy:
      'Send a valid archive with an HTML file, and name the one to convert with zip_main_filename if it has several.',
  },
  dataInvalid: {
    status: 400,
    reason: 313,
    when: 'The template or its data, or the XML of an e-invoice, is invalid.',
    remedy: 'Correct it at the line in the message.',
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
    when: 'The page could not be loaded: for example, the host name was not found, the connection was refused, or TLS failed.',
    remedy: 'Open the address in a browser on the machine where the service runs.',
  },
  addressRefused: {
    status: 400,
    reason: 322,
    when: 'The network policy refuses this address, or browsers block its port.',
    remedy: 'Ask the operator to allow the address (network-allow), or serve the page on another port.',
  },
  timedOut: {
    status: 400,
    reason: 323,
    when: 'The job ran out of time.',
    remedy: 'Make the page smaller, wait for less, or ask the operator for a longer job-timeout.',
  },
  elementNotFound: {
    status: 400,
    reason: 324,
    when: 'No element matched wait_for_element in time, or none matched element_to_convert when the page was ready; or a page reference leads to no element of the document.',
    remedy:
      'Check the selector or the reference, and check that the page shows the element without user interaction.',
  },
  rendererLost: {
    status: 400,
    reason: 326,
    when: "The page's renderer was lost twice, for example because it crashed; the message contains the reason.",
    remedy: 'Simplify the page.',
  },
  scriptThrew: {
    status: 400,
    reason: 327,
    when: 'custom_javascript or on_load_javascript threw an error.',
    remedy: 'Correct the script. The message contains its error.',
  },
  standardNotMet: {
    status: 400,
    reason: 328,
    when: 'The document cannot conform to pdf_standard; the message contains each reason, with the page or the element.',
    remedy:
      'Change what the message names, or send pdf_standard_strict=false to get the document without the claim.',
  },
  notesRefused: {
    status: 400,
    reason: 329,
    when: 'The document would carry a note that fail_on_notes names.',
    remedy: 'Change what the message describes, or omit its code from fail_on_notes.',
  },
  unauthorized: {
    status: 401,
    reason: 106,
    when: 'The credentials are missing or wrong.',
    remedy: 'Send the account name and its API key with HTTP Basic authentication.',
  },
  noCredits: {
    status: 403,
    reason: 105,
    when: 'The account has no credits left, or fewer credits than the output costs.',
    remedy: 'Ask the operator for more credits.',
  },
  operatorOnly: {
    status: 403,
    reason: 402,
    when: 'Only operators are allowed to do this.',
    remedy:
      'Use an operator account; `platen account change NAME --operator on` makes an account an operator.',
  },
  originRefused: {
    status: 403,
    reason: 403,
    when: 'A browser sent the request for a web page of another origin.',
    remedy: 'Ask the operator to add the origin of the page to cors-origins.',
  },
  notFound: {
    status: 404,
    reason: 404,
    when: 'There is nothing at this path.',
    remedy: 'Send conversions with POST to /convert/24.04/.',
  },
  methodNotAllowed: {
    status: 405,
    reason: 405,
    when: 'The path does not support this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  jobNotEnded: {
    status: 409,
    reason: 330,
    when: 'The asynchronous job has not ended, so it has no output yet.',
    remedy: 'Ask again after the number of seconds in Retry-After, or send callback_url.',
  },
  outputGone: {
    status: 410,
    reason: 331,
    when: 'The output of the asynchronous job was deleted or has expired, or the job was canceled.',
    remedy: 'Submit the job again. `keep` and the setting output-keep say how long an output is kept.',
  },
  requestTimeout: {
    status: 408,
    reason: 408,
    when: 'The request took too long to arrive, or stalled for too long.',
    remedy: 'Use a faster connection, or ask the operator for a longer upload-timeout.',
  },
  uploadTooLarge: {
    status: 413,
    reason: 413,
    when: 'The request is larger than the upload limit.',
    remedy: 'Send a smaller request, or ask the operator for a larger max-upload.',
  },
  idempotencyKeyReused: {
    status: 422,
    reason: 332,
    when: 'The Idempotency-Key belongs to an earlier job of the account with another request.',
    remedy: 'Send a new key for each job, and the same key only to repeat the same request.',
  },
  tooManyRequests: {
    status: 429,
    reason: 120,
    when: 'This account sent too many requests or has too many running, or this address sent wrong credentials or unknown debug log ids too often.',
    remedy: 'Wait for the number of seconds in Retry-After.',
  },
  headersTooLarge: {
    status: 431,
    reason: 431,
    when: 'The request headers are larger than 16 kB, or there are more than 100 of them.',
    remedy: 'Send parameters in the body, not in headers or in the URL.',
  },
  internal: {
    status: 500,
    reason: 500,
    when: 'An error in the service.',
    remedy: "Give the job id to the operator. The service's log contains the cause.",
  },
  unavailable: {
    status: 503,
    reason: 503,
    when: 'All windows are busy and the queue is full; the job waited too long; the service is starting, stopping or paused by its operator; or it cannot write its job records or files.',
    remedy: 'Try again after the number of seconds in Retry-After.',
  },
} as const satisfies Record<string, CatalogueEntry>;

export type FailureKind = keyof typeof catalogue;

/** Returns the kind of failure with these status and reason codes; undefined if they are unknown. */
export function kindOf(status: number, reason: number): FailureKind | undefined {
  const kinds = Object.keys(catalogue) as FailureKind[];
  return kinds.find((kind) => catalogue[kind].status === status && catalogue[kind].reason === reason);
}
