/** Open pages of one browser that navigate from document to document. A separate program. */
import { fitViewport, openBrowser, pagesVariable, produce, type PeerPage } from './puppeteer-browser.ts';
import { takeOrders, tellProblem, type Worker } from './take-orders.ts';

begin().catch(tellProblem);

async function begin(): Promise<void> {
  const browser = await openBrowser();
  const pages = Array.from({ length: Number(process.env[pagesVariable]) }, () => browser.newPage());
  const workers = (await Promise.all(pages)).map(workerOn);
  takeOrders(() => Promise.resolve(workers));
}

function workerOn(page: PeerPage): Worker {
  return async ({ url, wanted }) => {
    await fitViewport(page, wanted);
    await page.goto(url);
    return await produce(page, wanted);
  };
}
