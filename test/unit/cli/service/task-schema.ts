/** The rules of the Task Scheduler schema ([MS-TSCH] 2.5) for the elements that we use. */
import { XMLParser } from 'fast-xml-parser';

interface Allowed {
  /** `all`: each element at most once, in any order; `sequence`: in this order. */
  readonly order: 'all' | 'sequence';
  readonly of: readonly string[];
  readonly needs?: readonly string[];
}

const anyText = /./;
const booleanText = /^(true|false)$/;

/** The elements that all triggers share, before those of a specific trigger, in the order of the files that Windows exports. */
const everyTrigger = ['Repetition', 'StartBoundary', 'EndBoundary', 'ExecutionTimeLimit', 'Enabled'];

const booleanElements = [
  'StopAtDurationEnd',
  'AllowStartOnDemand',
  'DisallowStartIfOnBatteries',
  'StopIfGoingOnBatteries',
  'AllowHardTerminate',
  'StartWhenAvailable',
  'RunOnlyIfNetworkAvailable',
  'WakeToRun',
  'Enabled',
  'Hidden',
  'RunOnlyIfIdle',
];

const schema: Readonly<Record<string, Allowed | RegExp>> = {
  Task: {
    order: 'all',
    of: ['RegistrationInfo', 'Triggers', 'Settings', 'Data', 'Principals', 'Actions'],
    needs: ['Actions'],
  },
  RegistrationInfo: {
    order: 'all',
    of: ['URI', 'SecurityDescriptor', 'Source', 'Author', 'Version', 'Date', 'Documentation', 'Description'],
  },
  // The schema allows any text; this is the form of an access list with rights that have names.
  SecurityDescriptor: /^D:P?(\(A;;[A-Z]+;;;[A-Z]{2}\))+$/,
  Description: anyText,
  Documentation: anyText,
  Triggers: { order: 'all', of: ['BootTrigger', 'LogonTrigger', 'TimeTrigger'] },
  BootTrigger: { order: 'sequence', of: [...everyTrigger, 'Delay'] },
  LogonTrigger: { order: 'sequence', of: [...everyTrigger, 'UserId', 'Delay'] },
  TimeTrigger: { order: 'sequence', of: [...everyTrigger, 'RandomDelay'], needs: ['StartBoundary'] },
  StartBoundary: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/,
  UserId: anyText,
  Principals: { order: 'all', of: ['Principal'], needs: ['Principal'] },
  Principal: { order: 'all', of: ['UserId', 'LogonType', 'GroupId', 'DisplayName', 'RunLevel'] },
  LogonType: /^(S4U|Password|InteractiveToken|InteractiveTokenOrPassword)$/,
  RunLevel: /^(LeastPrivilege|HighestAvailable)$/,
  Settings: {
    order: 'all',
    of: [
      ...booleanElements,
      'MultipleInstancesPolicy',
      'DeleteExpiredTaskAfter',
      'IdleSettings',
      'NetworkSettings',
      'ExecutionTimeLimit',
      'Priority',
    ],
  },
  ...Object.fromEntries(booleanElements.map((name) => [name, booleanText])),
  MultipleInstancesPolicy: /^(Parallel|Queue|IgnoreNew|StopExisting)$/,
  ExecutionTimeLimit: /^P/,
  Priority: /^([0-9]|10)$/,
  Repetition: { order: 'all', of: ['Interval', 'Duration', 'StopAtDurationEnd'], needs: ['Interval'] },
  // The schema allows 1 minute to 31 days; the service uses whole minutes.
  Interval: /^PT[1-9]\d*M$/,
  Actions: { order: 'all', of: ['Exec'], needs: ['Exec'] },
  Exec: { order: 'sequence', of: ['Command', 'Arguments', 'WorkingDirectory'], needs: ['Command'] },
  Command: anyText,
  Arguments: anyText,
  WorkingDirectory: anyText,
};

export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

type XmlNode = Readonly<Record<string, unknown>>;

/** Returns the Task element of a document. */
export function parseTask(xml: string): XmlElement {
  const parser = new XMLParser({ preserveOrder: true, parseTagValue: false, trimValues: false });
  const task = elements(parser.parse(xml) as XmlNode[]).find(({ name }) => name === 'Task');
  if (task === undefined) throw new Error('the document has no Task element');
  return task;
}

function elements(nodes: readonly XmlNode[]): XmlElement[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ':@');
    if (name === undefined || name === '#text') return [];
    const inside = node[name] as XmlNode[];
    const content = inside.map((node) => node['#text'] as string | undefined).join('');
    return [{ name, children: elements(inside), text: content }];
  });
}

/** Returns the schema violations of an element and its descendants. */
export function schemaProblems({ name, children, text }: XmlElement): string[] {
  const rule = schema[name];
  if (rule === undefined) return [`${name} is not in the schema`];
  if (rule instanceof RegExp)
    return children.length === 0 && rule.test(text) ? [] : [`${name} must not be '${text}'`];
  const names = children.map((child) => child.name);
  const positions = names.map((child) => rule.of.indexOf(child));
  const unexpected = names.filter(
    (child, index) => !rule.of.includes(child) || names.indexOf(child) !== index,
  );
  const missing = (rule.needs ?? []).filter((needed) => !names.includes(needed));
  const isOutOfOrder = positions.some((place, index) => place < (positions[index - 1] ?? -1));
  return [
    ...unexpected.map((child) => `${name} must not contain ${child} here`),
    ...missing.map((needed) => `${name} lacks ${needed}`),
    ...(rule.order === 'sequence' && isOutOfOrder ? [`${name} has its elements in the wrong order`] : []),
    ...children.flatMap(schemaProblems),
  ];
}

/** Returns the first element of that name, possibly the element itself. */
export function elementNamed(element: XmlElement, name: string): XmlElement | undefined {
  if (element.name === name) return element;
  for (const child of element.children) {
    const found = elementNamed(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
