/** Reads the recipe of a document. */
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { fileErrorReason } from '../../failure/failure.ts';
import { recipeFormat, type Recipe } from '../../log/recipe.ts';
import { UsageProblem } from '../terminal.ts';

const sha256 = z.string().regex(/^[\da-f]{64}$/, 'must have 64 hexadecimal digits');

const schema = z.object({
  recipe: z.literal(recipeFormat),
  job: z.string(),
  received: z.string(),
  versions: z.object({ platen: z.string(), electron: z.string(), chromium: z.string(), system: z.string() }),
  request: z.object({
    alias: z.string().optional(),
    values: z.array(
      z.union([
        z.object({ name: z.string(), value: z.string() }),
        z.object({ name: z.string(), file: z.string().optional(), bytes: z.number(), sha256 }),
        z.object({ name: z.string(), hidden: z.literal(true) }),
      ]),
    ),
  }),
  fonts: z.array(z.object({ family: z.string(), web: z.boolean() })),
  output: z.object({
    contentType: z.string(),
    bytes: z.number(),
    pages: z.number().optional(),
    sha256,
  }),
});

/** @throws UsageProblem if the file cannot be read or is no recipe */
export async function readRecipe(path: string): Promise<Recipe> {
  const text = await readFile(path, 'utf8').catch((problem: unknown) => {
    throw new UsageProblem(`${path} cannot be read: ${fileErrorReason(problem as NodeJS.ErrnoException)}.`);
  });
  const { data, error } = schema.safeParse(parsed(text));
  if (data !== undefined) return data as Recipe;
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new UsageProblem(
    `${path} is not a recipe${place === '' ? '' : ` (${place}: ${issue?.message ?? ''})`}. Get it from the address of the debug log, with .recipe.json appended.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
