/** The program of the candidate `peer-loop`: keeps pages of one browser open, and navigates them from document to document. */
import { fitViewport, openBrowser, pagesVariable, produce, type PeerPage } from './puppeteer-browser.ts';
import { serveRequests, replyWithProblem, type Worker } from './ipc-worker.ts';

begin().catch(replyWithProblem);

async function begin(): Promise<void> {
  const browser = await openBrowser();
  const pages = Array.from({ length: Number(process.env[pagesVariable]) }, () => browser.newPage());
  const workers = (await Promise.all(pages)).map(workerOn);
  serveRequests(() => Promise.resolve(workers));
}

function workerOn(page: PeerPage): Worker {
  return async ({ url, expected }) => {
    await fitViewport(page, expected);
    await page.goto(url);
    return await produce(page, expected);
  };
}
