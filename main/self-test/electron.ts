/** The check that reports how the service uses this version of Electron (engine/window/electron-adapter.ts). */
import { callInPage } from '../engine/devtools/evaluate.ts';
import { loadPage } from '../engine/loading/load-page.ts';
import { collectGarbage, printMethod, schemeMethod } from '../engine/window/electron-adapter.ts';
import { withInternalWindow, inlineSource } from '../converter/internal-job.ts';
import { messageOf } from '../failure/failure.ts';
import { internalJob, type Check, type CheckContext } from './check.ts';

export const electron: Check = {
  name: 'electron',
  advice: 'Reinstall this version.',
  async run(context) {
    const { electron: version, chrome } = process.versions;
    const { isOffscreen, ratio, printing, serving } = await windowFacts(context);
    if (!isOffscreen) throw new Error(`Electron ${version} opens windows on the desktop`);
    const collector = collectorProblem();
    const parts = [
      `printing: ${printing === 'public' ? 'public printToPDF' : `private method of Electron ${version}`}`,
      'page calls: IPC of the preload script',
      `documents: ${serving === 'stream' ? 'registerStreamProtocol' : 'protocol.handle'}`,
      `offscreen windows: devicePixelRatio ${ratio}`,
      `garbage collector: ${collector === undefined ? 'exposed' : 'not exposed'}`,
    ];
    const text = `Electron ${version}, Chromium ${chrome}; ${parts.join('; ')}`;
    if (collector !== undefined) return { warning: `${text}, so memory is freed later (${collector}).` };
    if (ratio !== 1)
      return { warning: `${text}; images may have the wrong size, because the ratio is not 1.` };
    return `${text}.`;
  },
};

async function windowFacts(context: CheckContext) {
  const source = inlineSource('<!DOCTYPE html><p>Electron', { scripts: false, headerFooter: {} });
  return withInternalWindow({ ...internalJob(context), source }, context, async (window, run) => {
    await loadPage(window, source, run);
    return {
      isOffscreen: window.contents.isOffscreen(),
      ratio: await callInPage(window.contents, () => devicePixelRatio),
      printing: printMethod(window.contents),
      serving: schemeMethod(window.contents.session.protocol),
    };
  });
}

/** Returns why the garbage collector cannot be run; undefined if it can. */
function collectorProblem(): string | undefined {
  try {
    collectGarbage();
    return undefined;
  } catch (problem) {
    return messageOf(problem);
  }
}
