/** Encrypts and linearises a finished PDF with qpdf, compiled to WebAssembly, without temporary files. */
import { randomBytes } from 'node:crypto';
import createQpdf from '@neslinesli93/qpdf-wasm';
import { normalized } from '../../fields/normalized.ts';

export interface Encryption {
  readonly user_password: string;
  readonly owner_password: string;
  readonly no_print: boolean;
  readonly no_modify: boolean;
  readonly no_copy: boolean;
}

export interface QpdfOptions {
  readonly linearize: boolean;
  readonly encryption?: Encryption;
}

/**
 * Returns the encrypted or linearised PDF, or the bytes unchanged if no option is set. Encrypts with AES-256 (ISO 32000-2, 7.6,
 * revision 6), including metadata; text can always be extracted for accessibility. `inspectPdf` cannot read linearised files, so
 * count pages before calling this.
 * @throws Error with the message of qpdf if qpdf cannot read the bytes
 */
export async function runQpdf(bytes: Uint8Array, options: QpdfOptions): Promise<Uint8Array> {
  const parameters = [
    // PDF/A requires the line break before `endstream` (ISO 19005-2, 6.1.7.1).
    ...(options.linearize ? ['--linearize', '--newline-before-endstream'] : []),
    // Otherwise the identifier of the file is random. The key of an encrypted document depends on it.
    ...(options.encryption === undefined ? ['--deterministic-id'] : encryptionParameters(options.encryption)),
  ];
  if (!options.linearize && options.encryption === undefined) return bytes;
  return runProgram(bytes, parameters);
}

function encryptionParameters(encryption: Encryption): string[] {
  return [
    '--encrypt',
    `--user-password=${preparePassword(encryption.user_password)}`,
    `--owner-password=${ownerPassword(encryption)}`,
    '--bits=256',
    ...(encryption.no_print ? ['--print=none'] : []),
    ...(encryption.no_modify ? ['--modify=none'] : []),
    ...(encryption.no_copy ? ['--extract=n'] : []),
    '--',
  ];
}

/**
 * Returns the owner password. It permits everything, and viewers try the empty password without asking the user. So if the document
 * is protected but no owner password is given, returns a random one.
 */
function ownerPassword(encryption: Encryption): string {
  const { user_password, owner_password, no_print, no_modify, no_copy } = encryption;
  const protects = user_password !== '' || no_print || no_modify || no_copy;
  if (owner_password === '' && protects) return randomBytes(32).toString('hex');
  return preparePassword(owner_password);
}

/** Members of the qpdf module that the package's types omit. */
interface QpdfProgram {
  readonly FS: {
    readonly init: (
      input: () => null,
      output: (byte: number | null) => void,
      error: (byte: number | null) => void,
    ) => void;
    readonly writeFile: (path: string, bytes: Uint8Array, options?: { canOwn: boolean }) => void;
    readonly readFile: (path: string) => Uint8Array;
  };
  readonly callMain: (parameters: string[]) => number;
}

type CreateQpdf = (options: {
  readonly thisProgram: string;
  readonly preRun: ((program: QpdfProgram) => void)[];
}) => Promise<QpdfProgram>;

/** The exit code of qpdf if it wrote the file but had to repair the input (qpdf manual, "Exit Status"). */
const warningExitCode = 3;

/** Runs qpdf. Creates an instance for each call (10 ms), because the memory of an instance never shrinks. */
async function runProgram(bytes: Uint8Array, parameters: readonly string[]): Promise<Uint8Array> {
  const output: number[] = [];
  const collectOutput = (byte: number | null) => output.push(byte ?? 0);
  const program = await (createQpdf as unknown as CreateQpdf)({
    thisProgram: 'qpdf',
    preRun: [
      ({ FS }) => {
        FS.init(() => null, collectOutput, collectOutput);
      },
    ],
  });
  program.FS.writeFile('/in.pdf', bytes);
  const code = preservingExitCode(() => program.callMain(['/in.pdf', ...parameters, '/out.pdf']));
  if (code === 0 || code === warningExitCode) return program.FS.readFile('/out.pdf');
  throw new Error(`qpdf ended with ${code}: ${Buffer.from(output).toString().trim()}`);
}

/** Runs `work` and then restores the exit code of this process, which Emscripten sets to that of qpdf. */
function preservingExitCode<Result>(work: () => Result): Result {
  const { exitCode } = process;
  try {
    return work();
  } finally {
    process.exitCode = exitCode;
  }
}

// Normalises passwords, so that a password gives the same bytes on every keyboard and in every viewer.

/** Non-ASCII spaces (RFC 3454, table C.1.2). */
const otherSpaces = /[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/gu;
/** Invisible characters (RFC 3454, table B.1), and NUL, which ends strings in C. */
const invisibleCharacters = /[\0\u00AD\u034F\u1806\u180B-\u180D\u200C\u200D\u2060\uFE00-\uFE0F\uFEFF]/gu;

/**
 * Normalises a password with SASLprep (RFC 4013), as ISO 32000-2, 7.6.4.3, requires. Prohibited characters are allowed, because
 * viewers accept them too.
 */
function preparePassword(password: string): string {
  return normalized(password.replace(otherSpaces, ' ').replace(invisibleCharacters, ''), 'NFKC');
}
