/** Creates folders for tests of `platen convert`, and checks the files in them. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { findColour } from '../output/find-colour.ts';
import { temporaryFolder } from './service.ts';

/** A temporary folder with these files, removed on disposal. */
export interface DisposableFolder extends Disposable {
  /** An absolute path. */
  readonly path: string;
}

export function folderWith(files: Readonly<Record<string, string | Buffer>>): DisposableFolder {
  const path = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return {
    path,
    [Symbol.dispose]() {
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Returns the relative paths of all files below the folder, sorted, with slashes. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    )
    .sort();
}

export const green = [0, 128, 0] as const;

export async function isGreen(pdf: Buffer): Promise<boolean> {
  return (await findColour(pdf, green)) !== undefined;
}

/** A page that is green if the style sheet next to it loads. */
export const stylesheetPage = '<!doctype html><link rel=stylesheet href=css/a.css><div class=x>Text</div>';
export const style = (colour: string) => `.x { background: ${colour}; height: 100px }`;
export const page = { 'page.html': stylesheetPage, 'css/a.css': style('green') };
