/** Makes the fonts in a folder available to Chromium on Linux, with a fontconfig configuration that extends the system's. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { escapeXml } from './property-list.ts';

interface FontFolders {
  /** The folder that contains the fonts; created if missing. */
  readonly fonts: string;
  /** The folder for the configuration and, if the user has no other cache, for fontconfig's cache. */
  readonly fontconfig: string;
}

/**
 * Returns the environment variables for Chromium. They are empty on other platforms, where fonts are installed in the system, and
 * if the files cannot be written. Pages then cannot use the fonts in the folder.
 */
export function fontEnvironment(
  folders: FontFolders,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  if (process.platform !== 'linux') return {};
  const file = join(folders.fontconfig, 'fonts.conf');
  try {
    for (const folder of [folders.fonts, folders.fontconfig])
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeIfChanged(file, configuration(folders, systemConfiguration(environment)));
  } catch {
    return {};
  }
  return { FONTCONFIG_FILE: file };
}

/** Like `fontEnvironment`, but creates no fonts folder: returns no variables if that folder does not exist. */
export function existingFontEnvironment(
  folders: FontFolders,
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  return existsSync(folders.fonts) ? fontEnvironment(folders, environment) : {};
}

/** Returns the configuration file that fontconfig would read by default. */
function systemConfiguration({ FONTCONFIG_FILE, FONTCONFIG_PATH }: NodeJS.ProcessEnv): string {
  const file = FONTCONFIG_FILE === undefined || FONTCONFIG_FILE === '' ? 'fonts.conf' : FONTCONFIG_FILE;
  return isAbsolute(file) ? file : join(FONTCONFIG_PATH ?? '/etc/fonts', file);
}

/** Returns the configuration. It includes the system's configuration first, so that the system's cache folders are tried first. */
function configuration({ fonts, fontconfig }: FontFolders, systemFile: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">${escapeXml(systemFile)}</include>
  <dir>${escapeXml(fonts)}</dir>
  <include ignore_missing="yes">${escapeXml(join(fonts, 'fonts.conf'))}</include>
  <cachedir>${escapeXml(join(fontconfig, 'cache'))}</cachedir>
</fontconfig>
`;
}

/** Writes the file only if the content changes, so that an unchanged configuration works on a full disk. */
function writeIfChanged(file: string, content: string): void {
  if (readIfExists(file) !== content) writeFileSync(file, content, { mode: 0o600 });
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
