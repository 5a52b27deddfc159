/** Reports: a grid of cards with SVG charts and a web font, and charts drawn by a script. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../../support/service/service.ts';
import { randomOf, type Random } from '../../soak/random.ts';
import { pdfOf, type BenchDocument } from './document.ts';
import { openProse, page } from './prose.ts';

const charts = 18;

export function report(): BenchDocument {
  const random = randomOf(3);
  const { paragraph } = openProse(3);
  const cards = Array.from({ length: charts }, (_, index) => card(index + 1, random, paragraph(2)));
  const html = page('Report', reportStyle(), `<h1>Report of the year</h1><main>${cards.join('')}</main>`);
  return { name: 'report', title: reportTitle, html, scripts: false, expected: pdfOf(3), long: false };
}

const reportTitle = 'report: grid, SVG, web font';

function reportStyle(): string {
  const font = readFileSync(
    join(project, 'node_modules', 'pdfjs-dist', 'standard_fonts', 'LiberationSans-Bold.ttf'),
  );
  return `@font-face { font-family: Brand; src: url(data:font/ttf;base64,${font.toString('base64')}) }
    h1, h2 { font-family: Brand } h2 { font-size: 17px; margin: 0 0 8px }
    main { display: grid; grid-template-columns: 1fr 1fr; gap: 20px }
    .card { border: 1px solid #ccd; border-radius: 10px; padding: 14px; break-inside: avoid;
      background: linear-gradient(#fff, #f4f6fb) } svg { width: 100% } p { font-size: 13px }`;
}

function card(number: number, random: Random, text: string): string {
  const bars = Array.from({ length: 24 }, (_, index) => bar(index, random));
  const points = Array.from({ length: 60 }, (_, index) => `${index * 8},${Math.round(random() * 150)}`);
  const line = `<polyline points="${points.join(' ')}" fill="none" stroke="#c30" stroke-width="2"/>`;
  return `<div class="card"><h2>Branch ${number}</h2><svg viewBox="0 0 480 180">${bars.join('')}${line}</svg>${text}</div>`;
}

function bar(index: number, random: Random): string {
  const height = Math.round(20 + random() * 140);
  return `<rect x="${index * 20}" y="${170 - height}" width="14" height="${height}" rx="3" fill="hsl(${index * 15} 60% 60%)"/>`;
}

export function chart(): BenchDocument {
  const style = 'svg, canvas { display: block; margin: 0 0 20px; border: 1px solid #ccc }';
  const body = `<h1>Charts</h1><div id="charts"></div><script>${drawCharts}</script>`;
  const html = page('Charts', style, body);
  return {
    name: 'chart',
    title: 'charts drawn by script',
    html,
    scripts: true,
    expected: pdfOf(2),
    long: false,
  };
}

/** The script of the document: half of the charts are SVG, and half are drawn on a canvas. */
const drawCharts = `
  const place = document.getElementById('charts');
  const valueAt = (number, at) => 90 + 70 * Math.sin(at / (5 + number)) * Math.cos((at * number) / 40);
  for (let number = 0; number < 5; number += 1) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('width', 1000);
    svg.setAttribute('height', 200);
    for (let at = 0; at < 120; at += 1) {
      const bar = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      const value = valueAt(number, at);
      const shape = { x: at * 8, y: 190 - value, width: 6, height: value, fill: 'hsl(' + at * 3 + ' 70% 50%)' };
      for (const name of Object.keys(shape)) bar.setAttribute(name, shape[name]);
      svg.append(bar);
    }
    const canvas = document.createElement('canvas');
    canvas.width = 1000;
    canvas.height = 200;
    const context = canvas.getContext('2d');
    context.beginPath();
    for (let at = 0; at < 1000; at += 1) context.lineTo(at, 190 - valueAt(number + 3, at / 8));
    context.stroke();
    place.append(svg, canvas);
  }`;
