/** Attacks that use subresources: images, styles, fonts, frames, media, links. */
import type { Attack } from './attack.ts';

const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">${inside}</svg>`;
const link = (attributes: string) => `<link ${attributes}>`;
const style = (css: string) => `<style>${css}</style>`;

export const images: readonly Attack[] = [
  { by: 'an image', page: ({ url }) => `<img src="${url}">` },
  { by: 'the srcset of an image', page: ({ url }) => `<img srcset="${url} 1x, ${url} 2x">` },
  {
    by: 'the source of an image element',
    page: ({ url }) => `<picture><source srcset="${url}"><img></picture>`,
  },
  { by: 'an image requested with CORS', page: ({ url }) => `<img crossorigin src="${url}">` },
  { by: 'an image button of a form', page: ({ url }) => `<input type="image" src="${url}">` },
  {
    by: 'the background attribute of a table',
    page: ({ url }) => `<table background="${url}"><tr><td>x</table>`,
  },
  { by: 'an image element of SVG', page: ({ url }) => svg(`<image href="${url}" width="9" height="9"/>`) },
  {
    by: 'an xlink:href of an SVG image',
    page: ({ url }) => svg(`<image xlink:href="${url}" width="9" height="9"/>`),
  },
  {
    by: 'a feImage filter',
    page: ({ url }) =>
      svg(`<filter id="f"><feImage href="${url}"/></filter><rect width="9" height="9" filter="url(#f)"/>`),
  },
  {
    by: 'HTML inside SVG',
    page: ({ url }) =>
      svg(
        `<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="${url}"/></foreignObject>`,
      ),
  },
  {
    by: 'a use element of SVG from a page of the same site',
    from: 'server',
    page: ({ url, serve, ran }) =>
      `<iframe src="${serve(svg(`<use href="${url}.svg#g"/><image href="${ran}" width="9" height="9"/>`), { type: 'image/svg+xml' })}"></iframe>`,
    blockedByBrowser: true,
  },
  { by: 'a poster of a video', page: ({ url }) => `<video poster="${url}"></video>` },
  { by: 'a video', page: ({ url }) => `<video src="${url}" preload="auto"></video>` },
  { by: 'an audio element', page: ({ url }) => `<audio src="${url}" preload="auto"></audio>` },
  {
    by: 'a source of a video',
    page: ({ url }) => `<video preload="auto"><source src="${url}" type="video/mp4"></video>`,
  },
  {
    by: 'the subtitles of a video',
    page: ({ url }) => `<video crossorigin><track default kind="subtitles" src="${url}.vtt"></video>`,
  },
];

export const styles: readonly Attack[] = [
  { by: 'a style sheet', page: ({ url }) => link(`rel="stylesheet" href="${url}.css"`) },
  { by: 'an imported style sheet', page: ({ url }) => style(`@import url(${url}.css);`) },
  {
    by: 'a chain of style sheets from an allowed server',
    page: ({ url, serve }) =>
      link(`rel="stylesheet" href="${serve(`@import "${url}.css" screen;`, { type: 'text/css' })}"`),
  },
  { by: 'a background', page: ({ url }) => `<p style="background:url(${url})">x` },
  {
    by: 'a background with CSS escapes',
    page: ({ url }) => `<p style="background:u\\72l(${url.replace('http', '\\68ttp')})">x`,
  },
  { by: 'an image-set as background', page: ({ url }) => `<p style='background:image-set("${url}" 1x)'>x` },
  {
    by: 'a background in a CSS variable',
    page: ({ url }) => `<p style="--x:url(${url});background:var(--x)">x`,
  },
  {
    by: 'a font',
    page: ({ id, url }) =>
      style(`@font-face{font-family:"${id}";src:url(${url})}`) + `<p style="font-family:'${id}'">x`,
  },
  { by: 'the marker of a list', page: ({ url }) => `<ul style="list-style-image:url(${url})"><li>x</ul>` },
  { by: 'a border', page: ({ url }) => `<p style="border:9px solid;border-image:url(${url}) 9">x` },
  {
    by: 'generated content',
    page: ({ id, url }) => style(`#${id}::before{content:url(${url})}`) + `<p id="${id}">x`,
  },
  { by: 'a mask', page: ({ url }) => `<p style="mask-image:url(${url})">x` },
  {
    by: 'shape-outside',
    page: ({ url }) => `<p style="float:left;shape-outside:url(${url})">x`,
  },
  {
    by: 'a filter',
    page: ({ url, ran }) => `<p style="filter:url(${url}.svg#g);background:url(${ran})">x`,
    blockedByBrowser: true,
  },
  { by: 'a cursor', page: ({ url }) => `<p style="cursor:url(${url}),auto">x` },
  {
    by: 'a namespace and a media rule of a style sheet',
    page: ({ id, url }) =>
      style(`@namespace x url(${url}); @media all{#${id}{background:url(${url})}}`) + `<p id="${id}">x`,
  },
  { by: 'custom_css', fields: ({ url }) => ({ text: '<p>x', custom_css: `p{background:url(${url})}` }) },
];

