/** Reads from WebIDL which operations and attributes of the platform return promises in windows and workers. */
import webref from '@webref/idl';
import { exemptions } from './exemptions.ts';

/** The parts of WebIDL definitions (of the package webidl2) that are read here. */
interface Definition {
  readonly type: string;
  readonly name: string;
  readonly partial?: boolean;
  readonly inheritance?: string | null;
  readonly target?: string;
  readonly includes?: string;
  readonly members?: readonly Member[];
  readonly extAttrs: readonly ExtendedAttribute[];
}

interface ExtendedAttribute {
  readonly name: string;
  readonly rhs?: { readonly value: string | readonly { readonly value: string }[] } | null;
}

interface Member {
  readonly type: string;
  readonly name?: string;
  readonly special?: string;
  readonly idlType?: IdlType | readonly IdlType[] | null;
}

interface IdlType {
  readonly generic: string;
  readonly idlType: string | readonly IdlType[];
}

/** What of an interface or namespace is watched. */
export interface WatchedInterface {
  /** Operations that return promises. */
  readonly methods: readonly string[];
  readonly staticMethods: readonly string[];
  /** Attributes whose value is a promise. */
  readonly attributes: readonly string[];
  /** Attributes and operations that return objects of other watched interfaces. */
  readonly leads: readonly string[];
  readonly isAsyncIterable: boolean;
  /** Whether scripts can get an object without a watched member: they construct it, or find it in the document. */
  readonly isRoot: boolean;
}

/** An interface with the members of its partial definitions and mixins. */
interface Interface {
  readonly name: string;
  readonly isNamespace: boolean;
  readonly exposed: readonly string[];
  readonly inheritance: string | undefined;
  readonly members: readonly Member[];
}

const definitions = Object.values(await webref.parseAll()).flat() as readonly Definition[];

/** The promises of interfaces in windows and workers, as `Interface.member`. */
export function platformPromiseNames(): readonly string[] {
  return interfaces().flatMap(({ name, members }) => [
    ...new Set(members.filter(returnsPromise).map((member) => `${name}.${member.name ?? ''}`)),
  ]);
}

export function isExempt(promise: string): boolean {
  return promise in exemptions || (promise.split('.')[0] ?? '') in exemptions;
}

/** Returns the interfaces that are watched, by name. */
export function watchedInterfaces(): ReadonlyMap<string, WatchedInterface> {
  const all = interfaces();
  const counted = (each: Interface) => countedMembers(each).length > 0;
  // Objects that scripts construct or find in the document need no member of another interface that leads to them.
  const roots = new Set(all.filter((each) => counted(each) && isRoot(each, all)).map(({ name }) => name));
  const found = new Set(all.filter((each) => counted(each) && !roots.has(each.name)).map(({ name }) => name));
  const parents = new Map(all.map(({ name, inheritance }) => [name, inheritance]));
  const isFound = (name: string | undefined): boolean =>
    name !== undefined && (found.has(name) || isFound(parents.get(name)));
  const leadsOf = ({ name, members }: Interface) =>
    members.filter((member) => ![name, 'Window'].includes(typeOf(member)) && isFound(typeOf(member)));
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const each of all)
      if (!roots.has(each.name) && !isRoot(each, all) && !isExempt(each.name) && leadsOf(each).length > 0)
        found.add(each.name);
  }
  const watchedOnes = all.filter(({ name }) => roots.has(name) || found.has(name));
  const reached = new Set(
    watchedOnes.flatMap((each) => [
      ...leadsOf(each).map(typeOf),
      ...countedMembers(each).flatMap((member) => promisedTypes(member)),
    ]),
  );
  return new Map(
    watchedOnes.map((each) => {
      const operations = countedMembers(each).filter(({ type }) => type === 'operation');
      const watched: WatchedInterface = {
        methods: namesOf(operations.filter(({ special }) => special !== 'static')),
        staticMethods: namesOf(operations.filter(({ special }) => special === 'static')),
        attributes: namesOf(countedMembers(each).filter(({ type }) => type === 'attribute')),
        leads: namesOf(leadsOf(each)),
        isAsyncIterable: each.members.some(({ type }) => type === 'async_iterable'),
        isRoot: roots.has(each.name) || !(reached.has(each.name) || isBase(each, all, reached)),
      };
      return [each.name, watched];
    }),
  );
}

