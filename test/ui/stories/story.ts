/** A story of the interface: what a person does in it, told wherever it is shown. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { project } from '../../support/service.ts';
import type { WebServer } from '../../support/web-server.ts';

/** Where it is shown, and to whom: an operator. */
export interface Place {
  readonly is: 'browser' | 'window';
  readonly page: Page;
  /** Of the service, without a slash at its end. */
  readonly url: string;
  /** A small site that pages may be loaded from. */
  readonly site: WebServer;
  /** What lies in the clipboard. */
  readonly clipboard: () => Promise<string>;
  /** Has another page, in another window, if the one there is stands still through no fault of the interface. Whether it did. */
  readonly recovered?: () => Promise<boolean>;
}

/** Each begins with an interface just loaded, in which nothing has been done. */
export type Story = readonly [promise: string, tell: (place: Place) => Promise<void>];

/** Tells one after the other; leaves a picture in `.build/test` of the moment in which one goes wrong. */
export function tellStories(stories: readonly Story[], place: () => Place): void {
  for (const [promise, tell] of stories)
    test(promise, async (context) => {
      const tellAnew = async () => {
        await openAnew(place().page);
        await tell(place());
      };
      try {
        await tellAnew();
      } catch (problem) {
        if ((await place().recovered?.()) === true) {
          context.diagnostic('the window stood still; told again in another one');
          await tellAnew();
          return;
        }
        await place()
          .page.screenshot({ path: picturePath(promise) })
          .catch(() => {});
        throw problem;
      }
    });
}

/** Loads the interface anew, at a view. */
export async function openAnew(page: Page, view = 'try'): Promise<void> {
  const address = new URL(page.url());
  address.hash = view;
  // Another fragment alone would load nothing.
  await page.goto('about:blank#');
  await page.goto(address.href);
  await page
    .getByRole('status', { name: 'State of the service' })
    .getByText(/Ready|\d job|Paused/)
    .waitFor();
}

function picturePath(promise: string): string {
  const folder = join(project, '.build', 'test');
  mkdirSync(folder, { recursive: true });
  return join(folder, `${promise.replaceAll(/\W+/g, '-').slice(0, 80)}.png`);
}