export const frames: readonly Attack[] = [
  { by: 'a frame', page: ({ url }) => `<iframe src="${url}"></iframe>` },
  {
    by: 'the frame of a frameset',
    page: ({ url, serve }) =>
      `<iframe src="${serve(`<html><frameset cols="*"><frame src="${url}"></frameset></html>`)}"></iframe>`,
  },
  { by: 'an object', page: ({ url }) => `<object data="${url}" type="text/html"></object>` },
  { by: 'an embedded page', page: ({ url }) => `<embed src="${url}" type="text/html">` },
  { by: 'an embedded image', page: ({ url }) => `<embed src="${url}.svg" type="image/svg+xml">` },
  {
    by: 'the srcdoc of a frame',
    page: ({ url }) => `<iframe srcdoc="<img src='${url}'>"></iframe>`,
  },
  {
    by: 'a page in a data: URL',
    page: ({ url }) => `<iframe src="data:text/html,${encodeURIComponent(`<img src="${url}">`)}"></iframe>`,
  },
  {
    by: 'a frame within a frame within a frame',
    page: ({ url, serve }) =>
      `<iframe src="${serve(`<iframe srcdoc="<iframe src='${url}'></iframe>"></iframe>`)}"></iframe>`,
  },
  {
    by: 'a sandboxed frame',
    page: ({ url, serve }) =>
      `<iframe sandbox="allow-scripts" src="${serve(`<script>fetch("${url}")</script>`)}"></iframe>`,
  },
  {
    by: 'a meta refresh of a frame',
    page: ({ url }) => `<iframe srcdoc="<meta http-equiv=refresh content='0;url=${url}'>"></iframe>`,
  },
  {
    by: 'the Refresh header of a frame',
    page: ({ url, serve }) =>
      `<iframe src="${serve('x', { headers: { refresh: `0;url=${url}` } })}"></iframe>`,
  },
  {
    by: 'an embedded PDF and an applet',
    page: ({ url }) =>
      `<applet archive="${url}1" code="x"></applet><embed src="${url}" type="application/pdf"><object data="${url}" type="application/pdf"></object>`,
  },
  {
    by: 'a base URL',
    page: ({ host, path }) => `<base href="http://${host}/hit/"><img src="${path.slice(5)}">`,
    ownPage: true,
  },
  {
    by: 'a URL without a scheme',
    from: 'server',
    page: ({ host, path }) => `<img src="//${host}${path}">`,
  },
  {
    by: 'a URL with backslashes',
    from: 'server',
    page: ({ host, path }) => `<img src="\\\\${host}\\${path.slice(1)}">`,
  },
];

export const links: readonly Attack[] = [
  ...['image', 'script', 'style', 'font', 'fetch', 'track'].map((kind) => ({
    by: `a preload of a ${kind}`,
    page: ({ url }: { url: string }) => link(`rel="preload" as="${kind}" href="${url}" crossorigin`),
    script: () => '',
  })),
  {
    by: 'a preload of a module',
    page: ({ url }) => link(`rel="modulepreload" href="${url}.js"`),
    script: () => '',
  },
  { by: 'a prefetch of a page', page: ({ url }) => link(`rel="prefetch" href="${url}"`) },
  { by: 'a Link header', headers: ({ url }) => ({ link: `<${url}>; rel=preload; as=image` }), ownPage: true },
  {
    by: 'a preconnect',
    page: ({ host, ran }) =>
      link(`rel="preconnect" href="http://${host}"`) +
      link(`rel="preconnect" href="https://${host}" crossorigin`) +
      link(`rel="dns-prefetch" href="//${host}"`) +
      `<img src="${ran}">`,
    blockedByBrowser: true,
  },
  {
    by: 'a prerender of a page',
    page: ({ url, ran }) => link(`rel="prerender" href="${url}"`) + `<img src="${ran}">`,
    blockedByBrowser: true,
  },
  {
    by: 'speculation rules',
    from: 'server',
    page: ({ url }) => {
      const rules = {
        prefetch: [{ urls: [url], eagerness: 'immediate' }],
        prerender: [{ urls: [url], eagerness: 'immediate' }],
      };
      return `<script type="speculationrules">${JSON.stringify(rules)}</script>`;
    },
  },
  {
    by: 'an icon',
    page: ({ url, ran }) => link(`rel="icon" href="${url}"`) + `<img src="${ran}">`,
    blockedByBrowser: true,
  },
  {
    by: 'a manifest',
    page: ({ url, ran }) => link(`rel="manifest" href="${url}.json"`) + `<img src="${ran}">`,
    blockedByBrowser: true,
  },
];
