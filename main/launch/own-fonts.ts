/** Makes the fonts of a folder known to Chromium on Linux: by a configuration of fontconfig that adds it to the system's. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { escapedForXml } from './property-list.ts';

export interface OwnFonts {
  /** The folder of the fonts; made when it is missing. */
  readonly fonts: string;
  /** The folder for the configuration and, where the user has no other, for what fontconfig remembers of fonts. */
  readonly kept: string;
}

/**
 * The variables that Chromium is to be started with; none on other platforms, where fonts are installed in the system, and none
 * when nothing can be written: pages do without these fonts then.
 */
export function withOwnFonts(folders: OwnFonts, environment: NodeJS.ProcessEnv): Record<string, string> {
  if (process.platform !== 'linux') return {};
  const file = join(folders.kept, 'fonts.conf');
  try {
    for (const folder of [folders.fonts, folders.kept]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeWhenOther(file, configuration(folders, systemConfiguration(environment)));
  } catch {
    return {};
  }
  return { FONTCONFIG_FILE: file };
}

/** The same, for who makes no folder for fonts: none where nobody has put any. */
export function withFontsThere(folders: OwnFonts, environment: NodeJS.ProcessEnv): Record<string, string> {
  return existsSync(folders.fonts) ? withOwnFonts(folders, environment) : {};
}

/** What fontconfig would read without us. */
function systemConfiguration({ FONTCONFIG_FILE, FONTCONFIG_PATH }: NodeJS.ProcessEnv): string {
  const file = FONTCONFIG_FILE === undefined || FONTCONFIG_FILE === '' ? 'fonts.conf' : FONTCONFIG_FILE;
  return isAbsolute(file) ? file : join(FONTCONFIG_PATH ?? '/etc/fonts', file);
}

/** The system's comes first, so its folders for what is remembered of fonts are tried first, too. */
function configuration({ fonts, kept }: OwnFonts, system: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">${escapedForXml(system)}</include>
  <dir>${escapedForXml(fonts)}</dir>
  <include ignore_missing="yes">${escapedForXml(join(fonts, 'fonts.conf'))}</include>
  <cachedir>${escapedForXml(join(kept, 'cache'))}</cachedir>
</fontconfig>
`;
}

/** A start on a full disk is none for that. */
function writeWhenOther(file: string, content: string): void {
  if (contentOf(file) !== content) writeFileSync(file, content, { mode: 0o600 });
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
