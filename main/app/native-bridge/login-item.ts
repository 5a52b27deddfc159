/** Reads and writes the desktop's login entry, which starts Platen at login with the current command line. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { propertyList } from '../../launch/property-list.ts';
import {
  isTranslocated,
  launchAgentLabel,
  loginItemPath,
  quoteForWindows,
} from '../../launch/launcher-command.ts';
import type { LoginItem } from './contract.ts';

export interface LoginEntry {
  readonly read: () => LoginItem;
  /** Adds or removes the entry. @throws the system's error */
  readonly write: (on: boolean) => void;
}

interface LoginOptions {
  /** The launcher's command line as a JSON array of strings; undefined without a launcher. */
  readonly command: string | undefined;
  readonly platform: NodeJS.Platform;
  /** Electron's login item functions for Windows. */
  readonly electronLoginItems: {
    readonly getLoginItemSettings: (entry: WindowsEntry) => { readonly openAtLogin: boolean };
    readonly setLoginItemSettings: (entry: WindowsEntry & { readonly openAtLogin: boolean }) => void;
  };
}

interface WindowsEntry {
  readonly path: string;
  readonly args: string[];
}

const commandSchema = z.tuple([z.string()], z.string());

export function openLoginEntry({ command, platform, electronLoginItems }: LoginOptions): LoginEntry {
  const words = readCommand(command);
  if (words === undefined) return { read: () => ({ on: false, possible: false }), write() {} };
  if (platform === 'darwin' && isTranslocated(words[0])) return translocatedEntry;
  if (platform === 'win32') return windowsEntry(electronLoginItems, words);
  const path = loginItemPath(platform);
  const text = platform === 'darwin' ? launchAgent(words, process.cwd()) : desktopEntry(words, process.cwd());
  return {
    read: () => ({ on: existsSync(path), possible: true }),
    write(on) {
      if (!on) {
        rmSync(path, { force: true });
        return;
      }
      mkdirSync(dirname(path), { recursive: true });
      // The command line may contain a passphrase.
      writeFileSync(path, text, { mode: 0o600 });
    },
  };
}

/** The entry of an application whose path is valid only until it ends. */
const translocatedEntry: LoginEntry = {
  read: () => ({ on: false, possible: false, obstacle: 'translocated' }),
  write() {},
};

function readCommand(command: string | undefined): readonly [string, ...string[]] | undefined {
  try {
    return commandSchema.parse(JSON.parse(command ?? ''));
  } catch {
    return undefined;
  }
}

function windowsEntry(
  windows: LoginOptions['electronLoginItems'],
  [path, ...args]: readonly [string, ...string[]],
): LoginEntry {
  // Windows stores the arguments as one string, joined with spaces.
  const entry = { path, args: args.map(quoteForWindows) };
  return {
    read: () => ({ on: windows.getLoginItemSettings(entry).openAtLogin, possible: true }),
    write(on) {
      windows.setLoginItemSettings({ ...entry, openAtLogin: on });
    },
  };
}

/** Returns an autostart entry. See https://specifications.freedesktop.org/desktop-entry-spec/latest/, "The Exec key". */
export function desktopEntry(command: readonly string[], folder: string): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Platen',
    // Desktops ignore the entry when Platen has been removed.
    `TryExec=${escapeString(command[0] ?? '')}`,
    `Exec=${escapeString(command.map(quoteArgument).join(' '))}`,
    `Path=${escapeString(folder)}`,
    'Terminal=false',
  ];
  return `${lines.join('\n')}\n`;
}

function quoteArgument(argument: string): string {
  return `"${argument.replaceAll('%', '%%').replace(/["`$\\]/g, '\\$&')}"`;
}

/** Escapes a value of type string. The Exec key needs this in addition to quoted arguments. */
function escapeString(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** Returns a launch agent, see launchd.plist(5). Electron's login items are not used because they cannot pass arguments. */
export function launchAgent(command: readonly string[], folder: string): string {
  return propertyList({
    Label: launchAgentLabel,
    ProgramArguments: command,
    WorkingDirectory: folder,
    RunAtLoad: true,
  });
}
