/** Stories of the interface: tests that run both in a browser and in the console window. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { project } from '../../support/service/service.ts';
import type { WebServer } from '../../support/servers/web-server.ts';

/** Where a story runs; the user is an operator. */
export interface StoryContext {
  readonly is: 'browser' | 'window';
  readonly page: Page;
  /** The URL of the service, without a trailing slash. */
  readonly url: string;
  /** A small site that pages may load from. */
  readonly site: WebServer;
  /** Returns the text in the clipboard. */
  readonly clipboard: () => Promise<string>;
  /** Clicks Download and returns the output. */
  readonly download: () => Promise<Buffer>;
  /** Opens another window if the current one has stopped drawing (an Electron bug), and returns whether it did. */
  readonly recovered?: () => Promise<boolean>;
}

/** The title and the actions of a test, which starts with a freshly loaded interface. */
export type Story = readonly [title: string, run: (place: StoryContext) => Promise<void>];

/** Runs the stories in order; saves a screenshot in `.build/test` if one fails. */
export function runStories(stories: readonly Story[], place: () => StoryContext): void {
  for (const [title, run] of stories)
    test(title, async (context) => {
      const runStory = async () => {
        await reloadInterface(place().page);
        await run(place());
      };
      try {
        await runStory();
      } catch (problem) {
        if ((await place().recovered?.()) === true) {
          context.diagnostic('the window stopped drawing; repeated in another one');
          await runStory();
          return;
        }
        await place()
          .page.screenshot({ path: imagePath(title) })
          .catch(() => {});
        throw problem;
      }
    });
}

/** Reloads the interface at a view. */
export async function reloadInterface(page: Page, view = 'try'): Promise<void> {
  const address = new URL(page.url());
  address.hash = view;
  // A changed fragment alone would not reload the page.
  await page.goto('about:blank#');
  await page.goto(address.href);
  await page
    .getByRole('status', { name: 'Service status' })
    .getByText(/Ready|\d job|Paused/)
    .waitFor();
}

function imagePath(title: string): string {
  const folder = join(project, '.build', 'test');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${title.replaceAll(/\W+/g, '-').slice(0, 80)}.png`);
}
