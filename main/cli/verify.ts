/** `platen verify`: checks whether a document is that of a recipe, and whether the request still produces the same bytes. */
import { stat } from 'node:fs/promises';
import { fileErrorReason } from '../failure/failure.ts';
import { sha256OfFile } from '../input/bytes.ts';
import { table } from '../job/options.ts';
import { launcherProgram } from '../launch/launcher-command.ts';
import { catchSignals } from '../launch/signals.ts';
import { counted } from '../log/findings/phrases.ts';
import type { Recipe } from '../log/recipe.ts';
import { parseArguments } from './arguments.ts';
import type { FormPart } from './installation/form-body.ts';
import { exitCodes } from './convert/exit-codes.ts';
import { startTemporaryService } from './installation/temporary-service.ts';
import { printLine, UsageProblem } from './terminal.ts';
import { findContents, type RequestContent } from './verify/find-contents.ts';
import { readRecipe } from './verify/read-recipe.ts';

const verifyHelp = `usage: platen verify RECIPE.json DOCUMENT [--inputs FOLDER]

Checks whether DOCUMENT is the document of the recipe. A recipe is at the address of a job's debug log, with
.recipe.json appended.

  --inputs FOLDER   Also converts the request again with this installation, and compares the bytes. FOLDER
                    contains the HTML and the files of the request, under any names. The settings are those of
                    the environment variables, such as PLATEN_NETWORK_ALLOW.

Exit codes: 0 the document is proven, 1 it is not, 2 an invalid command line, recipe or folder, 130 interrupted.`;

/** Runs the command and resolves with the exit code. @throws UsageProblem; Error with a one-sentence message */
export async function verify(parameters: readonly string[]): Promise<number> {
  const { flags, positionals } = parseArguments(parameters, { help: 'switch', inputs: 'value' });
  if (flags.has('help')) {
    printLine(verifyHelp);
    return 0;
  }
  const [recipePath, document, ...others] = positionals;
  if (recipePath === undefined || document === undefined || others.length > 0)
    throw new UsageProblem('verify needs a recipe and a document: platen verify RECIPE.json DOCUMENT.');
  const recipe = await readRecipe(recipePath);
  if (!(await isDocumentOf(recipe, document))) return 1;
  const inputs = flags.get('inputs');
  if (inputs !== undefined) return await convertAgain(recipe, inputs);
  printLine(
    'Not examined: whether the request still gives these bytes. To convert it again, add --inputs FOLDER.',
  );
  return 0;
}

async function isDocumentOf({ job, received, output }: Recipe, document: string): Promise<boolean> {
  const { size, sha256 } = await factsOf(document);
  if (sha256 === output.sha256) {
    printLine(
      `${document} is the document of job ${job}, received ${received}: ${counted(size, 'byte')}, SHA-256 ${sha256}.`,
    );
    return true;
  }
  printLine(
    `${document} is not the document of job ${job}: it has ${counted(size, 'byte')} and the SHA-256 ${sha256}, but the recipe says ${counted(output.bytes, 'byte')} and ${output.sha256}. It was changed, or it is another document.`,
  );
  return false;
}

async function factsOf(path: string): Promise<{ readonly size: number; readonly sha256: string }> {
  try {
    return { size: (await stat(path)).size, sha256: await sha256OfFile(path) };
  } catch (problem) {
    throw new UsageProblem(`${path} cannot be read: ${fileErrorReason(problem as NodeJS.ErrnoException)}.`);
  }
}

/** Converts the request of the recipe, prints the result, and returns the exit code. */
async function convertAgain(recipe: Recipe, folder: string): Promise<number> {
  refuseIfNotRepeatable(recipe);
  const form = await formOf(recipe, folder);
  using signals = catchSignals();
  try {
    return (await hasSameBytes(recipe, form, signals.stopSignal)) ? 0 : 1;
  } catch (problem) {
    if (signals.stopSignal.aborted) return exitCodes.interrupted;
    throw problem;
  }
}

