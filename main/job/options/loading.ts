/** The options of loading: what a page is loaded with, what it may load, and when it is ready. */
import { flag, integer, oneOf, text } from '../../fields/kinds.ts';
import { cookies, header, languageTag, proxyAddress, upload } from '../option-kinds.ts';
import { inGroup } from './option-row.ts';

const sites =
  'It goes to the site of url; when the document itself was sent, to every address it loads from.';

export const loadingRows = inGroup('Loading', 'both', {
  cookies: {
    kind: cookies,
    says: `Cookies the page is loaded with, as name=value;name=value. ${sites}`,
    secret: true,
  },
  custom_http_header: {
    kind: header,
    says: `A header of every request, as Name:value. ${sites}`,
    secret: true,
  },
  http_auth_user_name: {
    kind: text('a user name'),
    says: `User name for a page behind HTTP authentication. ${sites}`,
    // An API key is a user name without a password to many services.
    secret: true,
  },
  http_auth_password: {
    kind: text('a password'),
    says: 'Password for a page behind HTTP authentication.',
    secret: true,
  },
  client_certificate: {
    kind: upload,
    says: 'A PKCS #12 certificate (.p12, .pfx), as a file part, shown to the site of url when it asks for one.',
    secret: true,
  },
  client_certificate_password: {
    kind: text('a password'),
    says: 'Password of client_certificate.',
    secret: true,
  },
  verify_ssl_certificates: {
    kind: flag,
    default: 'true',
    twinDefault: 'false',
    says: 'Load nothing from a site whose TLS certificate is not valid. With --alias pdfcrowd it is off unless given, as programs written for it expect.',
  },
  http_proxy: {
    kind: proxyAddress,
    says: 'Proxy that http addresses are loaded through. The network policy applies to it and to what is loaded.',
  },
  https_proxy: {
    kind: proxyAddress,
    says: 'Proxy that https addresses are loaded through.',
  },
  converter_user_agent: {
    kind: text('chrome-desktop, chrome-mobile, latest-chrome-desktop, latest-chrome-mobile, or any text'),
    default: 'latest-chrome-desktop',
    says: 'What the browser calls itself.',
  },
  use_mobile_user_agent: {
    kind: flag,
    default: 'false',
    says: 'Older way to say converter_user_agent=latest-chrome-mobile.',
  },
  locale: {
    kind: languageTag,
    default: 'en-US',
    says: 'Language the page is asked for in, and of dates, numbers and currencies in its scripts and in a template.',
  },
  disable_javascript: {
    kind: flag,
    default: 'false',
    says: "Run no script of the page's own. custom_javascript and on_load_javascript still run.",
  },
  disable_image_loading: {
    kind: flag,
    default: 'false',
    says: 'Load no images.',
  },
  disable_remote_fonts: {
    kind: flag,
    default: 'false',
    says: 'Load no fonts from the network.',
  },
  load_iframes: {
    kind: oneOf(['all', 'same-origin', 'none']),
    default: 'all',
    says: 'Which frames of the page are loaded.',
  },
  block_ads: {
    kind: flag,
    default: 'false',
    says: 'Load nothing from well-known advertising and tracking networks.',
  },
  max_loading_time: {
    kind: integer(1, 3600, 'seconds'),
    says: 'After this time what has not arrived is not waited for any longer. Without it that is half of the job limit.',
  },
  fail_on_main_url_error: {
    kind: flag,
    default: 'false',
    says: 'Fail when the page itself is answered with a status of 400 or more.',
  },
  fail_on_any_url_error: {
    kind: flag,
    default: 'false',
    says: 'Fail when anything the page loads is answered with a status of 400 or more, does not arrive, or is still on its way when the page is converted.',
  },
  no_xpdfcrowd_header: {
    kind: flag,
    says: 'Send no X-Pdfcrowd header to pages.',
    withoutEffect: 'pages are never sent that header',
  },
  subprocess_referrer: {
    kind: text('a text'),
    says: 'Referrer of sub-requests.',
    withoutEffect: 'what it does is documented nowhere',
  },
});
