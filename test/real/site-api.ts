/** The dynamic responses of the corpus site: pages of news, a status to poll, event streams and WebSockets that stay open. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { acceptWebSocket, sendText } from '../support/servers/web-socket.ts';

const newsPerPage = 6;
const newsPages = 5;
const apiLatencyMs = 100;
const eventIntervalMs = 500;

const prices = [
  { name: 'Copper', price: '9,410' },
  { name: 'Silver', price: '31.20' },
  { name: 'Zinc', price: '2,977' },
];
const sensors = [
  { name: 'Cellar', value: '11.5 °C' },
  { name: 'Attic', value: '23.0 °C' },
];

export function answerApi(path: string, query: URLSearchParams, response: ServerResponse): void {
  if (path === 'never') return;
  if (path === 'prices') sendPrices(response);
  else if (path === 'news') answerLater(response, newsOf(Number(query.get('page'))));
  else if (path === 'status') answerLater(response, { passed: 212, total: 212 });
  else response.writeHead(404).end();
}

function answerLater(response: ServerResponse, answer: object): void {
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }, apiLatencyMs);
}

function newsOf(page: number): object {
  const items = Array.from({ length: newsPerPage }, (_, index) => {
    const number = (page - 1) * newsPerPage + index + 1;
    return { title: `Headline ${number}`, text: `The story of headline ${number} in one sentence.` };
  });
  return { items, last: page >= newsPages };
}

/** Sends all prices as events, and then repeats one of them until the connection is closed. */
function sendPrices(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const send = (price: object) => response.write(`data: ${JSON.stringify(price)}\n\n`);
  setTimeout(() => {
    for (const price of prices) send(price);
  }, apiLatencyMs);
  const timer = setInterval(() => send({ name: 'Copper', price: '9,410' }), eventIntervalMs);
  response.on('close', () => {
    clearInterval(timer);
  });
}

/** Accepts a WebSocket, sends one text message, and stays open. */
export function acceptSocket(request: IncomingMessage, socket: Duplex): void {
  acceptWebSocket(request, socket);
  setTimeout(() => {
    sendText(socket, JSON.stringify(sensors));
  }, apiLatencyMs);
}
