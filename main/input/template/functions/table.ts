/** All template functions by name. Handlebars' helpers and Jinja's filters are the same functions. */
import type { TemplateFunction } from './call.ts';
import { dates } from './dates.ts';
import { groups, lists } from './lists.ts';
import { logic } from './logic.ts';
import { numbers } from './numbers.ts';
import { texts } from './texts.ts';

export const functions: ReadonlyMap<string, TemplateFunction> = new Map(
  [texts, numbers, dates, logic, lists, groups].flatMap((table) => Object.entries(table)),
);
