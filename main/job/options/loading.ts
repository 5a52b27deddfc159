/** The options for loading: what is sent with requests, what a page may load, and when loading fails. */
import { flag, integer, oneOf, text } from '../../fields/kinds.ts';
import { cookies, header, languageTag, noteCodes, proxyAddress, upload } from '../option-kinds.ts';
import { optionGroup } from './option-row.ts';

const recipients =
  'Sent to the site of url; when the request contains the document itself, to every address it loads from.';

export const loadingRows = optionGroup('Loading', 'both', {
  cookies: {
    kind: cookies,
    description: `Cookies for loading the page, as name=value;name=value. ${recipients}`,
    secret: true,
  },
  custom_http_header: {
    kind: header,
    description: `Header to add to every request, as Name:value. ${recipients}`,
    secret: true,
  },
  http_auth_user_name: {
    kind: text('a user name'),
    description: `User name for a page behind HTTP authentication. ${recipients}`,
    // Many services take an API key as a user name without a password.
    secret: true,
  },
  http_auth_password: {
    kind: text('a password'),
    description: 'Password for a page behind HTTP authentication.',
    secret: true,
  },
  client_certificate: {
    kind: upload,
    description:
      'A PKCS #12 certificate (.p12, .pfx), as a file part, presented to the site of url on request.',
    secret: true,
  },
  client_certificate_password: {
    kind: text('a password'),
    description: 'Password of client_certificate.',
    secret: true,
  },
  verify_ssl_certificates: {
    kind: flag,
    default: 'true',
    pdfcrowdDefault: 'false',
    description:
      'Load nothing from a site whose TLS certificate is not valid. With --alias pdfcrowd, the default is false, as in Pdfcrowd.',
  },
  http_proxy: {
    kind: proxyAddress,
    description:
      'Proxy for http addresses. The network policy applies to the proxy and to the addresses loaded through it.',
  },
  https_proxy: {
    kind: proxyAddress,
    description: 'Proxy for https addresses.',
  },
  converter_user_agent: {
    kind: text('chrome-desktop, chrome-mobile, latest-chrome-desktop, latest-chrome-mobile, or any text'),
    default: 'latest-chrome-desktop',
    description: 'User agent of the browser.',
  },
  use_mobile_user_agent: {
    kind: flag,
    default: 'false',
    description: 'Older form of converter_user_agent=latest-chrome-mobile.',
  },
  locale: {
    kind: languageTag,
    default: 'en-US',
    description:
      'Language to request the page in, and to format dates, numbers and currencies in its scripts and in a template.',
  },
  disable_javascript: {
    kind: flag,
    default: 'false',
    description: 'Do not run the scripts of the page. custom_javascript and on_load_javascript still run.',
  },
  disable_image_loading: {
    kind: flag,
    default: 'false',
    description: 'Load no images.',
  },
  disable_remote_fonts: {
    kind: flag,
    default: 'false',
    description: 'Load no fonts from the network.',
  },
  load_iframes: {
    kind: oneOf(['all', 'same-origin', 'none']),
    default: 'all',
    description: 'Frames of the page to load.',
  },
  block_ads: {
    kind: flag,
    default: 'false',
    description: 'Load nothing from well-known advertising and tracking networks.',
  },
  max_loading_time: {
    kind: integer(1, 3600, 'seconds'),
    description:
      'Time after which pending requests are no longer waited for. Default: half of the setting job-timeout (60 s).',
  },
  fail_on_main_url_error: {
    kind: flag,
    default: 'false',
    description: 'Fail when the response to the page itself has a status of 400 or more.',
  },
  fail_on_any_url_error: {
    kind: flag,
    default: 'false',
    description:
      'Fail when a request of the page gets a status of 400 or more, fails, or is still pending when the page is converted.',
  },
  fail_on_notes: {
    kind: noteCodes,
    isExtension: true,
    description:
      'Fail instead of sending a document that would carry one of these notes; any: a note with any code. The header x-service-note-codes lists the codes of a document.',
  },
  no_xpdfcrowd_header: {
    kind: flag,
    description: 'Do not send the X-Pdfcrowd header to pages.',
    noEffectReason: 'Platen never sends that header',
  },
  subprocess_referrer: {
    kind: text('text'),
    description: 'Referrer of subrequests.',
    noEffectReason: 'its effect is not documented anywhere',
  },
});
