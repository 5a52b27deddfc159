/**
 * The pages that the desktop client shows while it cannot show the console: sign-in, and a service that is not running. No scripts.
 */
import type { ClientTexts } from '../tray/texts.ts';

const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action platen-client:; base-uri 'none'";

const style = `
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
  body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: light-dark(#f3f2ef, #15171a); color: light-dark(#1f2a30, #f4f1ea); }
  main { width: 22rem; padding: 2rem; }
  h1 { font-size: 1.35rem; margin: 0 0 0.5rem; }
  label { display: block; margin-top: 1rem; font-weight: 600; }
  input { box-sizing: border-box; width: 100%; margin-top: 0.25rem; padding: 0.5rem; font: inherit; }
  button { margin-top: 1.25rem; padding: 0.5rem 1rem; font: inherit; }
  [role='alert'] { color: light-dark(#a3271b, #ff9d92); }
`;

function page(title: string, body: string): Response {
  const html = `<!doctype html><meta charset="utf-8"><title>Platen</title><style>${style}</style><main><h1>${title}</h1>${body}</main>`;
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  });
}

/** Returns the page with the form for the user name and the key. `url`: the service; `isRefused`: whether a key was refused. */
export function signInPage(texts: ClientTexts, url: string, isRefused: boolean): Response {
  return page(
    texts.signIn,
    `<p>${texts.signInTo(escapeHtml(url))}</p>${isRefused ? `<p role="alert">${texts.refused}</p>` : ''}
<form method="post" action="/sign-in">
  <label>${texts.userName}<input name="user" autocomplete="off" required autofocus></label>
  <label>${texts.key}<input name="key" type="password" autocomplete="off" required></label>
  <button>${texts.signIn}</button>
</form>`,
  );
}

export function notRunningPage(texts: ClientTexts): Response {
  return page(texts.notRunning, `<p role="status">${texts.reconnects}</p>`);
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