function countedMembers({ name, members }: Interface): readonly Member[] {
  return members.filter((member) => returnsPromise(member) && !isExempt(`${name}.${member.name ?? ''}`));
}

function namesOf(members: readonly Member[]): readonly string[] {
  return [...new Set(members.map((member) => member.name ?? ''))].sort();
}

function isRoot(each: Interface, all: readonly Interface[]): boolean {
  const isConstructible = ({ members }: Interface) => members.some(({ type }) => type === 'constructor');
  return (
    each.isNamespace ||
    isConstructible(each) ||
    all.some((other) => other.inheritance === each.name && isConstructible(other)) ||
    countedMembers(each).some(({ special }) => special === 'static') ||
    isInDocument(each, all)
  );
}

/** Returns whether an interface that inherits from this one is among the names. */
function isBase({ name }: Interface, all: readonly Interface[], names: ReadonlySet<string>): boolean {
  return all.some((other) => other.inheritance === name && names.has(other.name));
}

/** Returns the interfaces and namespaces that windows or workers have. */
function interfaces(): readonly Interface[] {
  const byName = new Map<string, { definition: Definition; members: Member[] }>();
  const kinds = ['interface', 'interface mixin', 'namespace'];
  for (const definition of definitions.filter(({ type }) => kinds.includes(type))) {
    const known = byName.get(definition.name);
    const members = [...(known?.members ?? []), ...(definition.members ?? [])];
    byName.set(definition.name, {
      definition: known === undefined || known.definition.partial === true ? definition : known.definition,
      members,
    });
  }
  const included = (name: string) =>
    definitions
      .filter(({ type, target }) => type === 'includes' && target === name)
      .flatMap(({ includes = '' }) => byName.get(includes)?.members ?? []);
  return [...byName.values()]
    .filter(({ definition: { type } }) => type !== 'interface mixin')
    .map(({ definition, members }) => ({
      name: definition.name,
      isNamespace: definition.type === 'namespace',
      exposed: exposureOf(definition),
      inheritance: definition.inheritance ?? undefined,
      members: [...members, ...included(definition.name)],
    }))
    .filter(({ exposed }) =>
      exposed.some((scope) => ['*', 'Window', 'Worker', 'DedicatedWorker'].includes(scope)),
    )
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function exposureOf({ extAttrs }: Definition): readonly string[] {
  const value = extAttrs.find(({ name }) => name === 'Exposed')?.rhs?.value ?? '*';
  if (typeof value === 'string') return [value];
  return value.map((scope) => scope.value);
}

function isInDocument({ name, inheritance }: Interface, all: readonly Interface[]): boolean {
  if (name === 'Node') return true;
  const parent = all.find((candidate) => candidate.name === inheritance);
  return parent !== undefined && isInDocument(parent, all);
}

function returnsPromise({ type, idlType }: Member): boolean {
  return (
    ['operation', 'attribute'].includes(type) &&
    (idlType as IdlType | null | undefined)?.generic === 'Promise'
  );
}

/** Returns the name of the type of an attribute, or that an operation returns; an empty string for a compound type. */
function typeOf({ idlType }: Member): string {
  const name = (idlType as IdlType | null | undefined)?.idlType;
  return typeof name === 'string' ? name : '';
}

/** Returns the names of the types with which the promises of an operation are fulfilled. */
function promisedTypes({ idlType }: Member): readonly string[] {
  return (JSON.stringify(idlType).match(/"idlType":"(\w+)"/g) ?? []).map((text) => text.slice(11, -1));
}
