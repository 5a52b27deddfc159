/** The directory of a zip, as adm-zip reads it, and held to what the end record says. */
import AdmZip from 'adm-zip';
import { tooManyEntries, type ArchiveLimits } from './limits.ts';
import { refusal, shown } from './refusal.ts';
import type { ZipEnd } from './zip-end.ts';

/** In the archive's order. @throws Failure archiveUnusable */
export function readDirectory(zip: Buffer, end: ZipEnd, limits: ArchiveLimits): AdmZip.IZipEntry[] {
  const decoder = rawDecoder(limits);
  try {
    const archive = new AdmZip(zip, { noSort: true, decoder });
    if (archive.getEntryCount() > limits.entries) throw tooManyEntries(limits);
    return wholeDirectory(archive.getEntries(), end);
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'Failure') throw error;
    const twice = /Duplicate entry name "(.*)"/s.exec(error.message)?.[1];
    if (twice !== undefined) throw isTwice(twice);
    throw refusal('The zip archive is damaged: its directory cannot be read; pack the files again.', error);
  }
}

/** @param raw Its bytes, as the decoder below hands them to adm-zip. */
function isTwice(raw: string): Error {
  const name = Buffer.from(raw, 'latin1').toString('utf8');
  return refusal(`The zip archive has the entry ${shown(name)} twice; pack the files again.`);
}

/** A directory that goes on after the declared number of entries would show other readers other files. */
function wholeDirectory(entries: AdmZip.IZipEntry[], { directory }: ZipEnd): AdmZip.IZipEntry[] {
  const size = entries.reduce((sum, { header }) => sum + header.centralHeaderSize, 0);
  if (size === directory.end - directory.start) return entries;
  throw refusal(
    'The zip archive is damaged: its directory has another length than its end says; pack the files again.',
  );
}

/**
 * adm-zip keys its table by decoded names, so they must differ when the bytes do. It also makes a key for each folder of a
 * name, in time quadratic in their number: a name of 65,535 slashes would take seconds.
 */
function rawDecoder({ depth, nameBytes }: ArchiveLimits): AdmZip.ZipTextDecoder {
  return {
    encode: (name) => Buffer.from(name, 'latin1'),
    decode(bytes) {
      const name = Buffer.from(bytes).toString('latin1');
      if (name.length <= (depth + 1) * (nameBytes + 1)) return name;
      throw refusal(`The zip archive's entry ${shown(name)} has too long a name; shorten it.`);
    },
  };
}