async function hasSameBytes(
  recipe: Recipe,
  form: readonly FormPart[],
  signal: AbortSignal,
): Promise<boolean> {
  const { alias } = recipe.request;
  await using service = await startTemporaryService({
    program: launcherProgram(),
    ...(alias !== undefined && { settings: { alias } }),
    signal,
  });
  const response = await service.convert(form, signal);
  const bytes = await response.arrayBuffer();
  if (!response.ok) {
    printLine(`The request cannot be converted again: ${Buffer.from(bytes).toString('utf8').trim()}`);
    return false;
  }
  const made = await madeRecipe(response, signal);
  const versions = versionsOf(made);
  if (made.output.sha256 === recipe.output.sha256) {
    printLine(`Converted again with ${versions}: the same bytes.`);
    return true;
  }
  printLine(
    `Converted again with ${versions}: other bytes (SHA-256 ${made.output.sha256}). ${differencesOf(recipe, made)}`,
  );
  return false;
}

/** @throws UsageProblem if two conversions of the request cannot have the same bytes, or if values are missing in the recipe */
function refuseIfNotRepeatable({ request: { values }, output }: Recipe): void {
  const hidden = values.filter((value) => 'hidden' in value).map(({ name }) => name);
  if (hidden.length > 0)
    throw new UsageProblem(
      `the recipe does not contain the secret values of ${hidden.join(', ')}, so the request cannot be converted again. Leave out --inputs.`,
    );
  const isSet = (name: string) => values.some((value) => value.name === name);
  const isSigned = values.some(
    (value) => value.name === 'sign' && 'value' in value && table.sign.kind.read(value.value) === true,
  );
  if (isSigned)
    throw new UsageProblem(
      'the document is signed, and a signature contains the time of signing, so the request gives other bytes each time. Leave out --inputs; to check the signature, use a viewer or pdfsig.',
    );
  if (output.contentType === 'application/pdf' && !isSet('creation_date'))
    throw new UsageProblem(
      'the request has no creation_date, so each of its documents has its own time and other bytes. Leave out --inputs, and send creation_date with documents that you want to convert again.',
    );
}

async function formOf({ request: { values } }: Recipe, folder: string): Promise<FormPart[]> {
  const contents = values.filter((value): value is RequestContent => 'sha256' in value);
  const found = await findContents(folder, contents);
  const parts = values.flatMap((value): FormPart[] => {
    if (value.name === 'debug_log' || 'hidden' in value) return [];
    const { name } = value;
    if ('value' in value) return [{ name, bytes: Buffer.from(value.value) }];
    const bytes = found.get(value.sha256) ?? Buffer.alloc(0);
    return [{ name, bytes, ...(value.file !== undefined && { file: value.file }) }];
  });
  // The recipe of the new document has the versions with which it was made.
  return [...parts, { name: 'debug_log', bytes: Buffer.from('true') }];
}

async function madeRecipe({ headers }: Response, signal: AbortSignal): Promise<Recipe> {
  const log = headers.get('x-service-debug-log') ?? '';
  const response = await fetch(`${log}.recipe.json`, { signal });
  return (await response.json()) as Recipe;
}

function versionsOf({ versions: { platen, chromium, system } }: Recipe): string {
  return `Platen ${platen}, Chromium ${chromium}, ${system}`;
}

/** Returns the likely reasons for other bytes, as a sentence. */
function differencesOf(recipe: Recipe, made: Recipe): string {
  const familiesOf = ({ fonts }: Recipe) => fonts.map(({ family }) => family).join(', ');
  if (versionsOf(recipe) !== versionsOf(made))
    return `The document was made with ${versionsOf(recipe)}: use that version.`;
  if (familiesOf(recipe) !== familiesOf(made))
    return `Its fonts were ${familiesOf(recipe)}; now they are ${familiesOf(made)}.`;
  return 'Versions and fonts are the same: settings, or something that the page loads from the network, may differ.';
}
