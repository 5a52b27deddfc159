/** Options that change the state of a window, and scripts that detect the change in the next job. */
import type { Fields } from '../../../support/service/convert.ts';

export interface WindowOption {
  readonly fields: Fields;
  /** The body of an async function in a page, whose result shows whether the option has an effect. */
  readonly probe: string;
}

const echoed = (header: string) =>
  `return JSON.parse(await (await fetch('/echo')).text())['${header}'] ?? null`;

export const windowOptions: readonly WindowOption[] = [
  { fields: { converter_user_agent: 'planted/1' }, probe: 'return navigator.userAgent' },
  { fields: { use_mobile_user_agent: true }, probe: echoed('user-agent') },
  {
    fields: { locale: 'pt-BR' },
    probe: 'return [navigator.language, (1.5).toLocaleString(), new Date(0).toLocaleDateString()]',
  },
  { fields: { locale: 'de' }, probe: echoed('accept-language') },
  { fields: { content_viewport_width: 555 }, probe: 'return innerWidth' },
  { fields: { use_print_media: true }, probe: "return matchMedia('print').matches" },
  { fields: { cookies: 'a=planted' }, probe: echoed('cookie') },
  { fields: { custom_http_header: 'X-Planted:planted' }, probe: echoed('x-planted') },
  {
    fields: { http_auth_user_name: 'planted', http_auth_password: 'planted' },
    probe: "return (await fetch('/signed-in')).status",
  },
  {
    fields: { on_load_javascript: "globalThis.planted = 1; document.cookie = 'c=planted'" },
    probe:
      "await new Promise((resolve) => { if (document.readyState === 'complete') resolve(); else onload = resolve }); await soon(new Promise(() => {})); return [globalThis.planted ?? null, document.cookie]",
  },
  {
    fields: { custom_css: 'body{outline:7px solid}' },
    probe:
      "await new Promise((resolve) => { if (document.readyState === 'complete') resolve(); else onload = resolve }); await soon(new Promise(() => {})); return getComputedStyle(document.body).outlineWidth",
  },
  {
    fields: { disable_image_loading: true },
    probe:
      "return new Promise((resolve) => { const i = new Image(); i.onload = i.onerror = ({ type }) => resolve(type); i.src = '/dot.svg' })",
  },
  {
    fields: { load_iframes: 'none' },
    probe:
      "await leave('framed'); return new Promise((resolve) => { const f = document.createElement('iframe'); f.onload = () => resolve(f.contentDocument?.body?.textContent ?? ''); f.src = '/left'; document.body.append(f); setTimeout(resolve, 5000, 'none') })",
  },
];
